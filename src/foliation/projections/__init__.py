"""Families of projections: the distributions over atoms that the nodes of a forest draw from.

Every class here holds parameters only, as a scikit-learn estimator does, so that a search can reach
``projections__max_size``. What they mean on data of a given shape is worked out at fit.
"""

from foliation.projections import presets
from foliation.projections.atoms import Atoms
from foliation.projections.axis import Axis
from foliation.projections.banks import gabor_bank
from foliation.projections.family import Projections
from foliation.projections.kernels import Kernels
from foliation.projections.mixture import Mixture
from foliation.projections.neighborhoods import Neighborhoods
from foliation.projections.patches import Patches
from foliation.projections.sparse import Sparse

__all__ = [
    "Atoms",
    "Axis",
    "Kernels",
    "Mixture",
    "Neighborhoods",
    "Patches",
    "Projections",
    "Sparse",
    "gabor_bank",
    "presets",
]

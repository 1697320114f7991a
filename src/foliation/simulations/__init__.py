"""Simulated problems with known structure: classes to tell apart, and manifolds with their true distances.

Every generator of classes returns ``(X, y)``, and recordings of subjects come with the number of the subject as well.
Where the class is part of the design, the labels alternate 0, 1, 0, 1, ... in row order, so every prefix of a draw is
class-balanced to within one row: for a learning curve, draw the largest size once and train on prefixes of it.
(Drawing again with a smaller ``n`` and the same seed may give other rows.)

Every generator of a manifold returns a ``Manifold``: points, latent coordinates and true distances.

References
----------
Li, A., Perry, R., Huynh, C., et al. "Manifold oblique random forests: towards closing the gap on
convolutional deep networks", called MORF below.

Tomita, T. M., Browne, J., Shen, C., et al. "Sparse projection oblique randomer forests", called SPORF below.

Madhyastha, M., Li, G., Strnadová-Neeley, V., et al. "Geodesic Forests", called GF below.

Trunk, G. V. "A problem of dimensionality: a simple example".
"""

from foliation.simulations.channels import gaussian_channels, linear_dynamics, linear_dynamics_matrices
from foliation.simulations.grids import bars, circle, impulse, impulse_bayes_error, impulse_posterior
from foliation.simulations.manifolds import Manifold, gaussian_mixture, helix, line, sphere
from foliation.simulations.outcomes import surgical_outcome
from foliation.simulations.tabular import (
    orthant,
    overlapping_gaussians,
    overlapping_gaussians_posterior,
    sparse_parity,
    trunk,
    trunk_posterior,
)

__all__ = [
    "Manifold",
    "bars",
    "circle",
    "gaussian_channels",
    "gaussian_mixture",
    "helix",
    "impulse",
    "impulse_bayes_error",
    "impulse_posterior",
    "line",
    "linear_dynamics",
    "linear_dynamics_matrices",
    "orthant",
    "overlapping_gaussians",
    "overlapping_gaussians_posterior",
    "sparse_parity",
    "sphere",
    "surgical_outcome",
    "trunk",
    "trunk_posterior",
]

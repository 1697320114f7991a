"""Pictures of forests, as scikit-learn's displays: ``Display.from_estimator(...)`` draws, ``plot(ax=)`` draws again.

They need matplotlib: ``pip install "foliation[plot]"``.
"""

from foliation.plotting.boundary import DecisionBoundary
from foliation.plotting.importance import ImportanceMap
from foliation.plotting.patches import PatchAtlas
from foliation.plotting.profile import ForestProfile
from foliation.plotting.proximity import ProximityMap
from foliation.plotting.tree import TreeView

__all__ = ["DecisionBoundary", "ForestProfile", "ImportanceMap", "PatchAtlas", "ProximityMap", "TreeView"]

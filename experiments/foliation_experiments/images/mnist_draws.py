"""How often methods are fitted to how many images."""

from __future__ import annotations

from foliation_experiments.classes.problems import DRAWS
from foliation_experiments.harness.experiment import Scale

SIZES: dict[Scale, tuple[int, ...]] = {
    "full": (100, 500, 1000, 5000, 10_000, 30_000, 60_000),
    "quick": (100, 500, 1000),
}
MANY = 10_000  # images, up to which there are all draws
FEW_DRAWS = 3


def n_draws(n: int, scale: Scale) -> int:
    return DRAWS[scale] if n <= MANY else FEW_DRAWS

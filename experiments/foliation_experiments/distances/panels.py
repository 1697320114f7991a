"""The row of panels that experiments on the manifolds share."""

from __future__ import annotations

from foliation_experiments.distances.problems import MANIFOLDS, K
from foliation_experiments.drawing import Panel
from foliation_experiments.harness.table import Table

LABELS = ("noise dimensions", f"geodesic precision, k = {K}")


def over_noise(table: Table, part: str, beside: str = "") -> list[Panel]:
    """Return a panel for each manifold: the precision of a part over noise dimensions, and that of chance."""
    column, chance = f"precision@{K}", f"precision chance@{K}"
    ats = table.ats(part=part)
    return [Panel(name + beside, column, {"part": part, "problem": name}, ats, chance) for name in MANIFOLDS]

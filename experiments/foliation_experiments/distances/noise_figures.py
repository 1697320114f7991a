"""The figures of the experiment `noise`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from foliation_experiments.distances.problems import MANIFOLDS, K
from foliation_experiments.distances.published import NOISE
from foliation_experiments.drawing import BLACK, BLUE, GRAY, GREEN, ORANGE, PINK, RED, SKY, Panel, Style, grid_figure
from foliation_experiments.harness.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_AGAINST_PEERS = {
    "GF": Style(BLUE, "o", ours=True),
    "GF axis": Style(SKY, "s", ours=True),
    "GF screened, nonzeros 2": Style(RED, "^", ours=True),
    "GF paper": Style(PINK, "D", ours=True),
    "Isomap": Style(GREEN, "v"),
    "UMAP": Style(ORANGE, "P"),
    "Breiman": Style(BLACK, "X"),
    "random trees": Style(PINK, "d"),
    "Euclidean": Style(GRAY, "s"),
    "pynndescent": Style(SKY, "."),
}
_SETTINGS = {
    "GF": Style(BLUE, "o", ours=True),
    "GF nonzeros 1.5": Style(GREEN, "v", ours=True),
    "GF nonzeros 3": Style(ORANGE, "P", ours=True),
    "GF axis": Style(BLACK, "X", ours=True),
    "GF axis, impatient": Style(BLACK, "x"),
    "GF axis, 300 candidates": Style(SKY, "s", ours=True),
    "GF screened": Style(RED, "^", ours=True),
    "GF screened, nonzeros 2": Style(RED, "v"),
    "GF paper": Style(PINK, "D"),
    "GF text": Style(GRAY, "d"),
}
_PARTS = {"noise": "", "rescaled": ", rescaled"}
_LOW = (2, 4, 6, 8, 10)
_LABELS = ("noise dimensions", f"geodesic precision, k = {K}")


def figures(table: Table) -> dict[str, Figure]:
    """Draw the paper's figure 4 (raw above, rescaled below), the same for our settings, and its figure 6."""
    found = {"noise": _all_noise(table, _AGAINST_PEERS), "settings": _all_noise(table, _SETTINGS)}
    if set(_LOW) <= set(table.ats(part="noise")):
        low = [_panel(table, "noise", problem, _LOW) for problem in MANIFOLDS]
        found["low_noise"] = grid_figure(table, [low], _AGAINST_PEERS, _LABELS)
    return found


def _all_noise(table: Table, styles: Mapping[str, Style]) -> Figure:
    panels = []
    for part in _PARTS:
        ats = tuple(at for at in table.ats(part=part) if at not in _LOW[:-1])
        panels.append([_panel(table, part, problem, ats) for problem in MANIFOLDS])
    return grid_figure(table, panels, styles, _LABELS)


def _panel(table: Table, part: str, problem: str, ats: tuple[float, ...]) -> Panel:
    """Return what is drawn of one problem; published values belong to raw columns and 1000 points."""
    known = NOISE[problem]["published GF"] if part == "noise" and table.scale == "full" else {}
    published = {at: value for at, value in known.items() if at in ats}
    column, chance = f"precision@{K}", f"precision chance@{K}"
    return Panel(problem + _PARTS[part], column, {"part": part, "problem": problem}, ats, chance, published)

"""The page and the figure of the experiment `screen`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foliation_experiments.distances.panels import LABELS, over_noise
from foliation_experiments.distances.problems import MANIFOLDS, K
from foliation_experiments.drawing import BLUE, GREEN, RED, Style, grid_figure
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import TALLY_HEADER, each, mean_rows, tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_AT_K = f"precision@{K}"
_STYLES = {
    "axis, screen 0": Style(BLUE, "o", ours=True),
    "axis, screen 0.5": Style(GREEN, "^", ours=True),
    "axis, screen 1": Style(RED, "s", ours=True),
    "density 1/20, screen 0": Style(BLUE, "o"),
    "density 1/20, screen 0.5": Style(GREEN, "^"),
    "density 1/20, screen 1": Style(RED, "s"),
}


def page(table: Table) -> str:
    noises = [part for part in table.parts() if part != "data"]
    return "\n\n".join((_verdicts(table), *(_noise(table, part) for part in noises), _data(table)))


def figures(table: Table) -> dict[str, Figure]:
    rows = [over_noise(table, part, f", {part} noise") for part in table.parts() if part != "data"]
    return {"screen": grid_figure(table, rows, _STYLES, LABELS)}


def _verdicts(table: Table) -> str:
    """Write where screening helps and where it harms, by the paired intervals."""
    lines = [
        [part, method, *tally(table, _AT_K, method, f"{method.split(', ')[0]}, screen 0", part=part).cells()]
        for part in table.parts()
        for method in table.methods(part=part)
        if not method.endswith("screen 0")
    ]
    return f"""## Where screening helps and where it harms

`screen` is the share of candidates that are drawn only from features that depart from normality. It presumes that
noise is Gaussian. Against `screen=0`, paired over seeds: the mean difference of the precision of the nearest {K}, and
at how many problems its 95 % interval lies above and below zero, one in twenty of which may do so by chance. All noise
has the same variance. On data, intervals cover the draws of the forests only.

{markdown(("noise", "projections, screen", *TALLY_HEADER), lines)}"""


def _noise(table: Table, part: str) -> str:
    methods = each("method", table.methods(part=part))
    ats = each("at", table.ats(part=part))
    pieces = [f"## {part} noise"]
    for problem in MANIFOLDS:
        narrowed = {at: {"part": part, "problem": problem, **selection} for at, selection in ats.items()}
        lines = mean_rows(table, _AT_K, methods, narrowed)
        pieces += [f"{problem}, by noise dimensions:", markdown(("projections, screen", *ats), lines)]
    return "\n\n".join(pieces)


def _data(table: Table) -> str:
    """Write the share of neighbors of the same class."""
    methods = each("method", table.methods(part="data"))
    columns = each("problem", table.problems(part="data"))
    pieces = ["## Data: share of neighbors of the same class"]
    for k in (15, K):
        lines = mean_rows(table, f"precision@{k}", methods, columns)
        pieces += [f"{k} nearest:", markdown(("projections, screen", *columns), lines)]
    return "\n\n".join(pieces)

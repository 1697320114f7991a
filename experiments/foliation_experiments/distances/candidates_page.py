"""The page and the figure of the experiment `candidates`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foliation_experiments.distances.panels import LABELS, over_noise
from foliation_experiments.distances.problems import MANIFOLDS, K
from foliation_experiments.drawing import BLACK, BLUE, GREEN, ORANGE, PINK, RED, SKY, Style, grid_figure
from foliation_experiments.harness.markdown import number
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import TALLY_HEADER, Selection, each, mean_rows, tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ON_DATA = " on data"  # at the end of the part, after the projections
_USUAL, _MOST = "sqrt", "300"
_AT_K = f"precision@{K}"
_STYLES = {
    "log2": Style(ORANGE, "v"),
    "sqrt": Style(BLUE, "o", ours=True),
    "third": Style(GREEN, "^"),
    "100": Style(BLACK, "D"),
    "300": Style(RED, "s"),
    "sqrt, impatient": Style(PINK, "x"),
    "sqrt, patience 20": Style(SKY, "P"),
}


def page(table: Table) -> str:
    families = _families(table)
    summaries = "\n".join(_summary(table, family) for family in families)
    head = f"""The settings are `max_features`: "log2", "sqrt", a third of the features, 100 and 300, the last two
at most all features; and "sqrt" with a `patience` of 0, where no node draws on, and of 20 in place of 5. Precision of
the nearest {K} unless said otherwise, mean over seeds with its 95 % interval. Seconds are those of one thread while
another run has the other core. With projections of density 1/20 and 1,000 noise dimensions the settings that take
longest are left out: an atom has 50 features there, and a fit takes minutes.

{_MOST} candidates in place of "{_USUAL}", paired over seeds and judged by the 95 % interval of the difference:

{summaries}"""
    return "\n\n".join((head, *(_gains(table, family) for family in families), *(_all(table, f) for f in families)))


def figures(table: Table) -> dict[str, Figure]:
    rows = [over_noise(table, family, f", {family}") for family in _families(table)]
    return {"candidates": grid_figure(table, rows, _STYLES, LABELS)}


def _families(table: Table) -> list[str]:
    return [part for part in table.parts() if not part.endswith(ON_DATA)]


def _summary(table: Table, family: str) -> str:
    """Write what the most candidates bring, where there is noise and where there is none, and what they cost."""
    noise = max(table.ats(part=family, method=_MOST))
    places: dict[str, Selection] = {
        f"with {noise:,g} noise dimensions": {"part": family, "at": noise},
        "on data": {"part": f"{family}{ON_DATA}"},
    }
    sentences = [
        f"{place} {tally(table, _AT_K, _MOST, _USUAL, **chosen)}, for {_multiple(table, _MOST, chosen)} the seconds"
        for place, chosen in places.items()
    ]
    return f"- projections {family}: {'; '.join(sentences)}."


def _gains(table: Table, family: str) -> str:
    """Write what each setting brings and costs against the usual one."""
    others = [method for method in table.methods(part=family) if method != _USUAL]
    places: dict[str, Selection] = {
        f"{at:g} noise dimensions": {"part": family, "at": at} for at in table.ats(part=family)
    }
    data = f"{family}{ON_DATA}"
    places |= {name: {"part": data, "problem": name} for name in table.problems(part=data)}
    lines = [
        [place, method, *_against(table, method, selection)]
        for place, selection in places.items()
        for method in others
        if table.methods(**selection, method=method)
    ]
    header = ("where", "candidates", *TALLY_HEADER, "seconds")
    return f"""## What more and fewer candidates bring: projections {family}

Against "{_USUAL}", paired over seeds: the mean difference of precision, at how many problems its 95 % interval lies
above and below zero, and the seconds of the fit as a multiple.

{markdown(header, lines)}"""


def _against(table: Table, method: str, selection: Selection) -> tuple[str, ...]:
    found = tally(table, _AT_K, method, _USUAL, **selection)
    return *found.cells(), _multiple(table, method, selection)


def _multiple(table: Table, method: str, selection: Selection) -> str:
    ours, usual = (table.mean_interval("fit seconds", method=name, **selection) for name in (method, _USUAL))
    return f"{number(ours.mean / usual.mean)} times" if ours and usual else "-"


def _all(table: Table, family: str) -> str:
    methods = each("method", table.methods(part=family))
    ats = each("at", table.ats(part=family))
    pieces = [f"## All values: projections {family}"]
    for column, problem in (*((_AT_K, name) for name in MANIFOLDS), ("fit seconds", "helix")):
        narrowed = {at: {"part": family, "problem": problem, **selection} for at, selection in ats.items()}
        what = f"{problem}, by noise dimensions:" if column == _AT_K else f"Seconds to fit the {problem}:"
        pieces += [what, markdown(("candidates", *ats), mean_rows(table, column, methods, narrowed))]
    return "\n\n".join([*pieces, *_data(table, f"{family}{ON_DATA}")])


def _data(table: Table, part: str) -> list[str]:
    """Write the share of neighbors of the same class, and seconds."""
    methods = each("method", table.methods(part=part))
    columns: dict[str, Selection] = {name: {"part": part, "problem": name} for name in table.problems(part=part)}
    captions = {"precision@15": "15 nearest", _AT_K: f"{K} nearest", "fit seconds": "seconds to fit"}
    pieces = []
    for column, what in captions.items():
        lines = mean_rows(table, column, methods, columns)
        pieces += [f"Data, {what}:", markdown(("candidates", *columns), lines)]
    return pieces

"""The page of the experiment `noise`."""

from __future__ import annotations

import numpy as np

from foliation_experiments.distances.forests import TREES
from foliation_experiments.distances.noise_findings import LEAST_NOISE, Point, exceptions, extremes, published, scores
from foliation_experiments.distances.noise_methods import FEWER_TREES, LOW_NOISE, MOST_NOISE, NOT_AT_LOW_NOISE, OURS
from foliation_experiments.distances.problems import MANIFOLDS, ROWS, K
from foliation_experiments.distances.published import NOISE
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection, each, mean_rows

_PARTS = {"noise": "Raw columns (figures 4 and 6)", "rescaled": "Every column rescaled to [0, 1] (figure 4, below)"}
_SETTINGS = """
`GF` is the class with its defaults, and the other settings differ from it as follows. `GF axis`: single features.
`GF axis, impatient`: single features, and nodes without clusters do not draw on, but chip off a fiftieth of their rows.
`GF axis, 300 candidates`: single features, 300 of them at each node, or all if there are fewer. `GF screened`: single
features of those that depart from normality, which presumes that noise is Gaussian; `GF screened, nonzeros 2`: sums of
two of them on average. `GF nonzeros 1.5`, `GF nonzeros 3`: so many features in a projection on average, however many
there are. `GF paper`: the raw score of the paper on single features, nodes of 32 rows and more, as its saved runs; `GF
text`: the raw score with a density of 1/20 and nodes of 100 rows, as its text; both with our guards against clusters of
a few nearly equal rows (a fiftieth of a node at least), without which (`GF paper, no guards`) trees are as deep as they
have rows. `Euclidean screened` and `Isomap screened` see only the columns that the screen keeps.
""".strip()


def page(table: Table) -> str:
    tables = [_part(table, part) for part in _PARTS if part in table.parts()]
    return "\n\n".join((_findings(table), *tables, _seconds(table)))


def _findings(table: Table) -> str:
    there = [method for method in OURS if method in table.methods()]
    return f"""## Findings

Precision of the nearest {K} of {ROWS[table.scale]} points, one draw of points and noise for each seed. A method is
above another where the 95 % interval of their differences, paired over seeds, lies above zero.

{_SETTINGS}

{_trees(table)} {_not_run()}

At how many of the points where it was run a setting holds; a setting that was given up early has fewer of them. Peers
are compared from {LEAST_NOISE} noise dimensions on, the mixture by both its truths. The published figures are single
means of two digits, and compared as such, without intervals:

{scores(table)}

Without noise dimensions, and under the most; the best is picked by the same means that are shown:

{extremes(table)}

What `GF screened` keeps among thousands of noise dimensions is owed to the screen, which any method can use: with it
plain distances and Isomap keep nearly all that they find without noise, too.

Where each setting fails:

{chr(10).join(exceptions(table, method) for method in there)}"""


def _trees(table: Table) -> str:
    """Write where a forest of ours had fewer trees than the others."""
    fewer = [f"{n} for {method} at {at:,g}" for (method, at), n in FEWER_TREES.items() if at in table.ats()]
    return f"Our forests have {TREES[table.scale]} trees" + (f", but {', '.join(fewer)}." if fewer else ".")


def _not_run() -> str:
    """Write what was left out for the time that it takes."""
    raw = [f"`{method}` beyond {most:,}" for method, (most, _) in MOST_NOISE.items() if most < 10_000]
    rescaled = [f"`{method}`" + (f" beyond {m:,}" if m >= 0 else "") for method, (_, m) in MOST_NOISE.items()]
    low = ", ".join(f"`{method}`" for method in NOT_AT_LOW_NOISE)
    return (
        f"Not run: of raw columns, {', '.join(raw)}, and at {LOW_NOISE[0]} to {LOW_NOISE[-1]} {low}, which take long "
        f"or had failed with less noise; of rescaled ones, {', '.join(rescaled)}. Forests that read one feature at a "
        "time and score it without units are the same for rescaled columns, but for rounding."
    )


def _part(table: Table, part: str) -> str:
    pieces = [f"## {_PARTS[part]}", "Precision by noise dimensions, mean over seeds with its 95 % interval."]
    for problem in MANIFOLDS:
        title = f"### {problem}" + (", by noise-free Euclidean distance" if problem == "mixture" else "")
        pieces += [title, _problem(table, part, problem, "precision")]
    return "\n\n".join((*pieces, "### mixture, by component", _problem(table, part, "mixture", "component")))


def _problem(table: Table, part: str, problem: str, truth: str) -> str:
    """Return the table of one problem: what is published, chance, then every method."""
    here: Selection = {"part": part, "problem": problem}
    ats = table.ats(**here)
    columns: dict[str, Selection] = {f"{at:,g}": {"at": at, **here} for at in ats}
    places = [Point(part, problem, truth, at) for at in ats]
    compared = [place for place in places if published(place, table) is not None]
    known = NOISE[problem] if compared else {}
    head = [[f"*{name}*", *(f"{row[at]:.2f}" if at in row else "" for at in ats), ""] for name, row in known.items()]
    chance = table.mean_interval(f"{truth} chance@{K}", **here)
    head += [["*chance*", *[f"{chance.mean:.3f}"] * len(ats), ""]] if chance else []
    rows = mean_rows(table, f"{truth}@{K}", each("method", table.methods(**here)), columns)
    rows = [[*row, _at_or_above(table, row[0], compared)] for row in rows]
    header = ("method", *columns, "at or above the published GF at")
    return markdown(*((header, head + rows) if compared else (header[:-1], [row[:-1] for row in head + rows])))


def _at_or_above(table: Table, method: str, compared: list[Point]) -> str:
    values = [(point, point.value(table, method), published(point, table)) for point in compared]
    held = [point.at for point, value, known in values if value and known is not None and value.mean >= known]
    return "all" if len(held) == len(compared) else ", ".join(f"{at:,g}" for at in held) or "none"


def _seconds(table: Table) -> str:
    columns: dict[str, Selection] = {f"{at:,g}": {"part": "noise", "at": at} for at in table.ats(part="noise")}
    rows = [
        [method, *(_median_seconds(table, {"method": method, **selection}) for selection in columns.values())]
        for method in table.methods()
    ]
    text = "Median seconds of a run on one thread by noise dimensions, with drawing points and comparing neighbors."
    return f"## Time\n\n{text}\n\n{markdown(('method', *columns), rows)}"


def _median_seconds(table: Table, selection: Selection) -> str:
    found = table.values("seconds", **selection)
    return f"{np.median(found):.2f}" if found.size else "-"

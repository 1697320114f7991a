"""The page of the experiment `connectome`."""

from __future__ import annotations

import math

from foliation_experiments.distances.brains import KS, PROBLEMS
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Tally, tally, written

_PUBLISHED: dict[str, dict[int, float]] = {  # precision on the right side
    "GF": {50: 0.794, 90: 0.633, 130: 0.500},
    "Isomap": {50: 0.75, 90: 0.58, 130: 0.47},
    "UMAP": {50: 0.74, 90: 0.57, 130: 0.48},
    "Euclidean": {50: 0.74, 90: 0.54, 130: 0.41},
}
_COMPARED = tuple(_PUBLISHED["GF"])
_HEADER = tuple(f"k = {k}" for k in _COMPARED)


def page(table: Table) -> str:
    there = [problem for problem in PROBLEMS if problem in table.problems()]
    return "\n\n".join((_graphs(table), _against(table), *(_values(table, problem) for problem in there)))


def _graphs(table: Table) -> str:
    """Write which of the two graphs the paper must have embedded."""
    lines = []
    for method, values in _PUBLISHED.items():
        lines.append([method, "*published*", *(f"{values[k]:.3f}" for k in _COMPARED)])
        for problem in ("right", "right unweighted"):
            found = (table.mean_interval(f"precision@{k}", problem=problem, method=method) for k in _COMPARED)
            lines.append(["", problem, *map(written, found)])
    return f"""## Which graph was embedded?

The paper says that there is an edge wherever there is a synapse. The vertices are neurons; coordinates are three scaled
singular vectors of sending and three of receiving. Edges have the number of synapses as their weight, or ("unweighted")
are there or not. Methods that draw nothing tell which of the
two the paper took: the precision of Euclidean distances differs from the published one by at most
{_gap(table, "right"):.3f} with weights and by {_gap(table, "right unweighted"):.3f} without.

{markdown(("method", "right side", *_HEADER), lines)}"""


def _gap(table: Table, problem: str) -> float:
    """Return the largest difference between the published precision of Euclidean distances and ours."""
    published = _PUBLISHED["Euclidean"]
    found = {k: table.mean_interval(f"precision@{k}", problem=problem, method="Euclidean") for k in _COMPARED}
    return max((abs(one.mean - published[k]) for k, one in found.items() if one is not None), default=math.nan)


def _against(table: Table) -> str:
    """Compare the default forest with all others at three k."""
    others = [method for method in table.methods() if method != "GF"]
    lines = [[method, *(_short(tally(table, f"precision@{k}", "GF", method)) for k in _COMPARED)] for method in others]
    return f"""## The default forest against all others

Difference of precision, GF minus the other, on average over the four graphs, which are two brains; and at how many of
them its 95 % interval, paired over seeds, lies above and below zero. Intervals cover the draws of the methods, not of
brains; methods that draw nothing have the same value for all seeds. The settings of ours other than the default were
tried on the types that judge them here.
pynndescent is left out: among so few points its neighbors are the Euclidean ones.

{markdown(("GF against", *_HEADER), lines)}"""


def _short(found: Tally) -> str:
    return f"{found.mean:+.3f} (better {found.better}, worse {found.worse})"


def _values(table: Table, problem: str) -> str:
    pieces = [f"## {problem}"]
    for name in ("precision", "recall"):
        lines = [
            [method, *(written(table.mean_interval(f"{name}@{k}", problem=problem, method=method)) for k in KS)]
            for method in table.methods(problem=problem)
        ]
        if name == "precision":
            lines += [_plain(table, problem, column) for column in ("chance", "best")]
        pieces += [f"{name.capitalize()}:", markdown(("method", *(f"k = {k}" for k in KS)), lines)]
    return "\n\n".join(pieces)


def _plain(table: Table, problem: str, column: str) -> list[str]:
    """Write what precision is by guessing, or at best."""
    found = [table.mean_interval(f"{column}@{k}", problem=problem) for k in KS]
    return [f"*{column}*", *("-" if one is None else f"{one.mean:.3f}" for one in found)]

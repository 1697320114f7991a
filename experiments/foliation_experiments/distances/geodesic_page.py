"""The page of the experiment `geodesic`."""

from __future__ import annotations

from foliation_experiments.distances.problems import MANIFOLDS, ROWS, K
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection, each, mean_rows, tally, written

_AT_K = f"precision@{K}"
_PUBLISHED = (  # figure 2 of the paper, sparse oblique splits of 1000 points
    ("*published, Fast-BIC*", "0.87", "0.88", "0.75", "0.73"),
    ("*published, Mclust-BIC*", "0.92", "0.59", "0.84", "0.82"),
    ("*published, two-means*", "0.85", "0.70", "0.79", "0.76"),
)


def page(table: Table) -> str:
    return "\n\n".join((_rules(table), _parameters(table), _affinity(table)))


def _rules(table: Table) -> str:
    methods = each("method", table.methods(part="rules"))
    columns = {problem: {"part": "rules", "problem": problem} for problem in MANIFOLDS}
    mixture = columns["mixture"]
    lines = [
        [*line, written(table.mean_interval(f"component@{K}", **mixture, **selection)), _support(table, selection)]
        for line, selection in zip(mean_rows(table, _AT_K, methods, columns), methods.values(), strict=True)
    ]
    chance = ["*chance*", *(_chance(table, "precision", problem) for problem in MANIFOLDS)]
    chance += [_chance(table, "component", "mixture"), ""]
    header = ("criterion, projections", *MANIFOLDS, "mixture, components", "features per split")
    published = [[*line, "", ""] for line in _PUBLISHED if table.scale == "full"]
    return f"""## Splitting rules without noise (figure 2)

Precision of the nearest {K} of {ROWS[table.scale]} points, mean over seeds with its 95 % interval. On the mixture the
truth is the Euclidean distance, in the next column the component. With three features a density of 1/20 draws one
feature nearly always, as the last column shows: `nonzeros 1.5` is what is oblique here. Nodes have two candidates, the
square root of three rounded; with one, as `max_features="sqrt"` has here, nothing is ranked, and the raw scores cut as
the others do.

{markdown(header, [*lines, *published, chance])}

{_oblique(table)}"""


def _support(table: Table, selection: Selection) -> str:
    found = table.mean_interval("support", part="rules", **selection)
    return "-" if found is None else f"{found.mean:.2f}"


def _chance(table: Table, name: str, problem: str) -> str:
    found = table.mean_interval(f"{name} chance@{K}", part="rules", problem=problem)
    return "-" if found is None else f"{found.mean:.3f}"


def _oblique(table: Table) -> str:
    """Write of each rule whether oblique splits do better than single features."""
    rules = dict.fromkeys(method.split(", ")[0] for method in table.methods(part="rules"))
    found = [(rule, tally(table, _AT_K, f"{rule}, nonzeros 1.5", f"{rule}, axis", part="rules")) for rule in rules]
    return "\n".join(
        ["Oblique against single features, paired over seeds:", ""]
        + [f"- `{rule}`: {result}." for rule, result in found]
    )


def _parameters(table: Table) -> str:
    parts = {"min_samples_split": "smallest node that is split", "max_features": "candidates at each node"}
    pieces = ["## Two parameters of the default GF, with 10 noise dimensions (figure 3)"]
    columns = each("problem", list(MANIFOLDS))
    for part, meaning in parts.items():
        rows: dict[str, Selection] = {f"{at:g}": {"part": part, "at": at} for at in table.ats(part=part)}
        lines = mean_rows(table, _AT_K, rows, columns)
        ranges = ["*range*", *(_range(table, part, problem) for problem in MANIFOLDS)]
        pieces += [f"`{part}`, the {meaning}:", markdown((part, *MANIFOLDS), [*lines, ranges])]
    return "\n\n".join(pieces)


def _range(table: Table, part: str, problem: str) -> str:
    """Return by how much the means of a part differ at most."""
    found = (table.mean_interval(_AT_K, part=part, problem=problem, at=at) for at in table.ats(part=part))
    means = [one.mean for one in found if one is not None]
    return f"{max(means) - min(means):.3f}" if means else "-"


def _affinity(table: Table) -> str:
    sizes = dict.fromkeys(method.split(", ")[1] for method in table.methods(part="affinity"))
    lines = [
        [size, problem, f"{at:g}", *_compared(table, size, {"problem": problem, "at": at})]
        for size in sizes
        for problem in MANIFOLDS
        for at in table.ats(part="affinity")
    ]
    verdicts = [
        f"- `min_samples_split={size}`: {tally(table, _AT_K, f'depth, {size}', f'leaf, {size}', part='affinity')}."
        for size in sizes
    ]
    header = ("min_samples_split", "manifold", "noise dimensions", "leaf", "depth", "depth - leaf", "by the interval")
    return "\n\n".join(
        (
            "## Does the depth of the common ancestor do better than common leaves?",
            '`affinity="depth"` against `affinity="leaf"`, paired over seeds, by the 95 % interval of the difference:',
            "\n".join(verdicts),
            markdown(header, lines),
        )
    )


def _compared(table: Table, size: str, selection: Selection) -> tuple[str, ...]:
    here = {"part": "affinity", **selection}
    depth, leaf = f"depth, {size}", f"leaf, {size}"
    found = table.difference(_AT_K, depth, leaf, **here)
    better, worse = table.better(_AT_K, depth, leaf, **here), table.better(_AT_K, leaf, depth, **here)
    means = (written(table.mean_interval(_AT_K, method=name, **here)) for name in (leaf, depth))
    return *means, written(found), "depth" if better else "leaf" if worse else "neither"

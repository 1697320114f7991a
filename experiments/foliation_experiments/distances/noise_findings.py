"""What the runs of the experiment `noise` allow to be said: against the paper, and against the peers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from foliation_experiments.distances.noise_methods import OURS, PEERS, SCREENED
from foliation_experiments.distances.problems import MANIFOLDS, K
from foliation_experiments.distances.published import NOISE
from foliation_experiments.harness import markdown
from foliation_experiments.harness.table import Interval, Table

LEAST_NOISE = 10  # dimensions from which on ours should be above every peer
_MOST_NAMED = 8  # points that are named; of more only the number is given


@dataclass(frozen=True)
class Point:
    """One problem by one of its truths, under so many noise dimensions."""

    part: str
    problem: str
    truth: str
    at: float

    def __str__(self) -> str:
        components = ", components," if self.truth == "component" else ""
        return f"{self.problem}{components} at {self.at:,g}" + (" rescaled" if self.part == "rescaled" else "")

    def where(self) -> dict[str, Any]:
        return {"part": self.part, "problem": self.problem, "at": self.at}

    def value(self, table: Table, method: str) -> Interval | None:
        return table.mean_interval(f"{self.truth}@{K}", method=method, **self.where())

    def unbeaten(self, table: Table, method: str, rivals: Sequence[str]) -> list[str]:
        """Return the rivals that a method is not above by the paired interval; those without runs are left out."""
        there = [name for name in rivals if self.value(table, name) is not None]
        return [name for name in there if not table.better(f"{self.truth}@{K}", method, name, **self.where())]


def points(table: Table, part: str, least: float = 0) -> Iterator[Point]:
    """Return the points of a part from so many noise dimensions on, the mixture by both its truths."""
    for problem in MANIFOLDS:
        for truth in ("precision", "component") if problem == "mixture" else ("precision",):
            for at in table.ats(part=part, problem=problem):
                if at >= least:
                    yield Point(part, problem, truth, at)


def below_published(table: Table, method: str) -> tuple[list[str], int]:
    """Return the points where the mean of a method is below the published GF, and how many were compared."""
    compared = [
        (str(point), value.mean < known)
        for point in points(table, "noise")
        if (known := published(point, table)) is not None and (value := point.value(table, method)) is not None
    ]
    return [name for name, below in compared if below], len(compared)


def published(point: Point, table: Table) -> float | None:
    """Return what the paper has for the GF, which is on raw columns of 1000 points, with Euclidean truth."""
    if table.scale != "full" or point.part != "noise" or point.truth != "precision":
        return None
    return NOISE[point.problem]["published GF"].get(point.at)


def not_above(table: Table, method: str, part: str, rivals: Sequence[str]) -> tuple[list[str], int]:
    """Return the points with noise where some rival is not beaten, naming it, and how many were compared."""
    there = [
        point
        for point in points(table, part, LEAST_NOISE)
        if point.value(table, method) is not None and any(point.value(table, name) is not None for name in rivals)
    ]
    found = [(point, point.unbeaten(table, method, rivals)) for point in there]
    texts = {str(point): "all" if len(names) == len(rivals) else ", ".join(names) for point, names in found if names}
    return [f"{point} ({text})" for point, text in texts.items()], len(there)


def scores(table: Table) -> str:
    """Return a table of how many points each of our settings holds."""
    header = ("setting", "at or above the published GF", "above every peer", "the same, rescaled", "screened peers too")
    return markdown.table(header, [_score(table, method) for method in OURS if method in table.methods()])


def _score(table: Table, method: str) -> tuple[str, ...]:
    claims = [
        below_published(table, method),
        *(not_above(table, method, part, PEERS) for part in ("noise", "rescaled")),
    ]
    screened = [not_above(table, method, part, (*PEERS, *SCREENED)) for part in ("noise", "rescaled")]
    claims.append((screened[0][0] + screened[1][0], screened[0][1] + screened[1][1]))
    return (method, *(f"{total - len(failed)} of {total}" if total else "-" for failed, total in claims))


def exceptions(table: Table, method: str) -> str:
    """Write where a setting fails what the scores count."""
    parts = [not_above(table, method, part, PEERS) for part in ("noise", "rescaled")]
    unbeaten = parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]
    below = below_published(table, method)
    published_too = f"Below the published GF: {_named(*below)}. " if below[1] else ""
    return f"- {method}: {published_too}Not above every peer: {_named(*unbeaten)}."


def _named(failed: list[str], total: int) -> str:
    return "; ".join(failed) or "nowhere" if len(failed) <= _MOST_NAMED else f"{len(failed)} of {total} points"


def extremes(table: Table) -> str:
    """Return a table of the best of ours and of the others under the least and the most noise dimensions."""
    rows = []
    for part in table.parts():
        ends = table.ats(part=part)[:: max(1, len(table.ats(part=part)) - 1)]
        for point in (point for point in points(table, part) if point.at in ends):
            best = [text for methods in (OURS, PEERS, SCREENED) for text in _best(table, point, methods)]
            rows.append((str(point), *best, _plain(published(point, table))))
    header = ("point", "best of ours", "", "best peer", "", "best screened peer", "", "published GF")
    return markdown.table(header, rows)


def _best(table: Table, point: Point, methods: Iterable[str]) -> tuple[str, str]:
    found = {name: value for name in methods if (value := point.value(table, name)) is not None}
    best = max(found, key=lambda name: found[name].mean, default="-")
    return best, str(found[best]) if found else "-"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"

"""What we want to reach against the peers, as data, and whether it is reached."""

from __future__ import annotations

from dataclasses import dataclass

from foliation_benchmarks.contenders import (
    AXIS,
    GEODESIC,
    GEODESIC_EXACT,
    PATCHES,
    RERF_PATCHES,
    SCIKIT_LEARN,
    SPARSE,
    TREEPLE_GEODESIC,
    TREEPLE_OBLIQUE,
    TREEPLE_PATCHES,
    YDF_AXIS,
    YDF_OBLIQUE,
    Contender,
)
from foliation_benchmarks.geodesic import NARROW, WIDE
from foliation_benchmarks.summary import difference_in_work, error_rate, less_accurate, ratio, rounds
from foliation_experiments.harness.table import Table

HELD, MISSED, NOT_MEASURED, NOT_COMPARABLE = "held", "missed", "not measured", "NOT COMPARABLE"
NOT_CHOSEN = "not part of this run"  # why something was not measured


@dataclass(frozen=True)
class Verdict:
    """One line of the last table."""

    target: str
    where: str
    measured: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True)
class SpeedTarget:
    """How many times faster than a peer we want to be, at equal work and no worse error."""

    ours: Contender
    peer: Contender
    workloads: tuple[str, ...]
    fit: float
    predict: float | None = None  # None: nothing is wanted


_GRIDS = ("circle", "impulse", "bars", "MNIST 5k", "MNIST 60k")
_SPARSE = ("sparse parity", "tabular", "MNIST 5k", "MNIST 60k")
_ALL = ("circle", "impulse", "bars", "sparse parity", "tabular", "MNIST 5k", "MNIST 60k")
_NARROW = tuple(workload.name for workload in NARROW)

SPEED = (
    SpeedTarget(PATCHES, TREEPLE_PATCHES, _GRIDS, 10, 5),
    SpeedTarget(PATCHES, RERF_PATCHES, _GRIDS, 15, 5),
    SpeedTarget(PATCHES, SCIKIT_LEARN, _GRIDS, 3, 2),
    SpeedTarget(SPARSE, TREEPLE_OBLIQUE, _SPARSE, 8, 5),
    SpeedTarget(SPARSE, YDF_OBLIQUE, _SPARSE, 4, 4),
    SpeedTarget(AXIS, SCIKIT_LEARN, _ALL, 4, 3),
    SpeedTarget(AXIS, YDF_AXIS, _ALL, 4, 2),
    SpeedTarget(GEODESIC, TREEPLE_GEODESIC, tuple(workload.name for workload in WIDE), 50),
    SpeedTarget(GEODESIC, TREEPLE_GEODESIC, _NARROW, 20),
    SpeedTarget(GEODESIC_EXACT, TREEPLE_GEODESIC, _NARROW, 20),
)


def speed_verdicts(results: Table) -> list[Verdict]:
    return [
        decide(results, target, workload, what, least)
        for target in SPEED
        for workload in target.workloads
        for what, least in (("fit", target.fit), ("predict", target.predict))
        if least is not None
    ]


def decide(results: Table, target: SpeedTarget, workload: str, what: str, least: float) -> Verdict:
    """Decide one target on one workload: the median of the ratios by round must reach it."""
    name = f"{what}: {target.ours.name} at least {least:g}x {target.peer.name}"
    measured_ratio = ratio(results, workload, target.ours.name, target.peer.name, f"{what}_seconds")
    if measured_ratio is None:
        return Verdict(name, workload, "", NOT_MEASURED, _why_not(results, workload, target.peer))
    measured = f"{measured_ratio.median:.2f}x ({measured_ratio.low:.2f} to {measured_ratio.high:.2f})"
    unequal = _differences(results, workload, target)
    if unequal:
        return Verdict(name, workload, measured, NOT_COMPARABLE, unequal)
    if _worse(results, workload, target):
        return Verdict(name, workload, measured, MISSED, "our error is higher")
    return Verdict(name, workload, measured, HELD if measured_ratio.median >= least else MISSED)


def _differences(results: Table, workload: str, target: SpeedTarget) -> str:
    mine = rounds(results, workload, target.ours.name)
    theirs = rounds(results, workload, target.peer.name)
    differences = (difference_in_work(mine[number], theirs[number]) for number in mine if number in theirs)
    return next((text for text in differences if text), "")


def _worse(results: Table, workload: str, target: SpeedTarget) -> bool:
    mine, theirs = (
        error_rate(rounds(results, workload, name).values()) for name in (target.ours.name, target.peer.name)
    )
    return less_accurate(mine, theirs)


def _why_not(results: Table, workload: str, peer: Contender) -> str:
    rows = results.where(problem=workload, method=peer.name)
    reasons = (row.get("failed") or row.get("skipped") for row in rows)
    return next((reason for reason in reasons if reason), NOT_CHOSEN)

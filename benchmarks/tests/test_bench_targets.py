"""Which targets hold: decided from made-up runs."""

from __future__ import annotations

from typing import Any

import pytest
from made_up import table

from foliation_benchmarks import limits, scale, targets, values
from foliation_benchmarks.contenders import (
    CONTENDERS,
    HONEST_PATCHES,
    HONEST_SPARSE,
    PATCHES,
    SPARSE,
    TREEPLE_PATCHES,
)
from foliation_benchmarks.limits import LIMITS
from foliation_benchmarks.targets import HELD, MISSED, NOT_COMPARABLE, NOT_MEASURED, SPEED, SpeedTarget
from foliation_benchmarks.workloads import HONESTY, NEIGHBORS, WORKLOADS
from foliation_experiments.harness.table import Table

TARGET = SpeedTarget(PATCHES, TREEPLE_PATCHES, ("circle",), 10, 5)


def results(ours: float, peer: float, **peers: Any) -> Table:
    shared = {"error": 0.1, "n_test": 10_000, "trees": 10, "effective": 50.0}
    mine, theirs = {"fit_seconds": ours, **shared}, {"fit_seconds": peer, **shared, **peers}
    return table({("circle", PATCHES.name, 0): mine, ("circle", TREEPLE_PATCHES.name, 0): theirs})


@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (results(1.0, 10.0), HELD),
        (results(1.0, 9.99), MISSED),
        (results(1.0, 20.0, error=0.05), MISSED),
        (results(1.0, 20.0, error=0.15), HELD),
        (results(1.0, 20.0, effective=40.0), NOT_COMPARABLE),
        (results(1.0, 20.0, trees=9), NOT_COMPARABLE),
        (table({}), NOT_MEASURED),
    ],
)
def test_decisions(found: Table, outcome: str) -> None:
    assert targets.decide(found, TARGET, "circle", "fit", 10).outcome == outcome


def test_what_was_not_measured_says_why() -> None:
    for kind, reason in (("skipped", "treeple (no wheel)"), ("failed", "MemoryError")):
        found = table({("circle", TREEPLE_PATCHES.name, 0): {kind: reason}})
        assert targets.decide(found, TARGET, "circle", "fit", 10).reason == reason


def test_every_target_speaks_of_contenders_that_run_on_its_workloads() -> None:
    by_name = {workload.name: workload for workload in WORKLOADS}
    for target in SPEED:
        for name in target.workloads:
            assert {target.ours, target.peer} <= set(by_name[name].contenders)


def test_nothing_is_held_that_was_not_measured() -> None:
    verdicts = [*targets.speed_verdicts(table({})), *limits.limit_verdicts(table({}))]
    assert {verdict.outcome for verdict in verdicts} == {NOT_MEASURED}
    assert all(verdict.reason for verdict in verdicts)


def points(scaling: scale.Scaling, contender: str, fields: list[dict[str, float]]) -> Table:
    both = zip(scaling.points, fields, strict=True)
    return table({(point.name, contender, 0): {"threads": 1, **found} for point, found in both})


def test_growth_is_the_worst_factor_for_twice_the_rows() -> None:
    seconds = [{"fit_seconds": value} for value in (1.0, 10.0, 100.0, 100.0 * 2.5**3.321928)]
    assert values.doubling(points(scale.ROWS, SPARSE.name, seconds)) == pytest.approx(2.5)


def test_factors_over_features_areas_and_threads() -> None:
    per_pair = [{"fit_seconds": s, "pairs": 1e6} for s in (1.0, 2.0, 2.0, 3.0, 8.0)]
    assert values.features_factor(points(scale.FEATURES, SPARSE.name, per_pair)) == pytest.approx(4.0)
    assert values.area_factor(points(scale.AREA, PATCHES.name, per_pair)) == pytest.approx(8.0)
    two = [{"fit_seconds": 3.9}, {"fit_seconds": 2.0}]
    assert values.thread_factor(points(scale.THREADS, PATCHES.name, two)) == pytest.approx(1.95)


def test_what_honesty_costs_is_what_the_dearer_family_pays() -> None:
    seconds = {SPARSE: 1.0, HONEST_SPARSE: 0.5, PATCHES: 2.0, HONEST_PATCHES: 3.0}
    found = table({(HONESTY.name, who.name, 0): {"fit_seconds": s} for who, s in seconds.items()})
    assert values.honest_ratio(found) == pytest.approx(1.5)


def test_neighbors_against_the_fit_and_against_their_growth() -> None:
    both = zip(NEIGHBORS, (0.075, 1.0, 25.0), strict=True)
    runs = {(work.name, SPARSE.name, 0): {"fit_seconds": 5.0, "neighbors_seconds": seconds} for work, seconds in both}
    found = table(runs)
    assert values.neighbors_ratio(found) == pytest.approx(5.0)
    assert values.neighbors_growth(found) == pytest.approx(2.0)


def test_latency_counts_only_with_500_trees_and_against_the_fastest_peer() -> None:
    peers = enumerate(name for name, who in CONTENDERS.items() if who.environment)
    runs = {("circle", peer, 0): {"trees": 500, "latency_ms": 0.2 + number} for number, peer in peers}
    ours = ("circle", PATCHES.name, 0)
    found = table({**runs, ours: {"trees": 500, "latency_ms": 0.1}})
    assert values.latency_ratio(found) == pytest.approx(2.0)
    assert limits.decide(LIMITS[0], found).outcome == HELD
    fewer = table({**runs, ours: {"trees": 100, "latency_ms": 0.1}})
    assert limits.decide(LIMITS[0], fewer).outcome == NOT_MEASURED

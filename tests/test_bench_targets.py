"""Which targets hold: decided from made-up runs."""

from __future__ import annotations

from typing import Any

import pytest

from foliation.bench import limits, scale, targets, values
from foliation.bench.contenders import (
    CONTENDERS,
    HONEST_PATCHES,
    HONEST_SPARSE,
    PATCHES,
    SPARSE,
    TREEPLE_PATCHES,
)
from foliation.bench.limits import LIMITS
from foliation.bench.results import Results
from foliation.bench.targets import HELD, MISSED, NOT_COMPARABLE, NOT_MEASURED, SPEED, SpeedTarget
from foliation.bench.workloads import HONESTY, NEIGHBORS, WORKLOADS

TARGET = SpeedTarget(PATCHES, TREEPLE_PATCHES, ("circle",), 10, 5)


def results(ours: float, peer: float, **peers: Any) -> Results:
    shared = {"error": 0.1, "n_test": 10_000, "trees": 10, "effective": 50.0}
    mine, theirs = {"fit_seconds": ours, **shared}, {"fit_seconds": peer, **shared, **peers}
    return Results({}, {("circle", PATCHES.name, 0): mine, ("circle", TREEPLE_PATCHES.name, 0): theirs})


@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (results(1.0, 10.0), HELD),
        (results(1.0, 9.99), MISSED),
        (results(1.0, 20.0, error=0.05), MISSED),
        (results(1.0, 20.0, error=0.15), HELD),
        (results(1.0, 20.0, effective=40.0), NOT_COMPARABLE),
        (results(1.0, 20.0, trees=9), NOT_COMPARABLE),
        (Results({}), NOT_MEASURED),
    ],
)
def test_decisions(found: Results, outcome: str) -> None:
    assert targets.decide(found, TARGET, "circle", "fit", 10).outcome == outcome


def test_what_was_not_measured_says_why() -> None:
    found = Results({}, skipped={"treeple": "no wheel"})
    assert targets.decide(found, TARGET, "circle", "fit", 10).reason == "no wheel"
    found.runs["circle", TREEPLE_PATCHES.name, 0] = {"failed": "MemoryError"}
    assert targets.decide(found, TARGET, "circle", "fit", 10).reason == "MemoryError"


def test_every_target_speaks_of_contenders_that_run_on_its_workloads() -> None:
    by_name = {workload.name: workload for workload in WORKLOADS}
    for target in SPEED:
        for name in target.workloads:
            assert {target.ours, target.peer} <= set(by_name[name].contenders)


def test_nothing_is_held_that_was_not_measured() -> None:
    verdicts = [*targets.speed_verdicts(Results({})), *limits.limit_verdicts(Results({}))]
    assert {verdict.outcome for verdict in verdicts} == {NOT_MEASURED}
    assert all(verdict.reason for verdict in verdicts)


def points(experiment: scale.Experiment, contender: str, fields: list[dict[str, float]]) -> Results:
    both = zip(experiment.points, fields, strict=True)
    return Results({}, {(point.name, contender, 0): {"threads": 1, **found} for point, found in both})


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
    found = Results({}, {(HONESTY.name, who.name, 0): {"fit_seconds": s} for who, s in seconds.items()})
    assert values.honest_ratio(found) == pytest.approx(1.5)


def test_neighbours_against_the_fit_and_against_their_growth() -> None:
    found = Results({})
    for workload, seconds in zip(NEIGHBORS, (0.075, 1.0, 25.0), strict=True):
        found.runs[workload.name, SPARSE.name, 0] = {"fit_seconds": 5.0, "neighbors_seconds": seconds}
    assert values.neighbors_ratio(found) == pytest.approx(5.0)
    assert values.neighbors_growth(found) == pytest.approx(2.0)


def test_latency_counts_only_with_500_trees_and_against_the_fastest_peer() -> None:
    found = Results({}, {("circle", PATCHES.name, 0): {"trees": 500, "latency_ms": 0.1}})
    for number, peer in enumerate(name for name, who in CONTENDERS.items() if who.environment):
        found.runs["circle", peer, 0] = {"trees": 500, "latency_ms": 0.2 + number}
    assert values.latency_ratio(found) == pytest.approx(2.0)
    assert limits.decide(LIMITS[0], found).outcome == HELD
    found.runs["circle", PATCHES.name, 0]["trees"] = 100
    assert limits.decide(LIMITS[0], found).outcome == NOT_MEASURED

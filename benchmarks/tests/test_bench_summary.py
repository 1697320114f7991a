"""Ratios by round, intervals, equal work."""

from __future__ import annotations

import pytest
from made_up import table

from foliation_benchmarks import summary
from foliation_benchmarks.page import failures


def run(fit: float, error: float = 0.1, trees: int = 10, effective: float = 20.0) -> dict[str, object]:
    return {
        "fit_seconds": fit,
        "predict_seconds": fit / 2,
        "error": error,
        "n_test": 10_000,
        "trees": trees,
        "effective": effective,
        "threads": 2,
        "pairs": 1e9,
    }


def test_a_ratio_is_taken_round_by_round() -> None:
    ours, peer = [1.0, 2.0, 4.0], [10.0, 10.0, 60.0]
    seconds = {"us": ours, "them": peer}
    results = table({("w", who, number): run(value) for who in seconds for number, value in enumerate(seconds[who])})
    assert summary.ratio(results, "w", "us", "them", "fit_seconds") == summary.Spread(10.0, 5.0, 15.0)


def test_failed_and_unfinished_rounds_do_not_enter_a_ratio() -> None:
    results = table({("w", "us", 0): run(1.0), ("w", "us", 1): run(1.0), ("w", "them", 1): {"failed": "why"}})
    assert summary.ratio(results, "w", "us", "them", "fit_seconds") is None
    assert failures(results) == [("w", "them", "2", "why")]


def test_the_interval_of_an_error_is_wilsons() -> None:
    found = summary.error_rate([run(1.0, error=0.0), run(1.0, error=0.2)])
    assert found is not None
    assert (found.mean, found.n_test) == (0.1, 10_000)
    assert (found.low, found.high) == pytest.approx((0.09427, 0.10604), abs=1e-5)


def test_no_errors_leave_a_one_sided_interval() -> None:
    found = summary.error_rate([run(1.0, error=0.0)])
    assert found is not None
    assert found.low == 0.0
    assert 0 < found.high < 0.001


@pytest.mark.parametrize(("ours", "worse"), [(0.1, False), (0.105, False), (0.12, True), (0.05, False)])
def test_less_accurate_means_beyond_the_interval_of_the_difference(ours: float, worse: bool) -> None:
    rates = [summary.error_rate([run(1.0, error=error)]) for error in (ours, 0.1)]
    assert summary.less_accurate(*rates) is worse


def test_work_is_the_same_within_five_per_cent_of_effective_candidates() -> None:
    assert summary.difference_in_work(run(1), run(1, effective=20.9)) == ""
    assert summary.difference_in_work(run(1), run(1, effective=15.6)) == "15.6 effective candidates against 20.0"
    assert summary.difference_in_work(run(1), run(1, trees=9)) == "9 trees against 10"


def test_nanoseconds_are_those_of_all_threads_together() -> None:
    assert summary.nanoseconds(run(3.0), "fit_seconds", "pairs") == pytest.approx(6.0)
    assert summary.nanoseconds(run(3.0), "fit_seconds", "visits") is None

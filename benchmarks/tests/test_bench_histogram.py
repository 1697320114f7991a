"""Quantiles of times that are counted in intervals, against those of all times."""

from __future__ import annotations

import numpy as np
import pytest

from foliation_benchmarks.worker.histogram import Histogram, merged

TIMES = np.random.default_rng(0).lognormal(10.0, 2.0, 20_000).astype(np.int64)


def of(numbers: list[int]) -> Histogram:
    histogram = Histogram()
    for number in numbers:
        histogram.add(number)
    return histogram


@pytest.mark.parametrize("share", [0.001, 0.5, 0.99, 0.999])
def test_quantiles_are_known_to_within_one_percent(share: float) -> None:
    exact = np.quantile(TIMES, share, method="inverted_cdf")
    assert exact <= of(TIMES.tolist()).quantile(share) <= 1.01 * exact


def test_the_largest_number_is_exact() -> None:
    assert of([3, 10**12 + 1, 17]).quantile(1.0) == 10**12 + 1


@pytest.mark.parametrize("number", [0, 1, 127, 128, 129, 255, 256, 257, 2**40 - 1, 2**40, 2**62 - 1])
def test_each_number_is_within_its_interval(number: int) -> None:
    histogram = of([number, 2**62 - 1])
    assert number <= histogram.quantile(0.5) <= number + number // 128


def test_parts_count_together() -> None:
    whole = merged([of(TIMES[:100].tolist()), of(TIMES[100:].tolist())])
    assert whole.n == len(TIMES)
    assert whole.counts == of(TIMES.tolist()).counts

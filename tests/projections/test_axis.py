"""Single features."""

from __future__ import annotations

from itertools import permutations

import pytest
from frequencies import (
    assert_frequencies,
    feature,
    node_of,
    uniform_on,
)

from foliation import Axis

N = 20000


def test_features_are_equally_likely() -> None:
    found = (node_of(Axis(), (7,), key, 1)[0] for key in range(N))
    assert_frequencies(found, uniform_on(map(feature, range(7))))


@pytest.mark.parametrize("count", [2, 3, 4])
def test_all_orders_of_features_in_a_node_are_equally_likely(count: int) -> None:
    found = (tuple(node_of(Axis(), (4,), key, count)) for key in range(N))
    assert_frequencies(found, uniform_on(permutations(map(feature, range(4)), count)))


def test_a_node_runs_out_of_features() -> None:
    assert sorted(node_of(Axis(), (5,), key=1, count=9)) == [feature(number) for number in range(5)]

"""Simulated recordings of subjects with one of two outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from foliation.simulations import surgical_outcome
from foliation.simulations._common import Floats, Labels

Draw = tuple[Floats, Labels, Labels]


@pytest.fixture(scope="module")
def drawn() -> Draw:
    return surgical_outcome(400, random_state=0)


def test_shapes_and_types(drawn: Draw) -> None:
    X, y, subject = drawn
    assert X.shape == (len(y), 20, 105) and X.dtype == np.float64 and X.flags.c_contiguous
    assert y.dtype == subject.dtype == np.int64 and len(subject) == len(y)


def test_subjects_have_two_to_five_recordings_and_one_outcome(drawn: Draw) -> None:
    _, y, subject = drawn
    assert set(np.bincount(subject)) == {2, 3, 4, 5}
    np.testing.assert_array_equal(y, subject % 2)


def test_the_default_has_the_subjects_of_the_paper() -> None:
    assert len(np.unique(surgical_outcome(random_state=0)[2])) == 91


def test_recordings_of_a_subject_are_alike(drawn: Draw) -> None:
    X, _, subject = drawn
    levels = X[:, :10].mean(axis=1)
    pairs = np.flatnonzero(subject[1:] == subject[:-1])
    others = np.flatnonzero(subject[1:] != subject[:-1])
    same, apart = (np.square(levels[at] - levels[at + 1]).mean() for at in (pairs, others))
    assert same < 0.8 * apart


def test_courses_are_smooth(drawn: Draw) -> None:
    levels = drawn[0][:, 10:].mean(axis=1)
    assert np.diff(levels, axis=1).var() < 0.5 * levels.var()


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    first, again, other = (surgical_outcome(5, random_state=seed)[0] for seed in (3, np.random.default_rng(3), 4))
    np.testing.assert_array_equal(first, again)
    assert first.shape != other.shape or not np.array_equal(first, other)


@pytest.mark.parametrize("n", [0, -1, 2.5, "10", True, None])
def test_bad_n(n: object) -> None:
    with pytest.raises(ValueError, match=r"^n is .*; it must be an integer of at least 1$"):
        surgical_outcome(n)  # type: ignore[arg-type]

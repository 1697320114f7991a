"""What all simulations share: checks of their arguments, labels, and two functions of probability."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from foliation.simulations._common import alternating_labels, as_rows, check_size, logistic, normal_cdf


@pytest.mark.parametrize("value", [1, 5, np.int8(3), np.uint64(5)])
def test_integers_in_range_are_sizes(value: Any) -> None:
    check_size("n", value, most=5)


@pytest.mark.parametrize("value", [0, 6, -1, 2.0, np.float64(3), True, np.bool_(True), "3", None, [3]])
def test_everything_else_is_refused_by_name_and_value(value: Any) -> None:
    message = f"n is {value!r}; it must be an integer from 1 to 5"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        check_size("n", value, most=5)


def test_a_size_may_have_no_upper_bound_and_another_lower_one() -> None:
    check_size("n", 10**12)
    check_size("n", 0, least=0)
    with pytest.raises(ValueError, match=r"^n is -1; it must be an integer of at least 0$"):
        check_size("n", -1, least=0)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_labels_alternate_from_zero(n: int) -> None:
    labels = alternating_labels(n)
    assert labels.dtype == np.int64 and labels.tolist() == [0, 1, 0, 1, 0, 1, 0][:n]


def test_rows_are_a_matrix_of_floats() -> None:
    found = as_rows([[1, 2], [3, 4]])
    assert found.dtype == np.float64 and found.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert as_rows(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("X", [[1.0, 2.0], np.zeros((3, 0)), np.zeros((2, 2, 2)), 5.0], ids=np.shape)
def test_other_shapes_are_refused(X: Any) -> None:
    message = f"X has shape {np.shape(X)}; it must have two dimensions and at least one column"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        as_rows(X)


def test_the_logistic_function_is_that_of_scipy_and_never_overflows() -> None:
    z = np.concatenate([np.linspace(-40, 40, 1001), [-1e4, 1e4, -np.inf, np.inf]])
    with np.errstate(all="raise", under="ignore"):
        found = logistic(z)
    np.testing.assert_allclose(found, expit(z), rtol=1e-12)
    assert found[-4:].tolist() == [0.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("z", [-8.0, -1.96, 0.0, 0.5, 3.0, 40.0, math.inf, -math.inf])
def test_the_normal_distribution_is_that_of_scipy(z: float) -> None:
    assert normal_cdf(z) == pytest.approx(norm.cdf(z), abs=1e-15)

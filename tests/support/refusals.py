"""What tests of bad input share: small data, small forests, and how a complaint must look."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest
from numpy.typing import NDArray

from foliation import ForestClassifier, ForestRegressor, _core

X: NDArray[np.float64] = np.random.default_rng(0).normal(size=(20, 6))
IMAGES = X.reshape(20, 2, 3)
Y = np.arange(20) % 2
Table = list[tuple[Any, str]]  # what is wrong, and the pattern of the complaint


def classifier(**parameters: Any) -> ForestClassifier:
    return ForestClassifier(**({"n_estimators": 3, "random_state": 0} | parameters))


def regressor(**parameters: Any) -> ForestRegressor:
    return ForestRegressor(**({"n_estimators": 3, "random_state": 0} | parameters))


def assert_refused(call: Callable[[], object], pattern: str) -> None:
    """Assert that a call is refused in one line, before any tree is grown or walked."""
    work = dict.fromkeys(("grow", "Router", "importance"), mock.DEFAULT)
    with mock.patch.multiple(_core, **work) as core, pytest.raises((ValueError, TypeError)) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert re.search(pattern, message), message
    assert not any(function.called for function in core.values()), "the core was put to work"

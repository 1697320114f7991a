"""Data that many tests share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Close the figures of a test, so that none counts those of another."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def digits() -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Return 1,797 images of digits as bytes, and what they show."""
    data = load_digits()
    return data.images.astype(np.uint8), data.target

"""Data that many tests share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits


@pytest.fixture(scope="session")
def digits() -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Return 1,797 images of digits as bytes, and what they show."""
    data = load_digits()
    return data.images.astype(np.uint8), data.target

"""Warnings that point at the user's line, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import sklearn

_PACKAGES = tuple(str(Path(file).parent) for file in (__file__, sklearn.__file__))


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the innermost caller outside this package and scikit-learn."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGES):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)

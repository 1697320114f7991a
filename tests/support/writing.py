"""What a test writes into a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO


def writes(text: bytes) -> Callable[[BinaryIO], object]:
    """Return a function that writes a text into an open file."""
    return lambda file: file.write(text)

"""Ctrl-C at any line of the package."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import foliation as fo

_PACKAGE = str(Path(fo.__file__).parent)


@contextmanager
def interrupted_after(n_lines: int) -> Iterator[None]:
    """Raise KeyboardInterrupt when so many lines of the package have been run; within the core nothing is raised."""
    n_left = n_lines

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal n_left
        if not frame.f_code.co_filename.startswith(_PACKAGE):
            return None
        if event == "line":
            n_left -= 1
            if n_left == 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)

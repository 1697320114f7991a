"""Ctrl-C at any line of the package, or within any call of the core; always at the same place."""

from __future__ import annotations

import ctypes
import inspect
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from operator import call
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

import foliation as fo
from foliation import _core

_PACKAGE = str(Path(fo.__file__).parent)


@dataclass
class Steps:
    """Counts lines, or calls of the core, and says which of them to interrupt."""

    interrupted: int  # from 1; 0: none
    done: int = 0

    def next_is_interrupted(self) -> bool:
        self.done += 1
        return self.done == self.interrupted


Interrupting = Callable[[int], AbstractContextManager[Steps]]


@contextmanager
def interrupted_at_line(number: int) -> Iterator[Steps]:
    """Raise KeyboardInterrupt before this line of the package, counting the lines as they run."""
    steps = Steps(number)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(_PACKAGE):
            return None
        if event == "line" and steps.next_is_interrupted():
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before)


@contextmanager
def interrupted_in_core(number: int) -> Iterator[Steps]:
    """Press Ctrl-C as this call of the core begins, which hears it when it looks for signals, at its end at least."""
    steps = Steps(number)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it ignored in the background
    try:
        with ExitStack() as patches:
            for owner, name, function in _functions_of_the_core():
                patches.enter_context(mock.patch.object(owner, name, _pressing(steps, function)))
            yield steps
    finally:
        signal.signal(signal.SIGINT, handler)


def _functions_of_the_core() -> list[tuple[Any, str, Any]]:
    owners = [_core, *(found for found in vars(_core).values() if inspect.isclass(found))]
    return [
        (owner, name, function)
        for owner in owners
        for name, function in vars(owner).items()
        if type(function).__name__ in ("nb_func", "nb_method") and not name.startswith("__")
    ]


def _pressing(steps: Steps, function: Any) -> Callable[..., Any]:
    def pressed(*args: Any, **options: Any) -> Any:
        if not steps.next_is_interrupted():
            return function(*args, **options)
        # No line of Python runs between the two calls, so that Python cannot hear Ctrl-C before the core does.
        calls: list[Callable[[], Any]] = [ctypes.pythonapi.PyErr_SetInterrupt, partial(function, *args, **options)]
        return list(map(call, calls))[1]

    return pressed


def n_steps(interrupting: Interrupting, work: Callable[[], object]) -> int:
    """Return how many lines of the package, or calls of the core, some work takes once all is imported and cached."""
    work()
    with interrupting(0) as steps:
        work()
    return steps.done

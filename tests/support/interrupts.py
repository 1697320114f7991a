"""Ctrl-C, pressed while something runs."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest
from threads import native_threads

AFTER = 0.3  # seconds after which it is pressed


def interrupted(work: Callable[[], object]) -> float:
    """Run something, again if it is short, until Ctrl-C is pressed; return the CPU seconds until it was heard."""
    before = native_threads()
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it ignored in the background
    timer = threading.Timer(AFTER, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            while not pressed:
                work()
            timer.join()
        took = time.process_time() - pressed[0]
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, handler)
    assert native_threads() == before
    return took

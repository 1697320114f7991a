"""Run the calls in processes that may not take more memory than they have, but for some bytes.

    python run_without_memory.py BYTES BYTES ...

Every process first takes all that is left of its own. A call must raise an error that says so or have the right result.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memory_calls import bits, calls

DONE, REFUSED = 0, 1
CALLS = ("fit", "predict", "kneighbors", "load", "save")


def leave(n_bytes: int) -> list[bytearray]:
    """Take all memory that this process may have but n_bytes; return what holds it."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    held: list[bytearray] = []
    for block in (1 << 20, 1 << 16, 1 << 12, 1 << 10, 400, 100):
        try:
            while True:
                held.append(bytearray(block))
        except MemoryError:
            pass
    while n_bytes > 0 and held:
        n_bytes -= len(held.pop(0))
    return held


def run(n_bytes: int, call: Callable[[], Any], expected: bytes) -> int:
    """Return how a child process with that little memory ended."""
    child = os.fork()
    if child > 0:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(60)
    end = 3
    try:
        held = leave(n_bytes)
        result = call()
        held.clear()
        end = DONE if bits(result) == expected else 2
    except MemoryError:
        end = REFUSED
    except Exception:
        end = 4
    finally:
        os._exit(end)


def main(limits: list[int]) -> None:
    ends = []
    all_calls = calls()
    for name in CALLS:
        call = all_calls[name]
        expected = bits(call())
        for n_bytes in limits:
            ends.append(run(n_bytes, call, expected))
            assert ends[-1] in (DONE, REFUSED), f"{name} with {n_bytes} bytes ended with {ends[-1]}"
    assert DONE in ends and REFUSED in ends
    print(f"{len(ends)} calls with little memory: {ends.count(DONE)} done, {ends.count(REFUSED)} refused")


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]])

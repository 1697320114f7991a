"""Run the calls with every allocation of C++ failing in turn; to be started with failing_new.cpp preloaded.

    python run_failing_new.py LIBRARY [STEP]

The n-th allocation fails, for n = 1, 1 + STEP, ... until a call makes fewer, and so do all from the n-th on. Each call
must raise MemoryError or have the right result, keep no block, and have the right result when it is made again.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Any

from memory_calls import bits, calls


def attempt(library: ctypes.CDLL, n: int, every: bool, call: Callable[[], Any]) -> tuple[int, bytes | None]:
    """Return how many allocations failed, and the bits of the result unless there was a MemoryError."""
    result = None
    library.fail_from(ctypes.c_long(n), ctypes.c_int(every))
    try:
        result = call()
    except MemoryError:
        pass
    finally:
        n_failed = library.stop_failing()
    return n_failed, None if result is None else bits(result)


def main(library: ctypes.CDLL, step: int) -> None:
    n_failures = n_errors = 0
    for name, call in calls().items():
        expected = [bits(call()) for _ in range(2)][-1]
        for every in (False, True):
            n, n_failed = 1, 1
            while n_failed > 0:
                gc.collect(0)
                before = library.live_blocks()
                n_failed, found = attempt(library, n, every, call)
                assert found in (None, expected), f"{name}, allocation {n}: another result"
                assert found is not None or n_failed > 0, f"{name}: a MemoryError without a failure"
                if found is None:
                    gc.collect(0)
                    kept = library.live_blocks() - before
                    assert kept <= 0, f"{name}, allocation {n}: {kept} blocks were kept"
                n_failures += n_failed > 0
                n_errors += found is None
                n += step
        assert bits(call()) == expected, f"{name}: another result afterwards"
    assert n_errors > 0.5 * n_failures
    print(f"{n_failures} allocations failed in {len(calls())} calls: {n_errors} MemoryErrors, the others did no harm")


if __name__ == "__main__":
    main(ctypes.CDLL(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)

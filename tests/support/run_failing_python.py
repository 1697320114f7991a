"""Load, save and predict with every allocation of Python failing in turn; NumPy's arrays and C++ are not concerned.

    python run_failing_python.py [STEP]

A call must raise an error or have the right result, and the process must go on. Almost all errors are MemoryErrors.
Python and NumPy themselves turn a few into others, such as SystemErrors. (All allocations from the n-th on cannot fail:
Python 3.11 then never leaves its own handling of the error.)
"""

from __future__ import annotations

import _testcapi  # type: ignore[import-not-found]
import sys
from collections.abc import Callable
from typing import Any

from memory_calls import bits, calls

CALLS = ("load", "save", "unpickle", "predict", "kneighbors", "fit")


def attempt(n: int, call: Callable[[], Any]) -> Any:
    _testcapi.set_nomemory(n, n + 1)
    try:
        return call()
    except Exception as error:
        return error
    finally:
        _testcapi.remove_mem_hooks()


def main(step: int) -> None:
    n_tried = n_refused = n_other = 0
    for name in CALLS:
        call = calls()[name]
        expected = [bits(call()) for _ in range(2)][-1]
        n, n_done = 1, 0
        while n_done < 50:  # in a row: the last allocations may be of what nobody needs
            result = attempt(n, call)
            n_tried += 1
            n += step
            if isinstance(result, Exception):
                n_done = 0
                n_refused += isinstance(result, MemoryError)
                n_other += not isinstance(result, MemoryError)
                continue
            n_done += 1
            assert bits(result) == expected, f"{name}, allocation {n}: another result"
        assert bits(call()) == expected, f"{name}: another result afterwards"
    assert 20 * n_other < n_refused
    print(f"{n_tried} allocations failed: {n_refused} MemoryErrors, {n_other} other errors")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)

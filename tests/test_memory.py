"""How much memory is free, and what does not fit."""

from __future__ import annotations

import subprocess
import sys

import pytest

from foliation import memory


def test_what_fits_is_not_refused() -> None:
    memory.check_memory("a little", 1000.0, "ask for less")


def test_what_does_not_fit_is_refused_with_sizes_and_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 2.5e6)
    with pytest.raises(MemoryError, match=r"a table would take 3\.0 GB, but 2 MB are free; take fewer rows"):
        memory.check_memory("a table", 3e9, "take fewer rows")


def test_the_smaller_of_machine_and_container_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_free_in_machine", lambda: 5.0)
    monkeypatch.setattr(memory, "_free_in_container", lambda: 3.0)
    assert memory.available_bytes() == 3.0


def test_this_machine_has_memory() -> None:
    assert memory.available_bytes() > 1e6


LIMITED = """
import resource, sys
import numpy as np, foliation as fo
X = np.arange(40.0)[:, None]
forest = fo.ForestRegressor(500, max_depth=1, random_state=0, n_jobs=1).fit(X, X[:, 0])
rows = np.broadcast_to(np.float32(1.0), (2_000_000, 1))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000,) * 2)
try:
    forest.apply(rows)
except MemoryError as error:
    print(error)
"""


def test_an_allocation_that_fails_says_what_was_asked_for() -> None:
    shown = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True).stdout
    assert shown == "apply needs 4.0 GB for its result, more memory than is free\n"

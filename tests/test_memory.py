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


DEEP = """
import resource
import numpy as np
from foliation import _core
n = 4_000_000  # splits, each below the one before
children = np.arange(1, n + 1, dtype=np.int32).repeat(2)
children[::2] = ~np.arange(n)
children[-1] = ~n
trees = _core.Trees(
    split_start=np.array([0, n]), leaf_start=np.array([0, n + 1]), children=children, threshold=np.zeros(n),
    gain=np.zeros(n, np.float32), gain_unit=np.ones(1), atom_start=np.empty(0, np.int32),
    atom_words=np.zeros(n, np.int16), value_start=np.zeros(n + 2, np.int64), value_column=np.empty(0, np.int32),
    value=np.empty(0), leaf_weight=np.ones(n + 1),
)
splits = np.arange(n)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 10_000_000,) * 2)
for ask in (
    lambda: _core.path_to_leaf(trees, 0, n), lambda: _core.leaves_below(trees, 0, 0),
    lambda: _core.atoms_of(trees, splits),
):
    try:
        ask()
    except MemoryError as error:
        print(error)
"""


def test_what_is_asked_of_trees_says_what_needs_memory() -> None:
    shown = subprocess.run([sys.executable, "-c", DEEP], capture_output=True, text=True, check=True).stdout
    operations = ("the path to a leaf", "a list of leaves", "a list of atoms")
    assert shown.splitlines() == [f"{operation} needs more memory than is free" for operation in operations]

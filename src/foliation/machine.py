"""The machine that a call runs on: its instruction set, threads and free memory."""

from __future__ import annotations

import os
from pathlib import Path

import joblib

from foliation import _core

_MOST_THREADS = 1024
_BLOCK = 256  # rows that a thread of the core takes at a time


def instruction_set() -> _core.Isa:
    """Return the newest instruction set of this machine, or the one that ``FOLIATION_ISA`` names."""
    newest = _core.newest_isa()
    name = os.environ.get("FOLIATION_ISA")
    if not name:
        return newest
    known = _core.Isa.__members__
    if name not in known:
        raise ValueError(f"FOLIATION_ISA={name!r}: expected one of {', '.join(known)}")
    if known[name].value > newest.value:
        raise ValueError(f"FOLIATION_ISA={name!r}: this machine runs {newest.name} at most")
    return known[name]


def n_threads(n_jobs: int | None, n_rows: int | None = None) -> int:
    """Return the number of threads that ``n_jobs`` stands for; one inside a worker of a parallel search.

    One thread suffices for the rows of one block, and joblib, which may have to count processors, is not asked.
    """
    if n_rows is not None and n_rows <= _BLOCK and n_jobs != 0:
        return 1
    return min(int(joblib.effective_n_jobs(n_jobs)), _MOST_THREADS)


def machine(n_jobs: int | None, n_rows: int | None = None) -> _core.Machine:
    """Return what the core may use for a call on so many rows."""
    return _core.Machine(instruction_set(), n_threads(n_jobs, n_rows))


def check_memory(what: str, size: float, advice: str) -> None:
    """Raise MemoryError if an object of so many bytes does not fit into free memory."""
    free = available_bytes()
    if size > free:
        raise MemoryError(f"{what} would take {_readable(size)}, but {_readable(free)} are free; {advice}")


def available_bytes() -> float:
    """Return the bytes that this process may still allocate; infinity if the system does not say."""
    return min(_free_in_machine(), _free_in_container())


def _free_in_machine() -> float:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return float("inf")
    free = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return 1024.0 * int(free[0]) if free else float("inf")


def _free_in_container() -> float:
    folder = Path("/sys/fs/cgroup")
    try:
        limit = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = (folder / "memory.current").read_text(encoding="ascii").strip()
    except OSError:
        return float("inf")
    return float("inf") if limit == "max" else float(limit) - float(used)


def _readable(size: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"

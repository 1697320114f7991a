"""How much memory is free."""

from __future__ import annotations

from pathlib import Path


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

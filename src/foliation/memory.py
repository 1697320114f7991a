"""How much memory is left, so that a request that cannot be met is refused before it is begun."""

from __future__ import annotations

from pathlib import Path


def available_bytes() -> float:
    """Return the bytes that this process may still take; infinity where the system does not say."""
    return min(_machine(), _container())


def _machine() -> float:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return float("inf")
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return 1024.0 * int(found[0]) if found else float("inf")


def _container() -> float:
    folder = Path("/sys/fs/cgroup")
    try:
        limit = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = (folder / "memory.current").read_text(encoding="ascii").strip()
    except OSError:
        return float("inf")
    return float("inf") if limit == "max" else float(limit) - float(used)


def check(what: str, wanted: float, instead: str) -> None:
    """Refuse what would take more memory than there is."""
    if wanted > (left := available_bytes()):
        raise MemoryError(f"{what} would take {_readable(wanted)}, but {_readable(left)} are free; {instead}")


def _readable(size: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"

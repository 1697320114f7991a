"""Peak memory of this process, from Linux's own books."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

_STATUS = Path("/proc/self/status")
_SHARES = Path("/proc/self/smaps_rollup")
_CLEAR = Path("/proc/self/clear_refs")


def status_bytes(name: str) -> int | None:
    """Return a field of the process's status, such as VmRSS, or None where there is no such book."""
    if not _STATUS.exists():
        return None
    for line in _STATUS.read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    return None


def private_bytes() -> int:
    """Return the memory that this process shares with no other; 0 where there is no such book."""
    if not _SHARES.exists():
        return 0
    private = [line.split()[1] for line in _SHARES.read_text().splitlines() if line.startswith("Private_")]
    return 1024 * sum(map(int, private))


class Peak:
    """Resident memory above what there was on entry, and in all; None where the mark cannot be reset."""

    bytes: int | None = None
    in_all: int | None = None

    def __enter__(self) -> Peak:
        gc.collect()
        try:
            _CLEAR.write_text("5")
            self._before = status_bytes("VmRSS")
        except OSError:
            self._before = None
        return self

    def __exit__(self, *_: object) -> None:
        high = status_bytes("VmHWM")
        if self._before is not None and high is not None:
            self.bytes, self.in_all = max(0, high - self._before), high


class Samples:
    """A field of this process's status, read again and again while a block runs."""

    def __init__(self, field: str, every: float) -> None:
        self.bytes: list[int] = []
        self._field, self._every = field, every

    def __enter__(self) -> Samples:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._read()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._read()

    def _watch(self) -> None:
        while not self._stop.wait(self._every):
            self._read()

    def _read(self) -> None:
        self.bytes.append(status_bytes(self._field) or 0)

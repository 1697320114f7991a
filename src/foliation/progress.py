"""A progress bar on standard error, without dependencies."""

from __future__ import annotations

import sys
import time


class ProgressBar:
    """Shows trees done and time left; call it with the number of trees done."""

    def __init__(self, total: int, width: int = 30) -> None:
        self.total = total
        self.width = width
        self.begin = time.monotonic()

    def __call__(self, done: int) -> bool:
        elapsed = time.monotonic() - self.begin
        left = f"{elapsed * (self.total - done) / done:.0f} s left" if 0 < done < self.total else ""
        if done >= self.total:
            left = f"{elapsed:.1f} s"
        filled = self.width * done // max(1, self.total)
        bar = "#" * filled + "." * (self.width - filled)
        sys.stderr.write(f"\r[{bar}] {done}/{self.total} trees {left:<14}")
        sys.stderr.flush()
        return False

    def close(self) -> None:
        sys.stderr.write("\n")
        sys.stderr.flush()

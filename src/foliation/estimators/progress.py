"""A progress bar without dependencies."""

from __future__ import annotations

import shutil
import sys
import time


class ProgressBar:
    """Shows trees done and time left on standard error; call it with the number of trees done.

    Where that is no terminal, only the last line is written.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.width = max(3, min(30, shutil.get_terminal_size().columns - 40))
        self.moving = sys.stderr.isatty()
        self.begin = time.monotonic()
        self.done = 0

    def __call__(self, done: int) -> bool:
        self.done = done
        if self.moving:
            sys.stderr.write(f"\r{self}")
            sys.stderr.flush()
        return False

    def __str__(self) -> str:
        elapsed = time.monotonic() - self.begin
        time_left = f"{elapsed * (self.total - self.done) / self.done:.0f} s left" if self.done else ""
        note = f"{elapsed:.1f} s" if self.done >= self.total else time_left
        filled = self.width * self.done // max(1, self.total)
        return f"[{'#' * filled}{'.' * (self.width - filled)}] {self.done}/{self.total} trees {note:<12}"

    def close(self) -> None:
        sys.stderr.write("\n" if self.moving else f"{self}\n")
        sys.stderr.flush()

"""A file system that fails: the n-th operation of a writer raises an error of the system."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from foliation.io import atomic

KINDS = (errno.ENOSPC, errno.EIO, errno.EDQUOT)
OPERATIONS = ("open", "dup", "fsync", "fchmod", "fchown", "fstat")


@dataclass
class Failing:
    """Stands in for ``os`` in the writer; counts its operations, and fails one of them."""

    fails_at: int = 0  # from 1; 0 fails none
    kind: int = errno.ENOSPC
    longest_write: int = 1 << 30  # bytes that one write takes
    done: list[str] = field(default_factory=list)

    def step(self, operation: str) -> None:
        self.done.append(operation)
        if len(self.done) == self.fails_at:
            raise OSError(self.kind, os.strerror(self.kind))

    @property
    def failed(self) -> str | None:
        """The operation that failed."""
        return self.done[self.fails_at - 1] if 0 < self.fails_at <= len(self.done) else None

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in OPERATIONS:
            return real

        def operate(*args: Any, **options: Any) -> Any:
            self.step(name)
            return real(*args, **options)

        return operate

    def fdopen(self, descriptor: int, mode: str) -> BinaryIO:
        assert mode == "wb"
        return io.BufferedWriter(_File(self, descriptor))


class _File(io.RawIOBase):
    """An unbuffered file whose writes may be short, interrupted, or fail."""

    def __init__(self, system: Failing, descriptor: int) -> None:
        self.system, self.descriptor = system, descriptor

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.descriptor

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return os.lseek(self.descriptor, offset, whence)

    def truncate(self, size: int | None = None) -> int:
        size = self.tell() if size is None else size
        os.ftruncate(self.descriptor, size)
        return size

    def write(self, data: Any) -> int:
        self.system.step("write")
        return os.write(self.descriptor, memoryview(data)[: self.system.longest_write])

    def close(self) -> None:
        if self.closed:
            return
        super().close()
        os.close(self.descriptor)
        self.system.step("close")


def fail_each(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[], object], check: Callable[[Failing, BaseException | None], None]
) -> int:
    """Run an action again and again, failing its first, second, ... operation, until a run ends without a failure.

    ``check`` is called after each run with the error that it ended with. Return the number of failures.
    """
    n_failures = 0
    for kind in KINDS:
        for number in range(1, 1000):
            system = Failing(number, kind)
            error = _run(monkeypatch, system, act)
            if system.failed is None:
                assert error is None, error
                break
            n_failures += 1
            check(system, error)
    return n_failures


def _run(monkeypatch: pytest.MonkeyPatch, system: Failing, act: Callable[[], object]) -> BaseException | None:
    real = Path.replace

    def replace(self: Path, target: Any) -> Path:
        system.step("rename")
        return real(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(atomic, "os", system)
        patched.setattr(Path, "replace", replace)
        try:
            act()
        except (Exception, SystemExit) as error:
            return error
    return None

"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def check_place(path: Path) -> None:
    """Complain if no file can be written there; to be asked before the work whose result it will hold."""
    if not path.parent.is_dir():
        raise OSError(f"{path.parent} is no folder to write {path.name} to")
    if path.is_dir():
        raise OSError(f"{path} is a folder; give the name of a file in it")


def write_whole(path: str | os.PathLike[str], write: Callable[[Path], Any]) -> None:
    """Let something write a file beside the place that it then takes."""
    path = Path(path)
    check_place(path)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        unfinished = Path(folder) / path.name
        write(unfinished)
        unfinished.replace(path)

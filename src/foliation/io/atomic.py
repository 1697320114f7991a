"""Files that are written completely or not at all."""

from __future__ import annotations

import atexit
import functools
import os
import secrets
from collections.abc import Callable
from pathlib import Path


def check_place(path: str | os.PathLike[str]) -> Path:
    """Return where a file will be; raise OSError if it cannot be there. Call it before the work."""
    place = Path(os.path.realpath(path))  # a link stays one
    if not place.parent.is_dir():
        raise OSError(f"cannot write {place.name}: {place.parent} is not a folder")
    if place.is_dir():
        raise OSError(f"cannot write {place}: it is a folder; give the name of a file in it")
    if place.exists() and not place.is_file():
        raise OSError(f"cannot write {place}: it is a device or a pipe")
    return place


def write_atomic(path: str | os.PathLike[str], write: Callable[[Path], object]) -> None:
    """Call ``write`` with a temporary path beside the file, then rename; keep the permissions of an old file."""
    place = check_place(path)
    unfinished = place.with_name(f".unfinished.{secrets.token_hex(8)}{place.suffix}")
    remove = functools.partial(unfinished.unlink, missing_ok=True)
    atexit.register(remove)  # an interruption may come between any two steps
    try:
        write(unfinished)
        if place.exists():
            unfinished.chmod(place.stat().st_mode)
        unfinished.replace(place)
    finally:
        remove()
        atexit.unregister(remove)

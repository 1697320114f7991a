"""Files that are there as a whole or not at all."""

from __future__ import annotations

import atexit
import functools
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any


def check_place(path: str | os.PathLike[str]) -> Path:
    """Return where a file will be; complain if none can be. To be asked before the work whose result it will hold."""
    place = Path(os.path.realpath(path))  # a link stays one
    if not place.parent.is_dir():
        raise OSError(f"{place.parent} is no folder to write {place.name} to")
    if place.is_dir():
        raise OSError(f"{place} is a folder; give the name of a file in it")
    if place.exists() and not place.is_file():
        raise OSError(f"{place} is no file but a device or a pipe, which a file cannot take the place of")
    return place


def write_whole(path: str | os.PathLike[str], write: Callable[[Path], Any]) -> None:
    """Let something write a file beside the place that it then takes, with the rights of the file that was there."""
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

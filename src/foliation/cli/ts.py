"""The .ts files of the time series archives."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from foliation.cli.errors import CommandError
from foliation.data.arrays import Array, Floats

Header = dict[str, list[str]]  # words after each @name, in lower case
Lines = list[tuple[int, str]]  # lines of data with their numbers in the file


def read_series(path: Path) -> tuple[Floats, Array | None]:
    """Read equally long series, (n, channels, time), and their labels or numbers if they have any."""
    header, lines = _parse(path)
    if _flag(header, "@timestamps"):
        raise CommandError(f"cannot read {path}: it has timestamps; expected values only")
    labeled = _flag(header, "@classlabel") or _flag(header, "@targetlabel")
    rows: list[list[list[float]]] = []
    labels: list[str] = []
    for number, text in lines:
        channels = text.split(":")
        if labeled:
            labels.append(channels.pop().strip())
        try:
            rows.append([[float(value) for value in channel.split(",")] for channel in channels])
        except ValueError as error:
            raise CommandError(f"cannot read {path}, line {number}: missing or invalid value ({error})") from error
    if len({len(row) for row in rows}) != 1 or len({len(channel) for row in rows for channel in row}) != 1:
        raise CommandError(f"cannot read {path}: no series, or series of different lengths; expected equal lengths")
    return np.array(rows), _targets(path, header, labels) if labeled else None


def _targets(path: Path, header: Header, labels: list[str]) -> Array:
    try:
        return np.array(labels, dtype=np.float64 if _flag(header, "@targetlabel") else None)
    except ValueError as error:
        raise CommandError(f"cannot read {path}: invalid target ({error}); @targetLabel expects numbers") from error


def _flag(header: Header, name: str) -> bool:
    return header.get(name, ["false"])[0] == "true"


def _parse(path: Path) -> tuple[Header, Lines]:
    """Split a file into its header and its lines of data."""
    header: Header = {}
    lines: Lines = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if "@data" in header:
            lines.append((number, text))
        else:
            name, *words = text.lower().split()
            header[name] = words or ["true"]
    return header, lines

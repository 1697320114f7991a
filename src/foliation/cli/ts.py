"""The .ts files of the time series archives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation.cli.errors import DataError


def read_series(path: Path) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Read equally long series, (n, channels, time), and their labels or numbers if they have any."""
    said, lines = _ts_parts(path)
    if said.get("@timestamps", ["false"])[0] == "true":
        raise DataError(f"{path} has times beside its values, which a grid cannot hold.")
    labelled = any(said.get(name, ["false"])[0] == "true" for name in ("@classlabel", "@targetlabel"))
    rows: list[list[list[float]]] = []
    labels: list[str] = []
    for number, text in lines:
        channels = text.split(":")
        if labelled:
            labels.append(channels.pop().strip())
        try:
            rows.append([[float(value) for value in channel.split(",")] for channel in channels])
        except ValueError as error:
            raise DataError(f"{path}, line {number}: a value is missing or no number.") from error
    if len({(len(row), *map(len, row)) for row in rows}) != 1:
        raise DataError(f"{path} has no series, or series of different lengths, which a grid cannot hold.")
    if not labelled:
        return np.array(rows), None
    numbers = said.get("@targetlabel", ["false"])[0] == "true"
    try:
        return np.array(rows), np.array(labels, dtype=np.float64 if numbers else None)
    except ValueError as error:
        raise DataError(f"{path} has a target that is no number.") from error


def _ts_parts(path: Path) -> tuple[dict[str, list[str]], list[tuple[int, str]]]:
    """Return what the head of a ts says, in small letters, and the lines of its data with their numbers."""
    said: dict[str, list[str]] = {}
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if "@data" in said:
            lines.append((number, text))
        else:
            name, *words = text.lower().split()
            said[name] = words or ["true"]
    return said, lines

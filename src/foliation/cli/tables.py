"""Tables that commands write: csv, npy or npz by the name of the file, or csv to the screen."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from foliation.cli.data import DataError
from foliation.files.whole import write_whole


def write_columns(columns: Mapping[str, NDArray[Any]], output: Path | None) -> None:
    """Write columns of equal length with their names."""
    if output is None:
        _csv(columns, sys.stdout)
        return
    kind = output.suffix.lower()
    if kind not in (".csv", ".npz"):
        raise DataError(f"{output} is of a kind that cannot be written; csv and npz can.")

    def write(path: Path) -> None:
        if kind == ".npz":
            np.savez(path, **dict(columns))  # type: ignore[arg-type]
            return
        with path.open("w", newline="") as file:
            _csv(columns, file)

    write_whole(output, write)


def _csv(columns: Mapping[str, NDArray[Any]], file: TextIO) -> None:
    lines: Iterable[tuple[Any, ...]] = zip(*(column.tolist() for column in columns.values()), strict=True)
    out = csv.writer(file, lineterminator="\n")
    out.writerow(columns)
    out.writerows(lines)

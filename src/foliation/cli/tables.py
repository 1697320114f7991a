"""Tables that commands write: csv, npz or parquet by the name of the file, or csv to the screen."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from foliation.cli.errors import DataError
from foliation.io.atomic import check_place, write_atomic

KINDS = (".csv", ".npz", ".parquet")


def check_output(output: Path, kinds: Sequence[str], *inputs: Path | None) -> None:
    """Complain, before any work is done, of a file that cannot be written, or that is being read."""
    place = check_place(output)
    if place in [Path(os.path.realpath(one)) for one in inputs if one is not None]:
        raise DataError(f"{output} is what the command reads; its result needs a file of its own.")
    if kinds and output.suffix.lower() not in kinds:
        raise DataError(f"{output} is of a kind that cannot be written; {', '.join(kinds)} can.")


def write_columns(columns: Mapping[str, NDArray[Any]], output: Path | None) -> None:
    """Write columns of equal length with their names."""
    kind = ".csv" if output is None else output.suffix.lower()
    if output is None or kind == ".csv":
        lines = zip(*(column.tolist() for column in columns.values()), strict=True)
        write_lines(list(columns), lines, output)
    elif kind == ".npz":
        write_atomic(output, lambda path: np.savez(path, **{name: _plain(one) for name, one in columns.items()}))  # type: ignore[arg-type]
    else:
        import polars

        frame = polars.DataFrame({name: one.tolist() for name, one in columns.items()})
        write_atomic(output, frame.write_parquet)


def _plain(column: NDArray[Any]) -> NDArray[Any]:
    """Return text as text of fixed length: an npz of objects would hold code."""
    return column.astype(str) if column.dtype == object else column


def write_lines(names: Sequence[str], lines: Iterable[tuple[Any, ...]], output: Path | None) -> None:
    """Write lines of a csv, to a file or to the screen."""

    def write(file: TextIO) -> None:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(names)
        out.writerows(lines)

    if output is None:
        write(sys.stdout)
        return

    def write_file(path: Path) -> None:
        with path.open("w", newline="", encoding="utf-8") as file:
            write(file)

    write_atomic(output, write_file)

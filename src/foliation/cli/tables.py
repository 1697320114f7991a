"""Tables that commands write: csv, npz or parquet by the name of the file, or csv to standard output."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np

from foliation.cli.errors import CommandError
from foliation.data.arrays import Array
from foliation.io.atomic import check_place, write_atomic

TYPES = (".csv", ".npz", ".parquet")


def check_output(output: Path, types: Sequence[str], *inputs: Path | None) -> None:
    """Raise an error, before any work is done, if a file cannot be written or is one of the inputs."""
    place = check_place(output)
    if place in [Path(os.path.realpath(path)) for path in inputs if path is not None]:
        raise CommandError(f"invalid --output {output}: the command reads it; expected a file of its own")
    if types and output.suffix.lower() not in types:
        raise CommandError(f"invalid --output {output}: expected a file name that ends in {', '.join(types)}")


def write_columns(columns: Mapping[str, Array], output: Path | None) -> None:
    """Write columns of equal length with their names."""
    kind = ".csv" if output is None else output.suffix.lower()
    if output is None or kind == ".csv":
        lines = zip(*(column.tolist() for column in columns.values()), strict=True)
        write_lines(list(columns), lines, output)
    elif kind == ".npz":
        arrays = {name: _without_objects(column) for name, column in columns.items()}
        write_atomic(output, lambda path: np.savez(path, **arrays))  # type: ignore[arg-type]
    else:
        import polars

        frame = polars.DataFrame({name: column.tolist() for name, column in columns.items()})
        write_atomic(output, frame.write_parquet)


def _without_objects(column: Array) -> Array:
    """Return text as text of fixed length: an npz of objects would hold a pickle."""
    return column.astype(str) if column.dtype == object else column


def write_lines(names: Sequence[str], lines: Iterable[tuple[object, ...]], output: Path | None) -> None:
    """Write lines of a csv, to a file or to standard output."""

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

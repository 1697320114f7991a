"""Tables that commands write: csv, npz or parquet by the name of the file, or csv to standard output."""

from __future__ import annotations

import csv
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO, TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TextIO

import numpy as np

from foliation.cli.errors import CommandError
from foliation.data.arrays import Array
from foliation.io.atomic import check_place, write_atomic
from foliation.printable import printable

TYPES = (".csv", ".npz", ".parquet")
# Where a cell begins, to a reader with any separator, and how formulas begin, by the advice of OWASP. Quotes and
# spaces may stand between them, which such a reader takes away. Lines of a text may be empty or begin with a tab.
_SIGNS = "=+\\-@\0\uff1d\uff0b\uff0d\uff20"
_FORMULA = re.compile(f'(?:^|[;\t])(?=[" \u00a0]*[{_SIGNS}\t\r\n])|[\r\n](?=[" \u00a0]*[{_SIGNS}])')
_NUMBER = re.compile(r" *[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)? *")


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
        write_atomic(output, lambda file: np.savez(file, **arrays))  # type: ignore[arg-type]
    else:
        parquet = _parquet(columns)
        write_atomic(output, lambda file: file.write(parquet))


def _without_objects(column: Array) -> Array:
    """Return text as text of fixed length: an npz of objects would hold a pickle."""
    return column.astype(str) if column.dtype == object else column


def _parquet(columns: Mapping[str, Array]) -> memoryview:
    import polars

    frame = polars.DataFrame({_encodable(name): _encodable_all(column) for name, column in columns.items()})
    buffer = BytesIO()
    frame.write_parquet(buffer)
    return buffer.getbuffer()


def _encodable_all(column: Array) -> list[object]:
    return [_encodable(value) if isinstance(value, str) else value for value in column.tolist()]


def _encodable(text: str) -> str:
    """Return text with escapes in place of halves of surrogate pairs, which UTF-8 does not have."""
    return text.encode(errors="backslashreplace").decode()


def write_lines(names: Sequence[str], lines: Iterable[tuple[object, ...]], output: Path | None) -> None:
    """Write lines of a csv, to a file or to standard output.

    Text that a spreadsheet would take for a formula is led by an apostrophe. On standard output, which may be a
    terminal, control characters are escaped; files hold them as they are.
    """
    rows = chain([names], lines)
    if output is None:
        if sys.stdout is None:
            raise CommandError("cannot write: standard output is closed; name a file with --output")
        _write_rows(sys.stdout, ([_shown(_cell(value)) for value in row] for row in rows))
        return

    def write(file: BinaryIO) -> None:
        text = TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
        _write_rows(text, ([_cell(value) for value in row] for row in rows))
        text.detach()

    write_atomic(output, write)


def _write_rows(file: TextIO, rows: Iterable[Sequence[object]]) -> None:
    csv.writer(_Lines(file), lineterminator="\r\n").writerows(rows)


class _Lines:
    r"""Ends lines by ``\n`` alone. The csv module, which ends them by both, then quotes cells that hold either."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def write(self, line: str) -> int:
        return self.file.write(line.removesuffix("\r\n") + "\n")


def _shown(value: object) -> object:
    return printable(value, keep="\n") if isinstance(value, str) else value


def _cell(value: object) -> object:
    """Lead formulas by an apostrophe, so that a spreadsheet shows them. Numbers stay, also those that are text."""
    return _FORMULA.sub(r"\g<0>'", value) if isinstance(value, str) and not _NUMBER.fullmatch(value) else value

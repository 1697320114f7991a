"""Tables: csv and parquet files as arrays, read with polars."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from foliation.cli.errors import CommandError
from foliation.data.arrays import Array
from foliation.printable import quoted

if TYPE_CHECKING:
    from polars import DataFrame, Series

TYPES = (".csv", ".parquet")
_INTEGER = re.compile(r"[+-]?(0|[1-9]\d*)")  # 01 is a label
_NUMBER = re.compile(r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "?"]  # how csv files write a missing value
_MOST_NAMES = 8


def read_table(
    path: Path, target: str | None, columns: Sequence[str] | None, left_out: Sequence[str]
) -> tuple[Array, Array | None, list[str]]:
    """Return the numeric columns of a table as rows, the target column if one is named, and the columns' names.

    Parameters
    ----------
    path : Path
    target : str, optional
        The column that holds the targets.
    columns : sequence of str, optional
        The columns to read, in this order; all numeric ones by default.
    left_out : sequence of str
        Columns to skip although they hold numbers.
    """
    frame = _read_frame(path, target)
    _check_columns(path, frame, [*([] if target is None else [target]), *left_out], columns or ())
    candidates = columns or [name for name in frame.columns if name != target and name not in left_out]
    texts = [name for name in candidates if not _is_numeric(frame[name])]
    numeric = [name for name in candidates if name not in texts]
    if not numeric or (columns and texts):
        problem = f"column {quoted(texts[0])} holds no numbers" if texts else "it has no columns to learn from"
        raise CommandError(f"cannot use {path}: {problem}")
    if texts:
        warnings.warn(f"columns without numbers are left out: {join_names(texts)}", stacklevel=2)
    rows = np.column_stack([_numbers(frame[name]) for name in numeric])
    return rows, None if target is None else _targets(path, frame[target]), numeric


def join_names(names: Sequence[str]) -> str:
    """Write the first names of a list."""
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _check_columns(path: Path, frame: DataFrame, options: list[str], trained: Sequence[str]) -> None:
    for name in options:
        if name not in frame.columns:
            raise CommandError(f"{path} has no column {quoted(name)}; it has {join_names(frame.columns)}")
    for name in trained:
        if name not in frame.columns:
            raise CommandError(f"{path} has no column {quoted(name)}, which the forest was trained on")
    if not len(frame):
        raise CommandError(f"{path} has no rows")


def _is_numeric(column: Series) -> bool:
    return column.dtype.is_numeric() or str(column.dtype) == "Boolean"


def _numbers(column: Series) -> Array:
    """Return a column as numbers; missing values and decimals become floating-point numbers."""
    plain = column.dtype.is_integer() or column.dtype.is_float() or str(column.dtype) == "Boolean"
    numbers = column if plain and not column.null_count() else column.cast(float)
    return np.asarray(numbers.to_numpy())


def _targets(path: Path, column: Series) -> Array:
    """Return labels or numbers. A text column holds numbers if all of it is written as numbers; 01 is a label."""
    kind = str(column.dtype).split("(")[0]
    if column.dtype.is_numeric():
        return _numbers(column)
    if kind not in ("String", "Categorical", "Enum", "Boolean"):
        raise CommandError(f"cannot use {path}: targets have type {kind}; expected labels or numbers")
    texts: list[str | None] = column.to_list()
    present = [text for text in texts if text is not None]
    if kind != "String" or not present:
        return np.array(texts) if None not in texts else np.array(texts, dtype=object)
    if {text.lower() for text in present} <= {"true", "false"}:
        return np.array([None if text is None else text.lower() == "true" for text in texts])
    if all(_INTEGER.fullmatch(text.strip()) for text in present) and None not in texts:
        return np.array([int(text) for text in present])
    if all(_NUMBER.fullmatch(text.strip()) for text in present):
        return np.array([np.nan if text is None else float(text) for text in texts])
    return np.array(texts, dtype=object)


def _read_frame(path: Path, target: str | None) -> DataFrame:
    if find_spec("polars") is None:
        raise CommandError('tables need polars: run `pip install "foliation[cli]"`')
    import polars

    try:
        if path.suffix.lower() == ".parquet":
            frame = polars.read_parquet(path, glob=False)
        else:
            separator = _separator(path)
            head = polars.read_csv(path, n_rows=0, infer_schema=False, separator=separator, glob=False)
            frame = polars.read_csv(
                path,
                infer_schema_length=None,
                null_values=_MISSING,
                schema_overrides={name: polars.String for name in head.columns if _plain_name(name) == target},
                separator=separator,
                glob=False,
            )
    except Exception as error:  # polars has many
        raise CommandError(f"cannot read {path}: {str(error).splitlines()[0]}") from error
    return frame if path.suffix.lower() == ".parquet" else _with_plain_names(path, frame)


def _separator(path: Path) -> str:
    """Return the most frequent separator of the first line; a comma if there is none."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        head = re.sub(r'"[^"]*"', "", file.readline())
    return max(",;\t", key=head.count)


def _plain_name(written: str) -> str:
    """Return the name of a column without spaces around it; polars leaves quotes doubled, as a csv file has them."""
    return written.replace('""', '"').strip()


def _with_plain_names(path: Path, frame: DataFrame) -> DataFrame:
    names = [_plain_name(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise CommandError(f"cannot read {path}: two columns are named {quoted(max(names, key=names.count))}")
    return frame.rename(dict(zip(frame.columns, names, strict=True)))

"""Tables: which columns are rows, what targets are written as, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from foliation.cli import frames
from foliation.cli.errors import CommandError
from foliation.cli.frames import join_names, read_table


def test_columns_are_taken_in_the_order_of_the_forest(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("b,note,a\n1,x,2\n3,y,4\n")
    rows, targets, names = read_table(path, None, ["a", "b"], ())
    assert rows.tolist() == [[2, 1], [4, 3]] and targets is None and names == ["a", "b"]


def test_names_may_hold_quotes_and_separators(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    names = ['5" disk', "a;b", '"']
    pl.DataFrame({names[0]: [1.0], names[1]: [2.0], names[2]: ["up"]}).write_csv(path)
    rows, targets, found = read_table(path, names[2], None, ())
    assert found == names[:2] and rows.tolist() == [[1, 2]]
    assert targets is not None and targets.tolist() == ["up"]


def test_columns_without_numbers_are_left_out_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "t.CSV"
    path.write_text("id; name;size; kind\n1;n1;5;a\n2;n2;6;b\n")
    with pytest.warns(UserWarning, match="columns without numbers are left out: name"):
        rows, targets, names = read_table(path, "kind", None, ["id"])
    assert names == ["size"] and rows.tolist() == [[5], [6]]
    assert targets is not None and targets.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["01", "02"], ["01", "02"]),
        (["1", "2"], [1, 2]),
        (["1.5", "-2e3"], [1.5, -2000.0]),
        (["true", "False"], [True, False]),
        (["a", "1"], ["a", "1"]),
    ],
)
def test_targets_are_what_they_are_written_as(texts: list[str], expected: list[object], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"a, b; c","y"\n' + "".join(f'{k},"{text}"\n' for k, text in enumerate(texts)))
    _, targets, names = read_table(path, "y", None, ())
    assert targets is not None and targets.tolist() == expected
    assert [type(label) for label in targets.tolist()] == [type(label) for label in expected]
    assert names == ["a, b; c"]


def test_decimals_and_gaps_of_parquet_are_numbers(tmp_path: Path) -> None:
    columns = {"d": pl.Series(["1.5", "2.5"]).cast(pl.Decimal(10, 2)), "b": [True, None], "i": [1, 2]}
    pl.DataFrame({**columns, "y": columns["d"]}).write_parquet(tmp_path / "t.parquet")
    rows, targets, _ = read_table(tmp_path / "t.parquet", "y", None, ())
    np.testing.assert_array_equal(rows, [[1.5, 1, 1], [2.5, np.nan, 2]])
    assert targets is not None and targets.tolist() == [1.5, 2.5]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,y\n", "has no rows"),
        ("", "cannot read .*t.csv"),
        ("a,y\nx,1\nz,2\n", "column 'a' holds no numbers"),
        ("y\n1\n2\n", "it has no columns to learn from"),
        ("a, a,y\n1,2,u\n3,4,v\n", "two columns are named 'a'"),
        ("a,b\n1,2\n", "has no column 'y'; it has a, b"),
    ],
)
def test_tables_that_cannot_be_used_are_refused(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    with pytest.raises(CommandError, match=message):
        read_table(path, "y", None, ())


def test_targets_that_are_dates_are_refused(tmp_path: Path) -> None:
    dates = pl.Series(["2020-01-01", "2020-01-02"]).str.to_date()
    pl.DataFrame({"a": [1, 2], "y": dates}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(CommandError, match="targets have type Date; expected labels or numbers"):
        read_table(tmp_path / "t.parquet", "y", None, ())


def test_tables_need_polars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "find_spec", lambda name: None)
    with pytest.raises(CommandError, match=r'pip install "foliation\[cli\]"'):
        read_table(tmp_path / "t.csv", None, None, ())


def test_long_lists_of_names_are_cut() -> None:
    assert join_names([f"c{k}" for k in range(10)]).endswith("c6, c7 and 2 more")

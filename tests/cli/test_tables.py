"""Tables that commands write: three kinds of files, and nothing over what is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from commands import read_npz

from foliation.cli.errors import CommandError
from foliation.cli.tables import TYPES, check_output, write_columns, write_lines

LABELS = ["[red]x[/red]", 'a, "b"\nc', "größe"]
COLUMNS = {"label": np.array(LABELS, dtype=object), "n": np.arange(3), "share": np.array([0.1, 1 / 3, 1e-12])}


def test_columns_are_written_in_three_kinds(tmp_path: Path) -> None:
    for kind in TYPES:
        write_columns(COLUMNS, tmp_path / f"t{kind}")
    tables: list[Any] = [
        pl.read_csv(tmp_path / "t.csv"),
        pl.read_parquet(tmp_path / "t.parquet"),
        read_npz(tmp_path / "t.npz"),
    ]
    for frame in tables:
        assert list(frame["label"]) == LABELS
        assert list(frame["n"]) == [0, 1, 2]
        assert list(frame["share"]) == COLUMNS["share"].tolist()  # to the last bit


def test_columns_go_to_standard_output_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    write_columns({"a": np.arange(2), "b": np.array(["x", "y"])}, None)
    assert capsys.readouterr().out == "a,b\n0,x\n1,y\n"


def test_a_closed_standard_output_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, pytest.raises(CommandError, match="standard output is closed; name a file"):
        patch.setattr("sys.stdout", None)
        write_columns({"a": np.arange(2)}, None)


def test_lines_that_fail_leave_no_file(tmp_path: Path) -> None:
    def lines() -> Iterator[tuple[int]]:
        yield (1,)
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write_lines(["a"], lines(), tmp_path / "t.csv")
    assert list(tmp_path.iterdir()) == []


def test_what_a_command_reads_it_does_not_write_over(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    (tmp_path / "link.csv").symlink_to(path)
    for output in (path, tmp_path / "link.csv"):
        with pytest.raises(CommandError, match="expected a file of its own"):
            check_output(output, TYPES, None, path)
    check_output(tmp_path / "other.csv", TYPES, None, path)


def test_files_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"invalid --output .*x.html: expected a file name that ends in .csv, .npz"):
        check_output(tmp_path / "x.html", TYPES)
    with pytest.raises(OSError, match="is not a folder"):
        check_output(tmp_path / "no" / "m.fol", ())
    with pytest.raises(OSError, match="is a folder"):
        check_output(tmp_path, ())

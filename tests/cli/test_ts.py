"""The .ts files of the archives: labels, numbers or neither, and what no grid can hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from foliation.cli.errors import CommandError
from foliation.cli.ts import read_series

HEAD = "@problemName waves\n@timestamps false\n@univariate true\n@equalLength true\n"


def test_series_have_labels_numbers_or_neither(tmp_path: Path) -> None:
    path = tmp_path / "waves.ts"
    path.write_text(f"{HEAD}@classLabel true up down\n@data\n1,2,3:up\n3,2,1: down\n")
    X, y = read_series(path)
    assert X.shape == (2, 1, 3) and y is not None and y.tolist() == ["up", "down"]
    path.write_text(f"{HEAD}@targetLabel true\n@data\n1,2,3:0.5\n3,2,1:7\n")
    _, y = read_series(path)
    assert y is not None and y.tolist() == [0.5, 7.0]
    path.write_text(f"{HEAD}# a comment\n@classLabel false\n@data\n1,2,3:4,5,6\n\n3,2,1:6,5,4\n")
    X, y = read_series(path)
    assert X.shape == (2, 2, 3) and y is None
    assert X[1].tolist() == [[3, 2, 1], [6, 5, 4]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEAD}@data\n1,?,3\n", "line 6: missing or invalid value"),
        (f"{HEAD}@data\n", "no series"),
        (f"{HEAD}@data\n1,2,3\n1,2\n", "series of different lengths"),
        (f"{HEAD}@data\n1,2,3:1,2\n1,2,3:1,2\n", "series of different lengths"),
        (f"{HEAD}@data\n1,2:1,2\n1,2\n", "series of different lengths"),
        ("@timestamps true\n@data\n(0,1),(1,2)\n", "it has timestamps"),
        (f"{HEAD}@targetLabel true\n@data\n1,2:up\n", "invalid target .*'up'.*expects numbers"),
    ],
)
def test_series_that_no_grid_can_hold_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "waves.ts"
    path.write_text(text)
    with pytest.raises(CommandError, match=message):
        read_series(path)

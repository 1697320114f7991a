"""A progress bar when asked for, scikit-learn's callbacks where it has them, silence otherwise."""

from __future__ import annotations

import re

import pytest
from sklearn.datasets import load_iris

import foliation as fo
from foliation.estimators.progress import ProgressBar

X, Y = load_iris(return_X_y=True)


def test_quiet_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    fo.ForestClassifier(5).fit(X, Y)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("projections", ["sparse", "patches"])
def test_bar_counts_trees(projections: str, capsys: pytest.CaptureFixture[str]) -> None:
    fo.ForestClassifier(7, projections=projections, verbose=1).fit(X, Y)
    shown = capsys.readouterr().err
    assert "7/7 trees" in shown and shown.endswith("\n") and shown.count("\n") == 1


def test_bar_moves_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    bar = ProgressBar(8)
    for done in (0, 2, 8):
        assert bar(done) is False
    bar.close()
    lines = capsys.readouterr().err.split("\r")
    assert [re.search(r"(\d)/8 trees", line)[1] for line in lines[1:]] == ["0", "2", "8"]  # type: ignore[index]
    assert "s left" in lines[2] and "left" not in lines[3]
    assert max(len(line.rstrip("\n")) for line in lines) < 50

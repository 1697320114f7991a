"""The demonstration compares three forests on four problems, prints a table and draws a figure."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import foliation as fo
from foliation import demo, simulations

LINE = re.compile(r"(\w+) +(\d+) (RF|SPORF|MORF) +(0\.\d{4}) ")


def test_problems_are_those_of_the_papers_with_rows_of_their_own_to_test_on() -> None:
    found = {problem.name: problem for problem in demo.problems(n_test=20)}
    assert {name: problem.train[0].shape for name, problem in found.items()} == {
        "circle": (500, 100),
        "bars": (50, 28, 28),
        "impulse": (100, 100),
        "digits": (1200, 8, 8),
    }
    assert [len(problem.test[0]) for problem in found.values()] == [20, 20, 20, 597]
    np.testing.assert_array_equal(found["circle"].test[0], simulations.circle(20, random_state=1)[0])


def test_methods_differ_in_their_projections() -> None:
    problem = next(demo.problems(n_test=2))
    forests = demo.methods(problem, 7)
    assert list(forests) == ["RF", "SPORF", "MORF"]
    assert isinstance(forests["RF"].projections, fo.Axis) and isinstance(forests["SPORF"].projections, fo.Sparse)
    assert forests["MORF"].projections is problem.patches
    assert [forest.n_estimators for forest in forests.values()] == [7, 7, 7]


def test_the_table_has_the_error_of_each_forest_on_each_problem(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    demo.main(n_trees=5, figure=tmp_path / "new" / "figure.png")
    out = capsys.readouterr().out
    lines = LINE.findall(out)
    assert [line[:3] for line in lines] == [
        (name, n, method)
        for name, n in (("circle", "500"), ("bars", "50"), ("impulse", "100"), ("digits", "1200"))
        for method in ("RF", "SPORF", "MORF")
    ]
    *_, digits = demo.problems(n_test=2)
    expected = 1 - demo.methods(digits, 5)["RF"].fit(*digits.train).score(*digits.test)
    assert {line[0] + line[2]: line[3] for line in lines}["digitsRF"] == f"{expected:.4f}"
    assert (tmp_path / "new" / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert str(tmp_path / "new" / "figure.png") in out


def test_without_matplotlib_there_is_a_table_and_no_figure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(demo, "find_spec", lambda name: None)
    first = next(demo.problems(n_test=20))
    monkeypatch.setattr(demo, "problems", lambda: [first])
    demo.main(n_trees=2, figure=tmp_path / "figure.png")
    out = capsys.readouterr().out
    assert len(LINE.findall(out)) == 3 and 'pip install "foliation[plot]"' in out
    assert not list(tmp_path.iterdir())

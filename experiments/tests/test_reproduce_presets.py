"""The search for presets and the series beside aeon: what they run, what they never see, and what their pages say."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foliation import Patches
from foliation_experiments import load
from foliation_experiments.harness.experiment import Run
from foliation_experiments.harness.table import Table
from foliation_experiments.harness.worker import WorkerError
from foliation_experiments.presets import held_out, presets, series, settings
from foliation_experiments.presets.page import score


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a problem whose training rows are positive and whose test rows are negative."""
    (tmp_path / "series").mkdir()
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = 5 + rng.random((60, 1, 24)) + y[:, None, None] * np.sin(np.arange(24))
    X[40:] *= -1
    np.savez(tmp_path / "series" / "GunPoint.npz", X=X.astype(np.float32), y=y, n_train=40)
    monkeypatch.setenv("FOLIATION_DATA", str(tmp_path))
    held_out.series.cache_clear()


def test_a_search_sees_no_test_rows(data: None) -> None:
    tested = []
    for seed in range(held_out.FOLDS):
        split = held_out.held_out("GunPoint", seed)
        assert (split.X > 0).all() and (split.X_test > 0).all()
        assert len(split.X) == 32
        tested += [row.tobytes() for row in split.X_test]
    assert len(set(tested)) == 40  # five folds of one repetition hold out each row once


@pytest.mark.parametrize("part", settings.SETTINGS)
def test_settings_are_forests_that_differ_from_the_preset(part: str) -> None:
    shapes = {"image": (8, 8), "series": (3, 30), "channels": (3, 30)}
    found = {name: setting(shapes[part]) for name, setting in settings.SETTINGS[part].items()}
    assert found["preset"] == {"projections": part}
    described = {name: repr(sorted(options.items(), key=str)) for name, options in found.items()}
    assert len(set(described.values())) == len(described)


def test_a_run_of_the_search_has_a_score(data: None) -> None:
    found = presets.measure(Run("series", "GunPoint", "preset", 0, 0, "quick"))
    assert found["score"] > 0.8
    digits = presets.measure(Run("image", held_out.DIGITS, "no edges, contrast 0.8", 0, 1, "quick"))
    assert digits["score"] > 0.9


def made_up(name: str, column: str, value: Callable[[Run], float]) -> Table:
    runs = load(name).runs("quick")
    more = {"fit seconds": 2.0, "predict seconds": 1.0}
    rows: list[dict[str, Any]] = [
        {**run.__dict__, "seconds": 1.0, column: value(run) + 0.001 * run.seed, **more} for run in runs
    ]
    return Table(rows, "quick")


def test_the_page_of_the_search_ranks_settings_and_chooses_without_the_problem() -> None:
    def value(run: Run) -> float:
        best = "axis" if run.problem == "ArrowHead" else "raw"
        return 0.9 if run.method == best else 0.7

    table = made_up("presets", "score", value)
    assert score(table, "series", "raw") > score(table, "series", "axis") > score(table, "series", "preset")
    text = load("presets").page(table)
    assert "| ArrowHead | raw | 0.700 |" in text
    assert '## "image"' in text and '## "channels"' in text
    assert set(load("presets").figures(table)) == {"presets"}


@pytest.mark.parametrize(("ours", "words"), [(0.9, "+0.1000 | 7 | 0 | 0.016"), (0.7, "-0.1000 | 0 | 7 | 0.016")])
def test_the_page_of_series_says_who_is_ahead(ours: float, words: str) -> None:
    table = made_up("series", "accuracy", lambda run: ours if run.method == "ours" else 0.8)
    text = load("series").page(table)
    assert f"| CIF | {words} |" in text
    assert set(load("series").figures(table)) == {"series"}


def test_our_forests_are_scored_on_the_official_split(data: None) -> None:
    found = series.measure(Run("official split", "GunPoint", "RF", 0, 0, "quick"))
    assert set(found) == {"accuracy", "fit seconds", "predict seconds"}


def test_what_aeon_answers_is_read_and_its_errors_are_passed_on(data: None, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run("official split", "GunPoint", "CIF", 0, 3, "quick")
    answer = {"accuracy": 0.75, "fit seconds": 1.0, "predict seconds": 2.0}
    asked: list[dict[str, Any]] = []

    def call(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        task, outcome = (Path(path) for path in command[2:])
        asked.append(json.loads(task.read_text()))
        with np.load(asked[0]["path"]) as file:
            assert len(file["X"]) == 40 and len(file["y_test"]) == 20
        outcome.write_text(json.dumps(answer))
        return subprocess.CompletedProcess(command, 0, "compiled", "")

    monkeypatch.setattr("foliation_experiments.harness.worker.subprocess.run", call)
    assert series.measure(run) == answer
    assert (asked[0]["name"], asked[0]["seed"]) == ("CIF", 3)
    failed = subprocess.CompletedProcess([], 1, "", "Traceback\nValueError: too short\n")
    monkeypatch.setattr("foliation_experiments.harness.worker.subprocess.run", lambda *_, **__: failed)
    with pytest.raises(WorkerError, match="too short"):
        series.measure(run)


def test_presets_use_views() -> None:
    forest = settings.SETTINGS["image"]["edges alone"]((9, 9))
    assert isinstance(forest["projections"], Patches)
    assert forest["projections"].views == ("east", "west", "south", "north")

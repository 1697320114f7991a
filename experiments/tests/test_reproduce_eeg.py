"""The experiment on raw EEG: how trials are divided, spatial patterns, and what its page says."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from foliation_experiments import load
from foliation_experiments.classes.roc import COLUMNS, RATES
from foliation_experiments.harness.experiment import Run
from foliation_experiments.harness.table import Row, Table
from foliation_experiments.recordings import eeg, trials
from foliation_experiments.recordings.patterns import SpatialPatterns, pattern_classifier
from foliation_experiments.recordings.redrawn import redrawn
from foliation_experiments.recordings.trials import ACROSS, FINGERS, IMAGERY, OFFICIAL, WITHIN, splits

N_SUBJECTS, EACH = 10, 20


def rhythms(n: int, seed: int = 0, channels: int = 6, times: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Draw noise with a rhythm of 12 Hz at 80 Hz, in the first channel of class 0 and in the second of class 1."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, channels, times))
    phases = rng.uniform(0, 2 * np.pi, size=(n, 1))
    X[np.arange(n), y] += 2 * np.sin(2 * np.pi * 12 / 80 * np.arange(times) + phases)
    return X.astype(np.float32), y


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "eeg").mkdir()
    X, y = rhythms(N_SUBJECTS * EACH)
    subject = np.repeat(np.arange(1, N_SUBJECTS + 1), EACH)
    np.savez(tmp_path / trials.FILES[IMAGERY], X=X, y=y, subject=subject)
    np.savez(tmp_path / trials.FILES[FINGERS], X=X[:60], y=y[:60], n_train=40)
    monkeypatch.setenv("FOLIATION_DATA", str(tmp_path))
    monkeypatch.setattr("foliation_experiments.classes.convnet._MOST_EPOCHS", 10)
    trials.trials.cache_clear()


def made_up(value: Callable[[Run], float]) -> Table:
    """Return a table of all full runs with these areas; rows of the one split are told apart as well as that."""
    return Table([_row(run, value(run)) for run in eeg.runs("full")])


def _row(run: Run, value: float) -> Row:
    identity: Row = {name: getattr(run, name) for name in ("part", "problem", "method", "at", "seed")}
    rates = dict(zip(COLUMNS, RATES, strict=True))
    return identity | rates | {"auroc": value + 0.001 * run.seed} | (_rows(value) if run.part == OFFICIAL else {})


def _rows(value: float, n: int = 40) -> Row:
    better = round(value * n)
    positive = {f"positive {i}": float(i < better) for i in range(n)}
    return positive | {f"negative {i}": 0.5 for i in range(n)}


def test_splits_keep_the_official_rows_and_the_subjects_apart(files: None) -> None:
    X = trials.trials(IMAGERY).X
    (official,) = splits(OFFICIAL, FINGERS, 3)
    np.testing.assert_array_equal(official.X_test, X[40:60])
    (across,) = splits(ACROSS, IMAGERY, 1)
    np.testing.assert_array_equal(across.X_test, X[20:40])
    assert len(across.X) == (N_SUBJECTS - 1) * EACH
    within = splits(WITHIN, IMAGERY, 1)
    assert [len(one.X) for one in within] == [16] * 5
    tested = np.concatenate([one.X_test for one in within])
    assert {row.tobytes() for row in tested} == {row.tobytes() for row in X[20:40]}
    assert all(one.y_test.mean() == 0.5 for one in within)


def test_windows_that_overlap_are_channels_again() -> None:
    channels = np.random.default_rng(0).normal(size=(4, 28, 50)).astype(np.float32)
    values = channels.reshape(4, -1)
    windows = np.stack([values[:, 28 * c : 28 * c + 50] for c in range(28)], axis=1)
    np.testing.assert_array_equal(trials.unrolled(windows), channels[:, :16])
    np.testing.assert_array_equal(trials.unrolled(channels), channels)


def test_patterns_find_the_channels_of_a_rhythm() -> None:
    X, y = rhythms(60)
    found = SpatialPatterns(80.0, pairs=1).fit(X, y)
    assert set(np.abs(found.patterns_).argmax(axis=0)) == {0, 1}
    assert found.transform(X).shape == (60, 2)
    X_test, y_test = rhythms(60, seed=1)
    shown = pattern_classifier(80.0).fit(X, y).predict_proba(X_test)[:, 1]
    assert roc_auc_score(y_test, shown) > 0.95


def test_patterns_see_nothing_outside_their_band() -> None:
    times = np.arange(320) / 80.0
    slow, inside = (np.sin(2 * np.pi * hertz * times)[None, None] for hertz in (2, 15))
    banded = SpatialPatterns(80.0)._banded
    assert banded(slow).std() < 0.05 * slow.std()
    assert banded(inside).std() == pytest.approx(inside.std(), rel=0.1)


@pytest.mark.parametrize("method", eeg.METHODS)
def test_every_method_is_measured(files: None, method: str) -> None:
    slow = method in ("MLP", "ConvNet")
    for part, problem in [(OFFICIAL, FINGERS)] if slow else eeg.PARTS.items():
        found = eeg.measure(Run(part, problem, method, 0, 1, "quick"))
        assert 0 <= found["auroc"] <= 1
        assert sum(name.startswith(("positive", "negative")) for name in found) == (20 if part == OFFICIAL else 0)
        assert method != "CSP + LR" or found["auroc"] > 0.8


def test_the_net_sees_means_of_neighboring_samples() -> None:
    X = np.arange(2 * 3 * 7, dtype=float).reshape(2, 3, 7)
    np.testing.assert_array_equal(eeg.means(X, 3), X[:, :, [1, 4]])


def test_drawing_again_gives_the_area_and_its_interval() -> None:
    table = made_up(lambda run: 0.75)
    found = redrawn(table, OFFICIAL)["MORF"]
    low, high = found.bounds()
    assert found.value == 0.75 and 0.55 < low < 0.7 and 0.8 < high < 0.95
    same = found.minus(redrawn(table, OFFICIAL)["RF"])
    assert same.value == 0.0 and not same.apart()


def test_the_page_decides_by_paired_tests() -> None:
    def value(run: Run) -> float:
        return {"RF": 0.3, "CSP + LR": 0.9}.get(run.method, 0.6) * (1 + 0.003 * run.seed)

    page = load("eeg").page(made_up(value))
    assert page.count("- CSP + LR beats MORF, ours, SPORF, MLP, ConvNet, RF.") == 3
    assert "- RF beats" not in page and "nan" not in page
    even = load("eeg").page(made_up(lambda run: 0.6))
    assert even.count("**Nobody beats anybody here.**") == 3


def test_seeds_of_one_split_show_nothing_by_themselves() -> None:
    page = load("eeg").page(made_up(lambda run: 0.6 + (0.03 + 0.0001 * run.seed) * (run.method == "RF")))
    official, across = page.split("## ")[1:3]
    assert "**Nobody beats anybody here.**" in official
    assert "- RF beats" in across


@pytest.mark.parametrize("parts", [(OFFICIAL, ACROSS, WITHIN), (ACROSS,)])
def test_the_figure_has_curves_above_and_dots_below(parts: tuple[str, ...]) -> None:
    table = Table([row for row in made_up(lambda run: 0.6).rows if row["part"] in parts])
    figure = load("eeg").figures(table)["eeg"]
    figure.savefig(drawn := BytesIO(), format="png")
    assert drawn.getvalue().startswith(b"\x89PNG")
    assert len(figure.axes) == 2 * len(parts)
    assert all(ax.lines for ax in figure.axes)

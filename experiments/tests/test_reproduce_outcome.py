"""The experiment on outcomes of surgery: splits by subject, files of a user's own, and what its page says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from foliation_experiments import load
from foliation_experiments.classes.roc import COLUMNS, RATES, roc
from foliation_experiments.command import reproduce
from foliation_experiments.effects import cohens_d
from foliation_experiments.harness.experiment import Run
from foliation_experiments.harness.session import Request, page_of, run
from foliation_experiments.harness.table import Table
from foliation_experiments.recordings import outcome
from foliation_experiments.recordings.recordings import read, recordings, split

Arrays = dict[str, Any]


def cohort(seed: int = 0) -> Arrays:
    """Return recordings of 20 subjects whose outcome is the level of their first rows."""
    rng = np.random.default_rng(seed)
    subject = np.repeat([f"S{i:02}" for i in range(20)], 2)
    y = np.repeat(np.arange(20) % 2, 2)
    X = rng.normal(size=(40, 6, 12))
    X[:, :3] += 2 * y[:, None, None]
    return {"X": X, "y": np.array(["bad", "good"])[y], "subject": subject}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.npz"
    np.savez(path, **cohort())
    return path


def silent(done: int, total: int, text: str) -> None:
    """Tell nobody."""


def made_up(value: Callable[[Run], float], problem: str = "simulated") -> Table:
    rows = [
        {
            **{name: getattr(run, name) for name in ("part", "problem", "method", "at", "seed")},
            **dict.fromkeys(("auroc", "auroc of recordings"), value(run) + 0.001 * run.seed),
            **dict(zip(COLUMNS, np.sqrt(RATES), strict=True)),
        }
        for run in outcome.runs(problem, "full")
    ]
    return Table(rows)


def test_splits_are_by_subject_stratified_and_the_same_for_all() -> None:
    found = recordings(None)
    for seed in range(3):
        trained, tested = split(found, seed)
        assert not set(found.subject[trained]) & set(found.subject[tested])
        assert (trained | tested).all()
        assert len(set(found.subject[trained])) == 54  # of 91
        shares = [found.outcomes()[np.unique(found.subject[part])].mean() for part in (trained, tested)]
        assert shares[0] == pytest.approx(shares[1], abs=0.03)
    assert not np.array_equal(split(found, 0)[0], split(found, 1)[0])


@pytest.mark.parametrize("method", outcome.METHODS)
def test_every_method_finds_a_plain_difference(file: Path, method: str) -> None:
    found = outcome.measure(file, Run("figure", "mine", method, 0, 0, "quick"))
    assert found["auroc"] > 0.7
    assert 0 <= found["auroc of recordings"] <= 1
    assert [found[name] for name in (COLUMNS[0], COLUMNS[-1])] == [0.0, 1.0]


def test_subjects_have_the_mean_of_their_recordings(file: Path) -> None:
    found = read(file)
    means = outcome.by_subject(np.arange(40.0), found)
    np.testing.assert_array_equal(means, np.arange(0.5, 40, 2))
    np.testing.assert_array_equal(found.outcomes(), np.arange(20) % 2)


def test_a_roc_curve_has_its_area_and_rises() -> None:
    found = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert found["auroc"] == 0.75
    heights = [found[name] for name in COLUMNS]
    assert heights == sorted(heights) and len(heights) == 21


def test_cohens_d_is_pooled_and_has_an_interval() -> None:
    a, b = np.random.default_rng(0).normal(size=(2, 200)) + np.array([[1.0], [0.0]])
    found = cohens_d(a, b)
    assert found.d == pytest.approx((a.mean() - b.mean()) / np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 2))
    assert found.low < found.d < found.high
    assert str(cohens_d([1.0, 1.0], [1.0, 1.0])) == "-" == str(cohens_d([1.0], [2.0]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": None}, "has no array y: expected X"),
        ({"X": np.zeros((40, 6))}, r"X is float64 of shape \(40, 6\): expected numbers"),
        ({"X": np.full((40, 6, 12), "a")}, "expected numbers"),
        ({"subject": np.arange(39)}, r"subject has shape \(39,\): expected \(40,\), one for each recording"),
        ({"X": np.full((40, 6, 12), np.nan)}, "X contains NaN or infinity"),
        ({"y": np.zeros(40)}, "y has 1 classes: expected two outcomes"),
        ({"y": np.arange(40) % 3}, "y has 3 classes: expected two outcomes"),
        ({"y": np.arange(40) % 2}, "the subject S00 has recordings with both outcomes"),
        ({"y": np.repeat(np.arange(20) < 3, 2)}, "has 3 subjects of one outcome: expected at least 5 of each"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path: Path, change: Arrays, message: str) -> None:
    arrays = {name: array for name, array in (cohort() | change).items() if array is not None}
    np.savez(path := tmp_path / "bad.npz", **arrays)
    with pytest.raises(ValueError, match=message) as refused:
        read(path)
    assert "bad.npz" in str(refused.value) and "\n" not in str(refused.value)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such file"):
        read(tmp_path / "none.npz")
    (text := tmp_path / "text.npz").write_text("no arrays")
    np.save(single := tmp_path / "single.npy", np.zeros(3))
    for path in (text, single):
        with pytest.raises(ValueError, match=r"expected an \.npz file of plain arrays"):
            read(path)


def test_a_file_is_run_resumed_and_not_mixed_with_others(file: Path, tmp_path: Path) -> None:
    request = Request(tmp_path / "outcome", only=("kNN",))
    page = run(load("outcome", file), request, silent).page.read_text()
    assert "mine.npz (SHA-256 " in page and "imulated" not in page
    made = json.loads((tmp_path / "outcome" / "settings.json").read_text())
    assert made["file"] == made["problem"][0]
    page_of(load("outcome", file), replace(request, only=()))
    with pytest.raises(ValueError, match=r"holds runs on mine\.npz \(SHA-256 .*\): add --fresh"):
        run(load("outcome"), request, silent)
    np.savez(file, **cohort(1))
    with pytest.raises(ValueError, match=r"holds runs on mine\.npz"):
        run(load("outcome", file), request, silent)


def test_the_command_tells_what_is_wrong_with_data(file: Path, tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(reproduce)

    def error_of(*arguments: str) -> str:
        result = CliRunner().invoke(app, [*arguments, "--output", str(tmp_path)])
        assert result.exit_code == 2
        return " ".join(result.output.split())

    assert "the experiment circle takes no --data." in error_of("circle", "--data", str(file))
    assert "no such file." in error_of("outcome", "--data", str(tmp_path / "gone.npz"))


def test_the_figure_and_the_page_say_what_the_recordings_are() -> None:
    for problem, name in (("simulated", "Simulated"), ("mine.npz (SHA-256 12)", "mine.npz")):
        table = made_up(lambda run: 0.6, problem)
        figure = load("outcome").figures(table)["outcome"]
        figure.savefig(drawn := BytesIO(), format="png")
        assert drawn.getvalue().startswith(b"\x89PNG")
        assert name in figure.axes[0].get_title()
        page = load("outcome").page(table)
        assert ("These recordings are simulated" in page) == (problem == "simulated")
        assert all(method in page for method in outcome.METHODS) and "nan" not in page


def test_the_page_decides_by_paired_tests() -> None:
    def value(run: Run) -> float:
        lead = {"RF": -0.2, "LR": 0.1}.get(run.method, 0.0)
        return 0.7 + lead * (1 + 0.01 * run.seed)

    page = load("outcome").page(made_up(value))
    assert "MORF beats RF; is beaten by LR; cannot be told apart from ours, SPORF" in page
    assert "| RF | **+0.209 ± 0.004** | 0.002 |" in page

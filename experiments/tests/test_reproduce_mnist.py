"""The experiments on MNIST: what they run, what they measure, and what their pages say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from foliation_experiments import load
from foliation_experiments.classes import problems
from foliation_experiments.classes.convnet import _limits
from foliation_experiments.harness.experiment import Run, Scale
from foliation_experiments.harness.table import Row, Table
from foliation_experiments.images.digits import digits, some_of_each
from foliation_experiments.images.importance import maps, roughness

NUMBERS = [f"{kind} {name}" for kind in ("count", "gain") for name in ("roughness", "empty", "faint")]
COLUMNS = {
    "mnist": ["error", "fit seconds", "predict seconds"],
    "importance": ["pixels empty", "pixels faint", *NUMBERS],
}


@pytest.fixture
def images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write small digits, enlarged, as if they were MNIST, and make quick runs small."""
    found = load_digits()
    large = found.images.repeat(3, axis=1).repeat(3, axis=2)
    X = np.pad(15 * large, ((0, 0), (2, 2), (2, 2))).astype(np.uint8)
    (tmp_path / "images").mkdir()
    np.savez(tmp_path / "images" / "mnist.npz", X=X, y=found.target.astype(np.uint8), n_train=np.int64(1500))
    monkeypatch.setenv("FOLIATION_DATA", str(tmp_path))
    monkeypatch.setitem(problems.TREES, "quick", 10)


def made_up(name: str, scale: Scale, value: Callable[[Run], float]) -> Table:
    """Return a table of all runs in which every figure has a value, and a little noise over seeds."""
    rows = [_row(run, COLUMNS[name], value(run)) for run in load(name).runs(scale) if run.part == "figure"]
    return Table(rows, scale)


def _row(run: Run, columns: list[str], value: float) -> Row:
    identity: Row = {name: getattr(run, name) for name in ("part", "problem", "method", "at", "seed")}
    return identity | dict.fromkeys(columns, value * (1 + 1e-3 * run.seed))


def error(boosted: float, forest: float) -> Callable[[Run], float]:
    return lambda run: {"XGB 100": boosted, "MORF": forest, "ours": forest}.get(run.method, 0.2)


def test_images_are_nested_over_sizes_and_bytes(images: None) -> None:
    small, large = (digits(Run("figure", "mnist", "RF", n, 1, "quick")) for n in (100, 1000))
    assert small.X.shape == (100, 28, 28) and small.X.dtype == np.uint8
    np.testing.assert_array_equal(small.X, large.X[:100])
    np.testing.assert_array_equal(small.X_test, large.X_test)
    assert len(small.y_test) == 297
    other = digits(Run("figure", "mnist", "RF", 100, 2, "quick"))
    assert (small.X != other.X).any() and (small.X_test == other.X_test).all()


def test_as_many_of_each_digit_are_drawn(images: None) -> None:
    X, y = some_of_each((3, 5), 100, 0)
    assert X.shape == (200, 28, 28) and y.tolist() == [3] * 100 + [5] * 100
    assert len(np.unique(X.reshape(200, -1), axis=0)) == 200


def test_full_runs_are_those_of_the_paper() -> None:
    runs = load("mnist").runs("full")
    assert len(set(runs)) == len(runs)
    for method in ("MORF", "ours", "SVM", "ConvNet"):
        draws = [sum((run.part, run.method, run.at) == ("figure", method, n) for run in runs) for n in _SIZES]
        assert draws == [10, 10, 10, 10, 10, 3, 3]
    assert {run.part for run in runs} == {"figure", "003"} and {run.method for run in runs if run.part == "003"} == {
        "MORF"
    }


_SIZES = (100, 500, 1000, 5000, 10_000, 30_000, 60_000)


def test_slow_runs_come_last_and_quick_ones_are_small() -> None:
    runs = load("mnist").runs("full")
    slow = {run.method for run in runs[-10:]}
    assert "RF" not in slow and runs[-1].at == 60_000
    assert max(run.at for run in load("mnist").runs("quick")) == 1000


@pytest.mark.filterwarnings("ignore:Liblinear failed to converge")
@pytest.mark.parametrize("method", ["RF", "MORF", "ours", "kNN", "LR", "linear SVM"])
def test_methods_learn(method: str, images: None) -> None:
    found = load("mnist").measure(Run("figure", "mnist", method, 500, 0, "quick"))
    assert found["error"] < 0.25 and found["fit seconds"] > 0


def test_the_first_papers_patches_are_others(images: None) -> None:
    parts = ("figure", "003")
    found = [load("mnist").measure(Run(part, "mnist", "MORF", 100, 0, "quick"))["error"] for part in parts]
    assert found[0] != found[1]


def test_convnets_are_as_patient_as_ever_up_to_2000_rows() -> None:
    assert {_limits(n) for n in (1, 10, 250, 251, 1000, 2000)} == {(1000, 20)}
    assert _limits(5000) == (400, 8) and _limits(60_000) == (34, 3)


@pytest.mark.parametrize("scale", ["quick", "full"])
def test_importances_have_all_draws(scale: Scale) -> None:
    runs = load("importance").runs(scale)
    assert len(set(runs)) == len(runs) == 4 * problems.DRAWS[scale] and {run.at for run in runs} == {200}


def test_roughness_is_that_of_its_definition() -> None:
    spike = np.zeros((9, 9))
    assert roughness(spike + 1) == 0
    spike[4, 4] = 0.5
    assert roughness(spike) == roughness(3 * spike) == 4
    spike[4, 5] = 0.5
    assert roughness(spike) == 3


def test_patches_are_smoother_and_single_pixels_never_empty(images: None) -> None:
    methods = ("difference of the means", "RF", "SPORF", "MORF")
    found = {method: load("importance").measure(Run("", "", method, 200, 0, "quick")) for method in methods}
    assert all(list(one) == COLUMNS["importance"] for one in found.values())
    assert found["RF"]["count empty"] == found["RF"]["gain empty"] == 0 < found["SPORF"]["count empty"]
    assert found["MORF"]["count roughness"] < found["SPORF"]["count roughness"]
    assert 0 < found["RF"]["pixels empty"] <= found["RF"]["pixels faint"] < 1


def test_maps_can_be_made_again(images: None) -> None:
    first, again = (maps("MORF", 0, "quick") for _ in range(2))
    assert all(shares.shape == (28, 28) and shares.sum() == pytest.approx(1) for shares in first.values())
    np.testing.assert_array_equal(first["count"], again["count"])


@pytest.mark.parametrize("scale", ["quick", "full"])
@pytest.mark.parametrize("name", ["mnist", "importance"])
def test_figures_and_pages_are_made(name: str, scale: Scale, images: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(problems.TREES, "full", 10)
    table = made_up(name, scale, lambda run: 0.1)
    for figure in load(name).figures(table).values():
        figure.savefig(drawn := BytesIO(), format="png")
        assert drawn.getvalue().startswith(b"\x89PNG")
    page = load(name).page(table)
    assert all(method in page for method in table.methods()) and "nan" not in page
    assert ("published" in page) == (name == "mnist" and scale == "full")


def test_the_page_says_who_is_ahead_with_many_images() -> None:
    boosted, forest = (
        load("mnist").page(made_up("mnist", "full", error(*pair))) for pair in ((0.02, 0.03), (0.03, 0.02))
    )
    for page in (boosted, forest):
        assert "XGBoost is ahead of MORF from\n30,000 images on: 0.029 against 0.033 with 30,000" in page
    few = "3 draws are too few to say that one beats the other"
    assert f"- 30,000 images: `XGB 100` is ahead of `MORF` by 0.010 ± 0.000; {few}." in boosted
    assert f"- 60,000 images: `ours` is ahead of `XGB 100` by 0.010 ± 0.000; {few}." in forest
    assert "There are no such runs here." in load("mnist").page(made_up("mnist", "quick", error(0.1, 0.1)))


def test_ten_draws_can_beat() -> None:
    table = made_up("mnist", "full", error(0.02, 0.03))
    more = [
        row | {"seed": seed} for row in table.rows if row["at"] == 30_000 and row["seed"] == 0 for seed in range(10)
    ]
    more = [row | {"error": row["error"] * (1 + 1e-3 * row["seed"])} for row in more]
    page = load("mnist").page(replace(table, rows=[row for row in table.rows if row["at"] != 30_000] + more))
    assert "- 30,000 images: `XGB 100` beats `MORF`, by 0.010 ± 0.000." in page


def test_the_page_tells_draws_and_minutes() -> None:
    page = load("mnist").page(made_up("mnist", "full", lambda run: 120.0))
    assert "10 draws up to 10,000 images and 3 above." in page
    assert "500 trees on 60,000 images, on one thread beside another run: `RF` 2.0, `SPORF` 2.0" in page


@pytest.mark.parametrize(("rough", "said"), [(0.5, "yes"), (2.0, "no, the other way round"), (1.0, "neither beats")])
def test_the_page_says_who_is_smoother(rough: float, said: str) -> None:
    table = made_up("importance", "full", lambda run: rough if run.method == "MORF" else 1.0)
    lines = [line for line in load("importance").page(table).splitlines() if line.startswith("- MORF is smoother")]
    assert len(lines) == 4 and all(said in line for line in lines)

"""The experiments on geodesic forests: what they run, what they measure, and what their pages say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from foliation_experiments import load
from foliation_experiments.distances import forests, problems
from foliation_experiments.distances.brains import embedded
from foliation_experiments.distances.screen import NOISES, noisy
from foliation_experiments.harness.experiment import Run, Scale
from foliation_experiments.harness.table import Row, Table

NAMES = ("geodesic", "candidates", "screen", "connectome")
SCALES: tuple[Scale, ...] = ("quick", "full")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make quick runs small: as many points as the largest number of neighbors needs."""
    monkeypatch.setitem(problems.ROWS, "quick", 210)
    monkeypatch.setitem(forests.TREES, "quick", 10)


@pytest.fixture
def brain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write graphs of four types of neurons that send mostly to the next type, some by strong edges."""
    rng = np.random.default_rng(0)
    types = np.repeat(np.arange(4), 55)
    likely = np.where((types[:, None] + 1) % 4 == types, 0.4, 0.05)
    (tmp_path / "connectomes").mkdir()
    for side in ("right", "left"):
        edges = (rng.random(likely.shape) < likely) * rng.integers(1, 20, likely.shape)
        labels = np.array(list("IKOP"))[types]
        path = tmp_path / "connectomes" / f"drosophila_{side}.npz"
        np.savez(path, X=edges.astype(np.float32), y=types, labels=labels)
    monkeypatch.setenv("FOLIATION_DATA", str(tmp_path))


def measured(name: str, run: Run) -> dict[str, float]:
    return load(name).measure(replace(run, scale="quick"))


def made_up(name: str, value: Callable[[Run], float]) -> Table:
    """Return a table of all quick runs in which every figure has a value, and a little noise over seeds."""
    experiment = load(name)
    runs = experiment.runs("quick")
    columns = [*(f"precision@{k}" for k in (15, *range(10, 201, 10))), "component@50", "support", "fit seconds"]
    columns += [f"{what}@{k}" for what in ("recall", "chance", "best") for k in range(50, 201, 10)]
    return Table([_row(run, columns, value(run)) for run in runs], "quick")


def _row(run: Run, columns: list[str], value: float) -> Row:
    identity: Row = {name: getattr(run, name) for name in ("part", "problem", "method", "at", "seed")}
    return identity | dict.fromkeys(columns, value + 1e-4 * run.seed)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", NAMES)
def test_runs_are_distinct_and_have_all_seeds(name: str, scale: Scale) -> None:
    runs = load(name).runs(scale)
    assert len(set(runs)) == len(runs)
    points = {(run.part, run.problem, run.method, run.at) for run in runs}
    n_seeds = (problems.FEW_SEEDS if name in ("candidates", "screen") else problems.SEEDS)[scale]
    assert len(runs) == len(points) * n_seeds
    assert {run.seed for run in runs} == set(range(n_seeds))


def test_full_runs_are_those_of_the_paper() -> None:
    ats = {part: {run.at for run in load("geodesic").runs("full") if run.part == part} for part in _PARAMETERS}
    assert ats == _PARAMETERS
    assert problems.ROWS["full"] == 1000 and problems.SEEDS["full"] == 10 and forests.TREES["full"] == 300


_PARAMETERS = {"min_samples_split": {2, 52, 102, 202, 302, 452}, "max_features": {1, 3, 5, 7, 9}}


def one_of_each_part(name: str) -> Iterator[Run]:
    seen: set[str] = set()
    for run in load(name).runs("quick"):
        if run.part not in seen:
            seen.add(run.part)
            yield run


@pytest.mark.parametrize("name", ["geodesic", "candidates", "screen"])
def test_every_part_can_be_measured_again(name: str, small: None) -> None:
    for run in one_of_each_part(name):
        found, again = measured(name, run), measured(name, run)
        shares = {key: value for key, value in found.items() if "@" in key}
        assert all(0 <= value <= 1 for value in shares.values())
        assert shares == {key: value for key, value in again.items() if "@" in key}
        assert found["precision@50"] > found["precision chance@50"] or name == "screen"


def test_rules_differ_and_count_their_features(small: None) -> None:
    methods = ("fast_bic, axis", "fast_bic, nonzeros 1.5", "fast_bic, density 1/20", "two_means, axis")
    found = [measured("geodesic", Run("rules", "mixture", method, 0, 0)) for method in methods]
    assert len({one["precision@50"] for one in found}) == len(methods)
    assert found[0]["support"] == 1.0
    assert 1.3 < found[1]["support"] < 2.0 and 1.0 <= found[2]["support"] < 1.1
    assert found[0]["component@50"] > 2 * found[0]["component chance@50"]


@pytest.mark.parametrize(("part", "low", "high"), [("min_samples_split", 2, 102), ("max_features", 1, 9)])
def test_parameters_reach_the_forest(part: str, low: int, high: int, small: None) -> None:
    values = [measured("geodesic", Run(part, "line", "GF", at, 0))["precision@50"] for at in (low, high)]
    assert values[0] != values[1]


def test_more_noise_is_harder(small: None) -> None:
    found = [measured("geodesic", Run("affinity", "line", "leaf, 32", at, 0))["precision@50"] for at in (0, 100)]
    assert found[0] > found[1] + 0.1


def test_candidates_cost_seconds_and_end_at_all_features(small: None) -> None:
    few, many, all_of_them = (
        measured("candidates", Run("axis", "helix", method, at, 0))
        for method, at in (("sqrt", 10), ("100", 10), ("300", 10))
    )
    assert few["fit seconds"] > 0
    assert many["precision@50"] == all_of_them["precision@50"] != few["precision@50"]


def test_classes_of_data_are_found(small: None) -> None:
    found = measured("candidates", Run("axis on data", "wine", "sqrt", 0, 0))
    assert found["precision@15"] > 1.5 * found["precision chance@15"]


@pytest.mark.parametrize(("part", "kurtosis"), [("Gaussian", 0.0), ("uniform", -1.2), ("Student t", 6.0)])
def test_noise_has_its_variance_and_shape(part: str, kurtosis: float) -> None:
    drawn = NOISES[part](np.random.default_rng(0), (2000, 500))
    assert drawn.var() == pytest.approx(1.0, abs=0.02)
    assert stats.kurtosis(drawn.ravel()) == pytest.approx(kurtosis, abs=1.5 if kurtosis > 0 else 0.05)
    points = noisy(Run(part, "sphere", "axis, screen 0", 100, 0, "quick")).points
    assert points.shape == (problems.ROWS["quick"], 103)
    assert points[:, 3:].var() == pytest.approx(70.0, rel=0.1)


def test_screening_finds_signal_under_gaussian_noise(small: None) -> None:
    found = {
        screen: measured("screen", Run("Gaussian", "line", f"axis, screen {screen}", 100, 0))["precision@50"]
        for screen in ("0", "1")
    }
    assert found["1"] > found["0"] + 0.1


def test_connectomes_are_measured_weighted_and_not(small: None, brain: None) -> None:
    for problem in ("right", "left unweighted"):
        for method in ("GF", "GF depth", "Euclidean", "Breiman"):
            found = measured("connectome", Run("connectome", problem, method, 0, 0))
            assert found["chance@50"] < found["precision@50"] <= found["best@50"] == 1.0
            assert found["recall@200"] > found["recall@50"]
    weighted, present = (embedded(problem)[0] for problem in ("right", "right unweighted"))
    assert weighted.shape == present.shape == (220, 6) and np.abs(weighted - present).max() > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_figures_and_pages_are_made_of_quick_runs(name: str, brain: None) -> None:
    table = made_up(name, lambda run: 0.5)
    for figure in load(name).figures(table).values():
        figure.savefig(drawn := BytesIO(), format="png")
        assert drawn.getvalue().startswith(b"\x89PNG")
        assert all(ax.lines or ax.collections for ax in figure.axes)
    page = load(name).page(table)
    assert all(method.split(", ")[0] in page for method in table.methods())
    assert "nan" not in page


@pytest.mark.parametrize(("lead", "said"), [(0.1, "better at 8"), (0.0, "better at 0"), (-0.1, "worse at 8")])
def test_the_page_decides_between_affinities_by_the_paired_interval(lead: float, said: str) -> None:
    table = made_up("geodesic", lambda run: 0.5 + lead * run.method.startswith("depth"))
    page = load("geodesic").page(table)
    verdicts = [line for line in page.splitlines() if line.startswith("- `min_samples_split")]
    assert len(verdicts) == 2 and all(said in line for line in verdicts)


def test_published_values_stand_beside_as_many_points_only() -> None:
    quick = made_up("geodesic", lambda run: 0.5)
    pages = [load("geodesic").page(table) for table in (quick, replace(quick, scale="full"))]
    assert ["published" in page for page in pages] == [False, True]
    assert "of 300 points" in pages[0] and "of 1000 points" in pages[1]


def test_the_page_says_what_candidates_bring_and_cost() -> None:
    table = made_up("candidates", lambda run: 0.2 + 0.2 * (run.method == "300") * (run.at == 100))
    page = load("candidates").page(table)
    assert "| 100 noise dimensions | 300 | +0.200 | 4 | 0 | 4 | 2 times |" in page
    assert "| 10 noise dimensions | 300 | +0.000 | 0 | 0 | 4 | 1 times |" in page
    assert "with 100 noise dimensions better at 4, worse at 0 of 4 points, +0.200 on average, for 2 times" in page
    assert "| digits | third | +0.000 | 0 | 0 | 1 | 1 times |" in page


def test_the_page_says_where_screening_harms() -> None:
    def value(run: Run) -> float:
        return 0.5 - 0.2 * (run.part == "data" and run.method == "axis, screen 1")

    page = load("screen").page(made_up("screen", value))
    assert "| data | axis, screen 1 | -0.200 | 0 | 2 | 2 |" in page
    assert "| Gaussian | axis, screen 1 | +0.000 | 0 | 0 | 8 |" in page


def test_the_page_sets_published_values_beside_both_graphs() -> None:
    page = load("connectome").page(made_up("connectome", lambda run: 0.6 + 0.1 * (run.method == "GF")))
    assert "| GF | *published* | 0.794 | 0.633 | 0.500 |" in page
    assert "| Euclidean | +0.100 (better 4, worse 0) |" in page
    assert "at most\n0.190 with weights" in page

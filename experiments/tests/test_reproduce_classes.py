"""The experiments on SPORF, complexity, patch sizes and seconds: runs, measures, pages and figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from foliation_experiments import load
from foliation_experiments.classes import contenders, learning, problems
from foliation_experiments.classes.sides import Sides, listed
from foliation_experiments.harness.data import Split
from foliation_experiments.harness.experiment import Run, Scale
from foliation_experiments.harness.table import Row, Table
from foliation_experiments.simulated import misspecified, runtime
from foliation_experiments.simulated.optimum import beside, optimum, relative
from foliation_experiments.tables import sporf, tuning

NAMES = ("sporf", "complexity", "misspecified", "runtime")
COLUMNS = ("error", "accuracy", "max depth", "mean leaf depth", "leaves", "fit seconds", "predict seconds")
SCALES: tuple[Scale, ...] = ("quick", "full")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(problems.TREES, "quick", 10)
    monkeypatch.setitem(problems.TEST_ROWS, "quick", 200)


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a small table whose classes differ in a sum of two features, and published errors of it."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 9)).astype(np.float32)
    (tmp_path / "tabular").mkdir()
    np.savez(tmp_path / "tabular" / "ionosphere.npz", X=X, y=(X[:, 0] + X[:, 1] > 0).astype(np.int64))
    lines = "dataset,rf_err,rf_sd,rerf_err,rerf_sd,xgb_err\nionosphere,0.1,0.02,0.05,0.01,0.3\n"
    (tmp_path / "tabular" / "sporf_paper_errors.csv").write_text(lines)
    monkeypatch.setenv("FOLIATION_DATA", str(tmp_path))


def measured(name: str, run: Run) -> dict[str, float]:
    return load(name).measure(replace(run, scale="quick"))


def made_up(name: str, value: Callable[[Run], float], scale: Scale = "full") -> Table:
    """Return a table of all runs in which every figure has a value, and a little noise over seeds."""
    return Table([_row(run, value(run)) for run in load(name).runs(scale)], scale)


def _row(run: Run, value: float) -> Row:
    identity: Row = {name: getattr(run, name) for name in ("part", "problem", "method", "at", "seed")}
    noise = np.random.default_rng([crc32(run.method.encode()), run.seed]).normal(scale=1e-3)
    return identity | dict.fromkeys(COLUMNS, value + noise)


def grid(name: str, scale: Scale) -> dict[tuple[str, str], set[float]]:
    found: dict[tuple[str, str], set[float]] = {}
    for run in load(name).runs(scale):
        found.setdefault((run.part, run.problem), set()).add(run.at)
    return found


def test_simulations_of_sporf_have_the_sizes_of_its_authors() -> None:
    sizes = {problem: ats for (part, problem), ats in grid("sporf", "full").items() if part == "simulations"}
    decades = {10, 100, 1000, 10_000}
    assert sizes == {
        "sparse parity": {1000, 5000, 10_000},
        "orthant": {400, 2000, 4000},
        "trunk, p = 10": decades,
        "trunk, p = 100": decades,
    }
    assert len({problem for part, problem in grid("sporf", "full") if part == "tables"}) == 14
    assert set(grid("sporf", "quick")) < set(grid("sporf", "full"))


@pytest.mark.parametrize("name", ["complexity", "runtime"])
def test_learning_curves_have_the_sizes_of_the_paper(name: str) -> None:
    assert all(ats == set(problems.SIZES) for ats in grid(name, "full").values())
    assert {problem for _, problem in grid(name, "full")} == {"circle", "bars", "impulse"}


def test_runtime_times_every_classifier_alone_with_one_thread_and_two() -> None:
    assert (load("runtime").n_processes, load("complexity").n_processes) == (1, 2)
    runs = load("runtime").runs("full")
    assert {run.part for run in runs} == {"1 thread", "2 threads"}
    assert {run.method for run in runs} == {"RF", "SPORF", "MORF", "ConvNet", *contenders.OTHERS}
    assert {run.seed for run in runs} == {0, 1, 2}


@pytest.mark.parametrize("scale", SCALES)
def test_ranges_of_patches_are_the_same_in_both_parts_and_hold_the_winners_of_the_paper(scale: Scale) -> None:
    runs = load("misspecified").runs(scale)
    searched, used = ({(run.problem, run.method) for run in runs if run.part == part} for part in misspecified.ROWS)
    assert searched == used >= {("circle", "3-12"), ("bars", "2-2 x 2-9"), ("impulse", "2-12"), ("circle", "3-6")}
    assert len(runs) == len(used) * (15 if scale == "full" else 5)


def test_depths_and_leaves_are_those_of_the_trees(small: None) -> None:
    found = {name: measured("complexity", Run("figure", "bars", name, 50, 0)) for name in ("RF", "MORF")}
    forest = contenders.forest({"n_estimators": 10, **contenders.FORESTS["RF"]}, 0)
    rows = problems.simulated(Run("figure", "bars", "RF", 50, 0, "quick"))
    trees = [forest.fit(rows.X, rows.y).tree(number) for number in range(10)]
    assert found["RF"]["max depth"] == max(tree.depth for tree in trees)
    assert found["RF"]["leaves"] == sum(tree.n_leaves for tree in trees)
    assert 0 < found["MORF"]["mean leaf depth"] < found["RF"]["mean leaf depth"]


def test_folds_are_stratified_and_never_test_what_they_train_on() -> None:
    folds = [misspecified.fold_of(Run("ranges", "impulse", "2-12", 0, fold)) for fold in range(10)]
    assert all(split.X.shape == (450, 100) and split.y_test.mean() == 0.5 for split in folds)
    tested = np.concatenate([split.X_test[:, 0] for split in folds])
    assert len(set(tested)) == 500
    assert not set(folds[0].X_test[:, 0]) & set(folds[0].X[:, 0])


def test_patches_of_every_problem_are_measured(small: None) -> None:
    for problem, method in (("circle", "3-12"), ("bars", "2-2 x 2-9"), ("impulse", "2-12")):
        assert 0.5 < measured("misspecified", Run("ranges", problem, method, 0, 1))["accuracy"] <= 1


@pytest.mark.parametrize(("part", "method"), [("1 thread", "MORF"), ("2 threads", "kNN"), ("2 threads", "LR")])
def test_seconds_are_measured(part: str, method: str, small: None) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("xgboost")
    found = measured("runtime", Run(part, "impulse", method, 50, 0))
    assert found["fit seconds"] > 0 and found["predict seconds"] > 0


def test_threads_reach_the_classifiers() -> None:
    run = Run("2 threads", "circle", "RF", 10, 0, "quick")
    assert runtime.classifier(run, 2).n_jobs == 2
    assert runtime.classifier(replace(run, method="kNN"), 2)[-1].n_jobs == 2
    assert contenders.other("kNN", 0)[-1].n_jobs == 1


def test_sporf_is_measured_on_simulations_and_tables(small: None, tables: None) -> None:
    runs = [Run("simulations", "trunk, p = 10", method, 100, 0) for method in ("RF", "SPORF")]
    runs += [Run("tables", "ionosphere", method, 0, 7) for method in ("SPORF", "SPORF, tuned", "RF, tuned")]
    found = [measured("sporf", run) for run in runs]
    assert all(0 <= one["error"] < 0.5 for one in found)
    assert ["candidates" in one for one in found] == [False, False, False, True, True]


def test_folds_of_a_table_are_new_every_five_seeds(tables: None) -> None:
    folds = [sporf.fold(Run("tables", "ionosphere", "RF", 0, seed)) for seed in range(10)]
    assert all(len(split.y_test) == 40 for split in folds)
    assert len({float(split.X_test[:, 0].sum()) for split in folds}) == 10
    assert len(set(np.concatenate([split.X_test[:, 0] for split in folds[5:]]))) == 200


def test_rf_is_tuned_within_its_features_and_sporf_beyond_them() -> None:
    assert [one["max_features"] for one in tuning.grid("RF", "simulations", 20)] == [5, 20]
    assert {one["max_features"] for one in tuning.grid("SPORF", "simulations", 20)} == {5, 20, 90}
    assert {one["max_features"] for one in tuning.grid("SPORF", "tables", 256)} == {16, 64}
    assert {one["projections"].nonzeros for one in tuning.grid("SPORF", "tables", 256)} == {1.5, 3.0}


@pytest.mark.parametrize("name", NAMES)
def test_figures_and_pages_are_made(name: str, tables: None) -> None:
    full, quick = (made_up(name, lambda run: 0.5 + 0.01 * len(run.method), scale) for scale in ("full", "quick"))
    for figure in load(name).figures(full).values():
        figure.savefig(drawn := BytesIO(), format="png", dpi=30)
        assert drawn.getvalue().startswith(b"\x89PNG")
    for table in (full, quick):
        page = load(name).page(table)
        assert all(method in page for method in table.methods())
        assert "nan" not in page


def test_the_page_has_the_settings_of_forests_and_what_ours_beats() -> None:
    errors = {"MORF": 0.3, "MORF, ours": 0.2, "ConvNet": 0.1}
    page = load("channels").page(made_up("channels", lambda run: errors.get(run.method, 0.4)))
    family = "Patches(contiguous=(False, True), max_size=(3, 10), min_size=(2, 3))"
    assert f"- `MORF, ours`: `projections={family}, max_features=100, bootstrap=False`" in page
    ours = page.split("Error of `MORF, ours` minus that of another method")[1].split("###")[0]
    assert ours.count("| **-0.") == 7 * 10
    assert re.search(r"^\| ConvNet( \| \*\*\+0\.\d+ ± 0\.\d+\*\*){7}", ours, re.MULTILINE)


@pytest.mark.parametrize(
    ("lead", "said"), [(-5.0, "lower at all 7"), (0.0, "not decided at all 7"), (5.0, "higher at all 7")]
)
def test_the_page_says_whether_morf_is_simpler(lead: float, said: str) -> None:
    page = load("complexity").page(made_up("complexity", lambda run: 20 + lead * (run.method == "MORF")))
    cells = [line for line in page.splitlines() if line.startswith("| circle | ")]
    assert len(cells) == 3 and all(line.count(said) == 2 for line in cells)
    assert "| MORF | " in page and "32,786" in page


def test_two_draws_decide_nothing() -> None:
    page = load("complexity").page(made_up("complexity", lambda run: 20.0 - 5 * (run.method == "MORF"), "quick"))
    assert "not decided at all 7" in page and "lower at" not in page
    assert "published" not in page


def accuracy(run: Run) -> float:
    """Return what patches of at most six cells lose on few rows; on many, 5-6 is the best of all."""
    if run.part == "optimum":
        return {"5-6": 0.99, "3-12": 0.98, "2-2 x 2-9": 0.99, "2-12": 0.9}.get(run.method, 0.8)
    lost = run.problem == "circle" and int(run.method.rsplit("-", 1)[1]) <= 6
    return 0.9 - 0.3 * lost


def test_the_best_patches_are_read_off_the_search_and_hold_the_pattern() -> None:
    table = made_up("misspecified", accuracy)
    assert [optimum(table, problem) for problem in misspecified.RANGES] == ["3-12", "2-2 x 2-9", "2-12"]
    assert beside(table, "circle", 1) == []
    assert beside(table, "circle", -1) == ["1-4", "3-4", "1-6", "3-6", "5-6"]
    assert relative(table, "circle", "3-12").mean() == pytest.approx(0)
    assert relative(table, "circle", "3-12").std(ddof=1) == pytest.approx(1)
    assert relative(table, "bars", "2-2 x 2-9").mean() == pytest.approx(0.9, abs=0.01)


def test_the_page_says_which_patches_lose() -> None:
    page = load("misspecified").page(made_up("misspecified", accuracy))
    assert "circle, best 3-12: 5 of 5 ranges whose largest patch cannot hold the pattern are less accurate" in page
    assert "0 of 14 other ranges are less accurate" in page
    assert "In the search, on more rows, 5-6 had a larger mean" in page
    worse = load("misspecified").page(made_up("misspecified", lambda run: 0.9 - 0.2 * (run.method == "1-20")))
    assert "0 of 5 ranges whose largest patch cannot hold the pattern" in worse
    assert "1 of 14 other ranges are less accurate (1-20)" in worse


@pytest.mark.parametrize(("net", "said"), [(9.0, "slower at all 7"), (0.1, "faster at all 7")])
def test_the_page_says_where_the_net_is_slower(net: float, said: str) -> None:
    page = load("runtime").page(made_up("runtime", lambda run: net if run.method == "ConvNet" else 1.0))
    rows = [line for line in page.splitlines() if said in line]
    assert len(rows) == 6 and all(line.count(said) == 2 for line in rows)


def test_the_page_says_where_seconds_do_not_decide() -> None:
    def value(run: Run) -> float:
        return {10: 0.5, 50: 1.1}.get(int(run.at), 2.0) if run.method == "ConvNet" else 1.0 + 0.1 * run.seed

    page = load("runtime").page(made_up("runtime", value))
    assert "faster at 10, slower at 100, 200, 400, 1,000 and 2,000, not decided at 50" in page


@pytest.mark.parametrize(("lead", "word"), [(-0.1, "lower"), (0.1, "higher")])
def test_the_page_says_whether_sporf_is_below_rf(lead: float, word: str, tables: None) -> None:
    page = load("sporf").page(made_up("sporf", lambda run: 0.3 + lead * (run.method == "SPORF")))
    assert f"- sparse parity, error of `SPORF` against `RF`: {word} at all 3." in page
    assert "- sparse parity, error of `SPORF, tuned` against `RF, tuned`: " in page
    counted = "lower on 14" if lead < 0 else "lower on 0, higher on 14"
    assert f"- 14 tables, error of `SPORF` against `RF`: {counted}" in page


def test_published_errors_stand_beside_ours(tables: None) -> None:
    page = load("sporf").page(made_up("sporf", lambda run: 0.2))
    ours = r"0\.(199|200|201)"
    known = (r"0\.100 \(0\.020\)", r"0\.050 \(0\.010\)", r"0\.300")
    assert re.search(r"\| ionosphere \| " + r" \| ".join(rf"{one} \| {ours}" for one in known), page)
    assert "`XGB 100` minus published: -0.1" in page


def test_sides_are_words() -> None:
    assert str(Sides([10.0], [], [1000.0, 2000.0])) == "lower at 10, not decided at 1,000 and 2,000"
    assert str(Sides([], [], [])) == "no runs"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_a_draw_may_lack_a_class() -> None:
    X, y = np.arange(40.0)[:, None], np.where(np.arange(40) < 20, 0, 2)
    split = Split(X, y, np.array([[3.0], [35.0]]), np.array([0, 1]))
    assert learning.score(contenders.other("XGB 10", 0), split)["error"] == 0.5

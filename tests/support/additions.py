"""What the additions of docs/how_to_add.md must do; test_how_to_add.py runs these tests on a package that has them."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

fo: Any = importlib.import_module("foliation")
_core: Any = importlib.import_module("foliation._core")
atlas: Any = importlib.import_module("foliation.analysis.atlas")
rt = pytest.importorskip("onnxruntime")

Floats = NDArray[np.float64]
N_FEATURES, N_ROWS = 6, 120
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N_ROWS, N_FEATURES))
Y = (X[:, 0] > X[:, 2]).astype(int) + (X[:, 3] > X[:, 4])
SERIES = RNG.normal(size=(N_ROWS, 2, 12)).cumsum(axis=2)
RISING = (np.diff(SERIES[:, 0], 2)[:, 3:6].sum(axis=1) > 0).astype(int)


def round_trip(forest: Any, rows: Floats, y: NDArray[Any], folder: Path) -> None:
    """Fit, predict, save, load and export; all ways to predict agree."""
    forest.fit(rows, y)
    assert forest.score(rows, y) > 0.9
    new = np.random.default_rng(1).normal(size=(50, *rows.shape[1:])).cumsum(axis=-1)
    expected = forest.predict_proba(new)
    forest.save(folder / "forest.fol")
    for copy in (fo.load(folder / "forest.fol"), pickle.loads(pickle.dumps(forest)), clone(forest).fit(rows, y)):
        np.testing.assert_array_equal(copy.predict_proba(new), expected)
    fo.export.to_onnx(forest, folder / "forest.onnx")
    session = rt.InferenceSession(folder / "forest.onnx", providers=["CPUExecutionProvider"])
    (exported,) = session.run(None, {"X": new})
    np.testing.assert_allclose(exported, expected, atol=1e-6)


def leaves(forest: Any, cells: Floats) -> NDArray[np.int64]:
    """Return the leaves that rows reach in each tree, computed in NumPy from the atoms and thresholds."""
    reached = np.zeros((len(cells), forest.n_estimators), np.int64)
    for number in range(forest.n_estimators):
        tree = forest.tree(number)
        for row, values in enumerate(cells):
            at = 0 if tree.n_splits else -1
            while at >= 0:
                ids, weights = tree.atom(at)
                at = tree.children[at, int(values[ids] @ weights > tree.threshold[at])]
            reached[row, number] = ~at
    return reached


def honest(**parameters: Any) -> Any:
    """Return a forest that meets all conditions for consistency, but for those on its projections."""
    sampling = {"bootstrap": False, "max_samples": fo.subsample_exponent(0.8)}
    return fo.ForestClassifier(honest=True, min_balance=0.1, max_features=1, **sampling, **parameters)


# ---- a family ----


def test_family_draws_all_differences_of_close_features() -> None:
    grid = importlib.import_module("foliation.data.rows").Grid((N_FEATURES,), flat=True)
    dictionary = _core.Dictionary([fo.Differences(max_lag=2).family(grid)], np.ones(1), N_FEATURES)
    start, ids, weights = dictionary.expand_all(*dictionary.draw(7, 20_000))
    assert (np.diff(start) == 2).all()
    pairs, signs = ids.reshape(-1, 2), weights.reshape(-1, 2)
    assert (signs.sum(axis=1) == 0).all() and (np.abs(signs) == 1).all()
    plus, minus = np.where(signs[:, :1] > 0, pairs, pairs[:, ::-1]).T
    counts = np.zeros((N_FEATURES, N_FEATURES))
    np.add.at(counts, (plus, minus), 1)
    lags = np.abs(np.subtract.outer(np.arange(N_FEATURES), np.arange(N_FEATURES)))
    close = (lags > 0) & (lags <= 2)
    expected = close / close.sum(axis=1, keepdims=True) / N_FEATURES
    spread = np.sqrt(expected * (1 - expected) / 20_000)
    assert (np.abs(counts / 20_000 - expected) <= 5 * spread).all()


@pytest.mark.parametrize("kind", ["float64", "uint8"])
def test_family_projects_on_differences(kind: str) -> None:
    rows = (X * 20 + 100).astype(kind)
    forest = fo.ForestClassifier(5, projections=fo.Differences(), random_state=0).fit(rows, Y)
    np.testing.assert_array_equal(forest.apply(rows), leaves(forest, rows.astype(np.float64)))
    assert all(tree.atom(split)[1].tolist() in ([1, -1], [-1, 1]) for tree in [forest.tree(0)] for split in range(3))


def test_family_round_trip(tmp_path: Path) -> None:
    round_trip(fo.ForestClassifier(20, projections=fo.Differences(max_lag=3), random_state=0), X, Y, tmp_path)
    mixture = fo.Mixture([fo.Axis(), fo.Differences()])
    round_trip(fo.ForestClassifier(20, projections=mixture, random_state=0), X, Y, tmp_path)


def test_family_by_its_name_is_the_same() -> None:
    by_name, by_class = (
        fo.ForestClassifier(5, projections=projections, random_state=0).fit(X, Y).predict_proba(X)
        for projections in ("differences", fo.Differences())
    )
    np.testing.assert_array_equal(by_name, by_class)


def test_family_in_a_search() -> None:
    forest = fo.ForestClassifier(5, projections=fo.Differences(), random_state=0)
    search = GridSearchCV(forest, {"projections__max_lag": [1, 2]}, cv=2).fit(X, Y)
    assert search.best_params_ == {"projections__max_lag": 2}  # the signal is a difference of lag 2
    assert repr(search.best_estimator_.projections_) == "Differences(max_lag=2)"


def test_family_in_the_report_on_consistency() -> None:
    alone = fo.consistent(honest(projections=fo.Differences()), X)
    refused = [condition.name for condition in alone.conditions if condition.holds is False]
    assert refused == ["any feature may be split on", "standard basis in the dictionary"]
    assert fo.consistent(honest(projections=fo.Mixture([fo.Axis(), fo.Differences()])), X)


@pytest.mark.parametrize("lag", [0, N_FEATURES])
def test_family_refuses_lags_that_do_not_fit(lag: int) -> None:
    with pytest.raises(ValueError, match=f"max_lag={lag}: expected 1 to 5, since X has 6 features"):
        fo.ForestClassifier(projections=fo.Differences(max_lag=lag)).fit(X, Y)


def test_family_on_the_command_line(tmp_path: Path) -> None:
    np.savez(tmp_path / "data.npz", X=X, y=Y)
    command = [sys.executable, "-S", "-m", "foliation"]
    options = ["--projections", "differences:max_lag=2", "--n-estimators", "5"]
    subprocess.run([*command, "fit", "data.npz", "-o", "model.fol", *options], cwd=tmp_path, check=True)
    subprocess.run([*command, "predict", "model.fol", "data.npz", "-o", "labels.csv"], cwd=tmp_path, check=True)
    assert repr(fo.load(tmp_path / "model.fol").projections_) == "Differences(max_lag=2)"
    assert len((tmp_path / "labels.csv").read_text().splitlines()) == N_ROWS + 1


# ---- a criterion ----


def powers(y: NDArray[Any], weights: Floats) -> float:
    """Return the weight of samples times their impurity, averaged over the outputs."""
    impurities = [1 - ((np.bincount(labels, weights) / weights.sum()) ** 1.5).sum() for labels in y.T]
    return float(weights.sum() * np.mean(impurities))


def best_split(y: NDArray[Any], weights: Floats) -> tuple[int, float, float]:
    """Return feature, threshold and gain of the best split of X, by trying all of them."""
    tried = []
    for feature, values in enumerate(X.T):
        ordered = np.sort(values)
        for threshold in (ordered[:-1] + ordered[1:]) / 2:
            left = values <= threshold
            parts = [powers(y[side], weights[side]) for side in (left, ~left)]
            tried.append((powers(y, weights) - sum(parts), feature, threshold))
    gain, feature, threshold = max(tried)
    return feature, threshold, gain


@pytest.mark.parametrize("n_outputs", [1, 2])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_criterion_finds_the_best_split(n_classes: int, n_outputs: int) -> None:
    rng = np.random.default_rng([n_classes, n_outputs])
    y = rng.integers(n_classes, size=(N_ROWS, n_outputs))
    weights = rng.uniform(0.5, 2.0, size=N_ROWS)
    stump = fo.ForestClassifier(
        1, criterion="powers", projections="axis", max_features=None, max_depth=1, bootstrap=False, splitter="exact"
    )
    tree = stump.fit(X, y.squeeze(), sample_weight=weights).tree(0)
    feature, threshold, gain = best_split(y, weights)
    assert tree.atom(0)[0].tolist() == [feature]
    np.testing.assert_allclose([tree.threshold[0], tree.gain[0]], [threshold, gain], rtol=1e-6)


def test_criterion_round_trip(tmp_path: Path) -> None:
    round_trip(fo.ForestClassifier(20, criterion="powers", random_state=0), X, Y, tmp_path)
    round_trip(fo.ForestClassifier(20, criterion="powers", random_state=0), X, Y > 0, tmp_path)
    assert fo.consistent(honest(criterion="powers", projections="axis"), X)


def test_criterion_is_one_of_classes() -> None:
    assert _core.criterion_names().of_classes == ["gini", "entropy", "powers"]
    with pytest.raises(ValueError, match=r"'criterion' .* of ForestRegressor must be"):
        fo.ForestRegressor(criterion="powers").fit(X, Y)


# ---- a view ----


def with_curvature(rows: NDArray[Any]) -> Floats:
    """Return the values of series and their curvature, padded, flat."""
    curved = np.diff(np.pad(rows.astype(np.float64), [(0, 0), (0, 0), (2, 2)]), 2)
    raw = np.pad(rows, [(0, 0), (0, 0), (0, 2)])
    return np.concatenate([view.reshape(len(rows), -1) for view in (raw, curved)], 1)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("kind", ["float64", "uint8"])
def test_view_has_the_values_of_numpy(kind: str, wrap: bool) -> None:
    rows = np.clip(SERIES * 10 + 128, 0, 255).astype(kind)
    projections = fo.Patches(views=("raw", "curvature"), wrap=(False, wrap))
    forest = fo.ForestClassifier(5, projections=projections, random_state=0).fit(rows, RISING)
    cells = with_curvature(rows)
    np.testing.assert_array_equal(forest.cells(rows).reshape(len(rows), -1), cells)
    np.testing.assert_array_equal(forest.apply(rows), leaves(forest, cells))
    size = cells.shape[1] // 2
    drawn = {id // size for split in range(forest.tree(0).n_splits) for id in forest.tree(0).atom(split)[0]}
    assert drawn == {0, 1}


@pytest.mark.parametrize("wrap", [False, True])
def test_view_round_trip(wrap: bool, tmp_path: Path) -> None:
    projections = fo.Patches(views=("raw", "curvature"), wrap=(False, wrap))
    forest = fo.ForestClassifier(20, projections=projections, random_state=0)
    round_trip(forest, SERIES, RISING, tmp_path)
    channels, side = SERIES.shape[1:]
    assert forest.importance("gain").shape == (2, channels, side + 2)
    assert forest.feature_importances_.shape == (channels * side,)
    np.testing.assert_allclose(forest.feature_importances_.sum(), 1)
    assert fo.consistent(honest(projections=projections), SERIES)


def test_view_that_is_longer_than_the_series_is_drawn(tmp_path: Path) -> None:
    projections = fo.Patches(views=("raw", "curvature"), max_size=(1, 3))
    forest = fo.ForestClassifier(20, projections=projections, random_state=0).fit(SERIES, RISING)
    channels, side = SERIES.shape[1:]
    for atom in atlas.chosen_atoms(forest.model_, 10_000, "count"):
        view, places = divmod(atom.ids, channels * (side + 2))
        first, last = places.min() % (side + 2), places.max() % (side + 2)
        label = atlas.atom_label(forest.model_, atom)
        assert label.startswith("curvature" if view[0] else "raw"), label
        assert label.endswith(f", {first}-{last}]" if last > first else f", {first}]"), label
        assert view[0] or last < side
    fo.plotting.PatchAtlas.from_estimator(forest, n_atoms=30)
    drawn = fo.plotting.ImportanceMap.from_estimator(forest)
    assert drawn.maps["curvature"].shape == (channels, side + 2)
    fo.plotting.TreeView.from_estimator(forest)
    forest.report(SERIES + 0.01, RISING, tmp_path / "report.html")


def test_view_may_be_longer_than_a_series_of_two() -> None:
    forest = fo.ForestClassifier(2, projections=fo.Patches(views=["curvature"], max_size=(1, 2)), random_state=0)
    assert forest.fit(SERIES[..., :2], RISING).importance("gain").shape == (1, SERIES.shape[1], 4)


# ---- a plot ----


def test_plot_counts_all_leaves(tmp_path: Path) -> None:
    forest = fo.ForestClassifier(5, random_state=0).fit(X, Y)
    drawn = fo.plotting.LeafSizes.from_estimator(forest)
    (axes,) = drawn.axes_
    assert sum(bar.get_height() for bar in axes.patches) == len(drawn.sizes) == (forest.n_nodes_.sum() + 5) / 2
    assert drawn.sizes.sum() == 5 * N_ROWS
    drawn.figure_.savefig(tmp_path / "leaf_sizes.png")
    assert drawn.plot(axes).axes_ == [axes]


def test_plot_needs_a_forest() -> None:
    with pytest.raises(TypeError, match="expected a fitted ForestClassifier"):
        fo.plotting.LeafSizes.from_estimator(GridSearchCV(None, {}))
    assert "LeafSizes" in fo.plotting.__all__

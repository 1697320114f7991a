"""What geodesic forests refuse or warn of, and data that can hardly be parted."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from refusals import Table, assert_refused
from sklearn.exceptions import NotFittedError

import foliation as fo

X: NDArray[np.float64] = np.random.default_rng(0).normal(size=(80, 6))


def forest(n_estimators: int = 6, **settings: Any) -> Any:
    return fo.GeodesicForest(n_estimators, **({"random_state": 0} | settings))


# ---- one leaf ----

ALONE: dict[str, tuple[NDArray[np.float64], dict[str, Any], str]] = {
    "few rows": (X[:30], {"min_samples_split": 31}, "nodes of fewer than 31 rows are not split"),
    "too few for two clusters": (X[:7], {}, "nodes of fewer than 8 rows are not split"),
    "equal rows": (np.full((50, 3), 0.1), {}, "no .* parts its rows"),
    "too few different ones drawn": (X[:30], {"min_samples_split": 30}, "nodes of fewer than 30 rows are not split"),
    "few drawn": (X, {"max_samples": 5}, "nodes of fewer than 10 rows are not split"),
}


@pytest.mark.parametrize("name", ALONE)
def test_one_leaf_and_a_warning(name: str) -> None:
    rows, settings, reason = ALONE[name]
    model = forest(**settings)
    with pytest.warns(UserWarning, match=rf"^all {len(rows)} rows of X are in one leaf: {reason}$") as caught:
        model.fit(rows)
    assert len(caught) == 1
    assert (model.apply(rows) == 0).all() and (model.proximity(sparse=False) == 1).all()
    distances, indices = model.kneighbors(n_neighbors=3)
    assert (distances == 0).all() and indices[4].tolist() == [0, 1, 2]
    for kind in ("count", "gain"):
        assert (model.importance(kind) == 0).all()
    assert (model.outlier_score() == 0).all()
    assert "leaf 0" in str(model.tree(0))


def test_a_forest_with_splits_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        forest().fit(X).transform(X)


# ---- numbers of neighbours ----


def test_neighbours_are_capped_with_a_warning() -> None:
    model = forest().fit(X[:10])
    calls: list[Callable[[], Any]] = [model.kneighbors, model.kneighbors_graph, lambda: model.transform(X[:10])]
    for call in calls:
        with pytest.warns(UserWarning, match=r"^n_neighbors=15 is more than there are; 9 are taken$"):
            call()
    with pytest.warns(UserWarning, match="9 are taken"):
        assert model.transform(X[:10]).nnz == 100
    assert model.kneighbors(X[:3], 10)[0].shape == (3, 10)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("affinity", ["leaf", "depth"])
@pytest.mark.filterwarnings("ignore:n_neighbors=15 is more", "ignore:all . rows of X")
def test_very_few_rows(n: int, affinity: str) -> None:
    model = forest(affinity=affinity).fit(X[:n])
    assert model.kneighbors()[1].shape == (n, n - 1)
    assert model.kneighbors_graph().nnz == n * (n - 1)
    assert model.transform(X[:n]).nnz == n * n and model.transform(X[5:9]).nnz == 4 * n
    assert model.proximity().shape == (n, n) and (model.outlier_score() == 0).all()
    with pytest.raises(ValueError, match=r"^n_neighbors=\d must be an integer|^n_neighbors=1 .* there are no others"):
        model.kneighbors(n_neighbors=n)


# ---- refusals ----

PARAMETERS: Table = [
    ({"criterion": "gini"}, r"'criterion' parameter .*'fast_bic'.* Got 'gini' instead"),
    ({"splitter": "histogram"}, r"'splitter' parameter .*'exact'.* Got 'histogram' instead"),
    ({"affinity": "path"}, r"'affinity' parameter .*'depth'.* Got 'path' instead"),
    ({"screen": 1.5}, r"'screen' parameter .* Got 1.5 instead"),
    ({"screen": -0.5}, r"'screen' parameter .* Got -0.5 instead"),
    ({"n_neighbors": 0}, r"'n_neighbors' parameter .* Got 0 instead"),
    ({"variance_floor": 0.0}, r"'variance_floor' parameter .* Got 0.0 instead"),
    ({"patience": -1.0}, r"'patience' parameter .* Got -1.0 instead"),
    ({"patience": float("nan")}, r"'patience' parameter .* Got nan instead"),
    ({"min_balance": 0.6}, r"'min_balance' parameter .* Got 0.6 instead"),
    ({"min_samples_split": 1}, r"'min_samples_split' parameter .* or None. Got 1 instead"),
    ({"projections": "wavelets"}, r"^projections='wavelets' is unknown"),
    ({"max_samples": 81, "bootstrap": False}, r"max_samples=81 asks for 81 rows .* but there are 80"),
]
DATA: Table = [
    (np.where(X > 2, np.nan, X), r"^X contains NaN or infinity, first in column 0"),
    (np.where(X > 2, np.inf, X), r"^X contains NaN or infinity"),
    (X[:, 0], r"^X has 1 dimensions"),
    (X[:0], r"0 sample\(s\)"),
    (X.astype("U9"), r"^X has dtype <U9; it must hold real numbers"),
    (sp.csr_array(X), r"Sparse data was passed for X"),
]
CALLS: Table = [
    (lambda model: model.kneighbors(n_neighbors=80), r"^n_neighbors=80 must be an integer from 1 to 79"),
    (lambda model: model.kneighbors(n_neighbors=0), r"^n_neighbors=0 must be an integer from 1 to 79"),
    (lambda model: model.kneighbors(X, 81), r"^n_neighbors=81 must be an integer from 1 to 80"),
    (lambda model: model.kneighbors_graph(n_neighbors=2.5), r"^n_neighbors=2.5 must be an integer"),
    (lambda model: model.kneighbors_graph(mode="weights"), r"^mode='weights' is unknown"),
    (lambda model: model.transform(X, 80), r"^n_neighbors=80 must be an integer from 1 to 79"),
    (lambda model: model.transform(X[:, :3]), r"X has 3 features, but GeodesicForest is expecting 6"),
    (lambda model: model.transform(np.full((2, 6), np.nan)), r"^X contains NaN"),
    (lambda model: model.proximity(rows="drawn"), r"^rows='drawn' is unknown"),
    (lambda model: model.proximity(X, rows="oob"), r"^rows='oob' tells training rows apart"),
    (lambda model: model.importance("permutation"), r"^kind='permutation' is unknown"),
    (lambda model: model.embed(method="tsne"), r"^method='tsne' is unknown; it must be \"spectral\""),
    (lambda model: model.embed(79), r"^n_components=79 must be an integer from 1 to 78"),
    (lambda model: model.embed(1.5), r"^n_components=1.5 must be an integer"),
    (lambda model: model.embed(n_neighbors=80), r"^n_neighbors=80 must be an integer from 1 to 79"),
]


@pytest.mark.parametrize(("parameters", "pattern"), PARAMETERS)
def test_bad_parameters(parameters: dict[str, Any], pattern: str) -> None:
    assert_refused(lambda: forest(**parameters).fit(X), pattern)


@pytest.mark.parametrize(("rows", "pattern"), DATA)
def test_bad_data(rows: Any, pattern: str) -> None:
    assert_refused(lambda: forest().fit(rows), pattern)


@pytest.mark.parametrize(("call", "pattern"), CALLS)
def test_bad_calls(call: Callable[[Any], Any], pattern: str) -> None:
    with pytest.raises(ValueError, match=pattern) as caught:
        call(forest().fit(X))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["kneighbors", "kneighbors_graph", "proximity", "outlier_score", "embed", "importance"]
)
def test_forests_that_are_not_fitted(name: str) -> None:
    with pytest.raises(NotFittedError, match=r"^This GeodesicForest instance is not fitted yet"):
        getattr(forest(), name)()

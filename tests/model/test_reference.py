"""The core agrees with the NumPy reference node for node, for all families, criteria and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import Reference, Rules
from reference_cases import FAMILIES, SHAPE, compare, make_rows
from samples import structure_samples

import foliation as fo
from foliation import _core


def check(forest: Any, X: NDArray[Any], y: NDArray[Any], rules: Rules, weights: Any = None) -> int:
    """Fit, and compare every tree with the reference; return the number of nodes compared."""
    forest.fit(X, y, sample_weight=weights)
    dictionary = forest.model_.dictionary
    targets = forest.model_.targets
    flat = X.reshape(len(X), -1)
    reference = Reference(dictionary, rules, forest.model_.targets.n_columns, flat.shape[1])
    n_nodes = 0
    for number in range(forest.n_estimators):
        rows, w = structure_samples(forest, number)
        grown = reference.grow(flat[rows], targets.y[rows], w, _core.root_key(forest.model_.seed, number))
        tree = forest.tree(number)
        n_nodes += compare(tree, 0 if tree.n_splits else -1, grown)
    return n_nodes


@pytest.mark.parametrize("kind", ["float64", "float32", "uint8", "int16", "int32"])
@pytest.mark.parametrize("name", FAMILIES)
def test_families_and_number_types(name: str, kind: str) -> None:
    rng = np.random.default_rng([len(name), len(kind)])
    X = make_rows(kind, rng, 60)
    y = rng.integers(0, 3, size=60)
    forest = fo.ForestClassifier(3, projections=FAMILIES[name], max_features=4, random_state=rng.integers(1000))
    assert check(forest, X, y, Rules("gini", n_candidates=4)) > 30


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weighting", ["none", "bootstrap", "fractional", "balanced_subsample"])
@pytest.mark.parametrize("splitter", ["exact", "random"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_criteria_and_weights(criterion: str, splitter: str, weighting: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_outputs = 1 + seed % 2
    X = make_rows("float64" if seed < 2 else "uint8", rng, 50)
    settings: dict[str, Any] = {
        "n_estimators": 2,
        "criterion": criterion,
        "splitter": splitter,
        "max_features": 3,
        "random_state": seed,
        "bootstrap": weighting in ("bootstrap", "balanced_subsample"),
        "projections": FAMILIES["mixture"],
    }
    y: NDArray[Any]
    if criterion == "squared_error":
        forest: Any = fo.ForestRegressor(**settings)
        y = 1e6 + rng.normal(size=(50, n_outputs)) + X[:, 0, :n_outputs]
    else:
        forest = fo.ForestClassifier(**settings)
        y = rng.integers(0, 4, size=(50, n_outputs))
        if weighting == "balanced_subsample":
            forest.set_params(class_weight="balanced_subsample")
    weights = rng.exponential(size=50) * (rng.random(50) < 0.8) if weighting == "fractional" else None
    rules = Rules(criterion, splitter, n_candidates=3)
    assert check(forest, X, y.squeeze(), rules, weights) > 10


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
@pytest.mark.parametrize("kind", ["float32", "uint8", "int16"])
def test_histograms(kind: str, criterion: str) -> None:
    rng = np.random.default_rng(5)
    X = make_rows(kind, rng, 1300)
    noise = rng.normal(size=1300)
    signal = X[:, 0, :2].sum(axis=1) - X[:, 2, 1] + noise * X.std()
    classifier = criterion != "squared_error"
    y = np.digitize(signal, np.quantile(signal, [0.3, 0.6])) if classifier else signal
    kind_of = fo.ForestClassifier if classifier else fo.ForestRegressor
    forest: Any = kind_of(
        1, criterion=criterion, splitter="histogram", max_features=3, random_state=1, max_depth=5,
        projections=fo.Patches(max_size=2), bootstrap=False,
    )  # fmt: skip
    assert check(forest, X, y, Rules(criterion, "histogram", n_candidates=3, max_depth=5)) > 20


@pytest.mark.parametrize(
    "limits",
    [
        {"max_depth": 2},
        {"min_samples_split": 20},
        {"min_samples_leaf": 7},
        {"min_weight_fraction_leaf": 0.1},
        {"min_impurity_decrease": 0.02},
    ],
    ids=lambda limits: next(iter(limits)),
)
@pytest.mark.parametrize("seed", range(5))
def test_limits(limits: dict[str, Any], seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = make_rows("float64", rng, 80)
    y = (X[:, 0].sum(axis=1) + 0.5 * rng.normal(size=80) > 0).astype(int)
    forest = fo.ForestClassifier(2, projections=FAMILIES["patches"], max_features=5, random_state=seed, **limits)
    without = fo.ForestClassifier(2, projections=FAMILIES["patches"], max_features=5, random_state=seed)
    n_nodes = check(forest, X, y, Rules("gini", n_candidates=5, **limits))
    assert 2 < n_nodes < without.fit(X, y).n_nodes_.sum()


@pytest.mark.parametrize("seed", range(10))
def test_constant_candidates_are_redrawn(seed: int) -> None:
    """Most columns are constant, so that nodes must go on drawing, and sometimes give up."""
    rng = np.random.default_rng(seed)
    X = np.zeros((40, *SHAPE))
    X[:, 1, 2] = rng.integers(0, 3, size=40)
    X[:, 0, 0] = rng.integers(0, 2, size=40)
    y = rng.integers(0, 2, size=40)
    for family in ("axis", "sparse", "mixture"):
        forest = fo.ForestClassifier(2, projections=FAMILIES[family], max_features=1, random_state=seed)
        assert check(forest, X, y, Rules("gini", n_candidates=1)) > 4

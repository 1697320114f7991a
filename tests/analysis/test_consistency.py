"""What the theorems ask for is reported, and forests that follow them go towards the truth."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import ks_2samp

import foliation as fo
from foliation import simulations


def built_to_the_specifications(family: Any, **changes: Any) -> Any:
    settings: dict[str, Any] = {
        "projections": fo.Mixture([fo.Axis(), family]),
        "honest": True,
        "bootstrap": False,
        "max_samples": fo.subsample_exponent(0.9),
        "min_balance": 0.1,
        "min_samples_leaf": 5,
        "random_state": 0,
    }
    return fo.ForestClassifier(100, **settings | changes)


def failing(forest: Any, X: Any) -> set[str]:
    return {condition.name for condition in fo.consistent(forest, X).conditions if condition.holds is False}


SUBSAMPLES, BALANCE, LEAVES = "subsamples, s / n -> 0", "balanced splits", "leaves of k to 2k - 1 rows"
FEATURES, BASIS = "any feature may be split on", "standard basis in the dictionary"
CHANGES: list[tuple[dict[str, Any], set[str]]] = [
    ({"honest": False}, {"honest"}),
    ({"honest": np.False_}, {"honest"}),
    ({"honest_fill": "oob"}, {SUBSAMPLES}),
    ({"honest_prior": "uniform"}, {"empty leaves"}),
    ({"honest_prior": "ignore"}, set()),
    ({"class_weight": "balanced"}, {"rows count alike"}),
    ({"bootstrap": True}, {SUBSAMPLES}),
    ({"max_samples": 0.5}, {SUBSAMPLES}),
    ({"max_samples": fo.subsample_exponent(0.01)}, set()),
    ({"max_samples": lambda n: n // 2}, {SUBSAMPLES}),
    ({"max_samples": lambda n: 100}, {SUBSAMPLES}),
    ({"min_balance": 0.0}, {BALANCE}),
    ({"min_balance": 0.5}, {BALANCE}),
    ({"splitter": "random"}, {BALANCE}),
    ({"projections": fo.Patches(min_size=2)}, {BASIS, FEATURES}),
    ({"projections": fo.Sparse(nonzeros=10)}, set()),
    ({"projections": fo.Mixture([fo.Sparse(nonzeros=60)])}, {BASIS, FEATURES}),
    ({"projections": fo.Atoms(np.eye(10))}, set()),
    ({"projections": fo.Atoms(np.eye(10)[1:])}, {BASIS, FEATURES}),
    ({"projections": fo.Neighborhoods(np.eye(10, k=1), hops=(0, 1))}, set()),
    ({"projections": fo.Neighborhoods(np.eye(10, k=1))}, {BASIS, FEATURES}),
    ({"projections": fo.Kernels(np.ones((1, 1)))}, set()),
    ({"projections": fo.Mixture([fo.Axis(), fo.Sparse(weights="normal")])}, {"finite dictionary"}),
    ({"projections": fo.Axis()}, {FEATURES}),
    ({"projections": fo.Axis(), "max_features": 1}, set()),
    ({"projections": fo.Mixture([fo.Axis()])}, {FEATURES}),
    ({"projections": fo.Mixture([fo.Axis(), fo.Patches(min_size=2)], p=[0, 1])}, {BASIS, FEATURES}),
    ({"max_depth": 3}, {LEAVES}),
    ({"min_samples_split": 50}, {LEAVES}),
    ({"min_samples_leaf": 0.1}, {LEAVES}),
]


@pytest.mark.parametrize(("change", "names"), CHANGES)
def test_each_condition_is_reported(change: dict[str, Any], names: set[str]) -> None:
    X, _ = simulations.trunk(300, random_state=0)
    assert failing(built_to_the_specifications(fo.Sparse(), **change), X) == names


def test_what_cannot_be_told_is_not_said_to_hold() -> None:
    X, _ = simulations.trunk(300, random_state=0)
    forest = built_to_the_specifications(fo.Sparse(), max_samples=lambda n: n // 2 + 10)
    found = {condition.name: condition.holds for condition in fo.consistent(forest, X).conditions}
    assert found[SUBSAMPLES] is None
    with pytest.raises(ValueError, match="'min_balance' parameter"):
        fo.consistent(built_to_the_specifications(fo.Sparse(), min_balance=0.9), X)
    with pytest.raises(ValueError, match="Mixture: projections"):
        fo.consistent(built_to_the_specifications(fo.Sparse(), projections=fo.Mixture([])), X)


def test_a_forest_built_to_the_specifications() -> None:
    X, _ = simulations.trunk(300, random_state=0)
    images = np.zeros((300, 6, 6))
    for forest, rows in (
        (built_to_the_specifications(fo.Sparse()), X),
        (built_to_the_specifications(fo.Patches()), images),
        (built_to_the_specifications(fo.Patches(min_size=2)), images),
    ):
        report = fo.consistent(forest, rows)
        assert report and not failing(forest, rows)
        unknown = [condition.name for condition in report.conditions if condition.holds is None]
        assert unknown == ["many trees", "assumption 1", "assumption 2"]
        assert "no program can check it" in str(report)
    assert not fo.consistent(fo.ForestClassifier(), X)
    assert "set honest=True" in str(fo.consistent(fo.ForestRegressor(), X))


def posterior_error(forest: Any, X: NDArray[Any], truth: NDArray[np.float64]) -> float:
    return float(((forest.predict_proba(X)[:, 1] - truth) ** 2).mean())


def calibration_error(found: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """Mean distance between what is said and what is true, over ten groups of equal size by what is said."""
    parts = np.array_split(np.argsort(found), 10)
    return float(np.mean([abs(found[part].mean() - truth[part].mean()) for part in parts]))


def test_honesty_helps_where_classes_overlap() -> None:
    better, calibrated = [], []
    for seed in range(10):
        X, y = simulations.overlapping_gaussians(1000, random_state=2 * seed)
        new, _ = simulations.overlapping_gaussians(4000, random_state=2 * seed + 1)
        truth = simulations.overlapping_gaussians_posterior(new)
        plain = fo.ForestClassifier(200, random_state=seed, n_jobs=-1).fit(X, y)
        honest = fo.ForestClassifier(200, honest=True, random_state=seed, n_jobs=-1).fit(X, y)
        better.append(posterior_error(plain, new, truth) - posterior_error(honest, new, truth))
        said = [model.predict_proba(new)[:, 1] for model in (plain, honest)]
        calibrated.append(calibration_error(said[0], truth) - calibration_error(said[1], truth))
    for gain in (np.array(better), np.array(calibrated)):
        assert gain.mean() > 4 * gain.std(ddof=1) / np.sqrt(len(gain))


@pytest.mark.parametrize("kind", ["sparse", "patches"])
def test_errors_go_towards_those_of_bayes(kind: str) -> None:
    """Ten seeds; each error is smaller than the one before by more than chance would have it."""
    generate, posterior, family = {
        "sparse": (simulations.trunk, simulations.trunk_posterior, fo.Sparse()),
        "patches": (simulations.impulse, simulations.impulse_posterior, fo.Patches(max_size=12)),
    }[kind]
    errors: dict[int, list[tuple[float, float]]] = {200: [], 2000: [], 20000: []}
    for seed in range(10):
        new, _ = generate(3000, random_state=1000 + seed)
        truth = posterior(new)
        bayes = np.minimum(truth, 1 - truth).mean()
        for n, found in errors.items():
            X, y = generate(n, random_state=seed)
            forest = built_to_the_specifications(family, random_state=seed, n_jobs=-1).fit(X, y)
            assert fo.consistent(forest, X)
            rule = forest.predict(new) == 1
            excess = np.where(rule, 1 - truth, truth).mean() - bayes
            found.append((posterior_error(forest, new, truth), float(excess)))
    sizes = sorted(errors)
    for small, large in pairwise(sizes):
        gain = np.array(errors[small]) - np.array(errors[large])
        low = gain.mean(axis=0) - 2.3 * gain.std(axis=0, ddof=1) / np.sqrt(len(gain))  # 95 % of Student's t
        assert (low > 0).all(), (small, large)
    assert (np.mean(errors[20000], axis=0) < 0.6 * np.mean(errors[200], axis=0)).all()


@pytest.mark.parametrize(("n", "splitter"), [(300, "exact"), (300, "histogram")])
def test_all_of_the_rows_make_the_same_tree_in_any_order(n: int, splitter: str) -> None:
    X, y = simulations.trunk(n, n_features=3, random_state=0)
    order = np.random.default_rng(0).permutation(n)
    settings: dict[str, Any] = {"bootstrap": False, "splitter": splitter, "random_state": 0}
    one = fo.ForestClassifier(3, **settings).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(fo.ForestClassifier(3, **settings).fit(X[order], y[order]).predict_proba(X), one)


def test_order_does_not_matter_to_the_histogram_of_many_rows() -> None:
    """Sorted rows give the same distribution of cuts as shuffled ones; a regular sample of them would not."""
    x = np.arange(6000.0)[:, None] ** 3
    y = np.random.default_rng(0).integers(2, size=6000)
    order = np.random.default_rng(1).permutation(6000)
    settings: dict[str, Any] = {"projections": "axis", "max_depth": 1, "bootstrap": False, "splitter": "histogram"}
    rows = [(x, y), (x[order], y[order])]
    cuts = [fo.ForestClassifier(300, random_state=k, **settings).fit(*rows[k]).model_.trees.threshold for k in (0, 1)]
    assert min(len(np.unique(c)) for c in cuts) > 20
    assert ks_2samp(cuts[0], cuts[1]).pvalue > 1e-3


def test_trees_are_symmetric() -> None:
    """Permuted training rows give the same forests, in distribution."""
    X, y = simulations.trunk(100, n_features=3, random_state=0)
    new, _ = simulations.trunk(50, n_features=3, random_state=1)
    order = np.random.default_rng(0).permutation(len(X))
    first = [fo.ForestClassifier(20, honest=True, random_state=s).fit(X, y).predict_proba(new)[:, 1] for s in range(60)]
    second = [
        fo.ForestClassifier(20, honest=True, random_state=100 + s).fit(X[order], y[order]).predict_proba(new)[:, 1]
        for s in range(60)
    ]
    a, b = np.array(first), np.array(second)
    z = (a.mean(axis=0) - b.mean(axis=0)) / np.sqrt(a.var(axis=0, ddof=1) / 60 + b.var(axis=0, ddof=1) / 60)
    assert np.abs(z).max() < 4.5 and (z**2).mean() < 2.0
    assert 0.8 < a.std(axis=0).mean() / b.std(axis=0).mean() < 1.25

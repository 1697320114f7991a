"""The core and the NumPy reference agree node for node on any data, with any parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from drawn_data import Array
from drawn_forests import Problem, geodesic, supervised
from hypothesis import given
from reference import Node, Reference, Rules
from reference_cases import compare
from reference_rows import RowPlan
from samples import estimation_samples, structure_samples

import foliation as fo
from foliation import _core
from foliation.data.rows import read_rows
from foliation.data.weights import RowWeights
from foliation.model.model import Model
from foliation.model.plan import prepare
from foliation.model.predict import mean_values

MACHINE = _core.Machine(1)
pytestmark = pytest.mark.filterwarnings(
    "ignore:The number of unique classes is greater", "ignore:A column-vector y", "ignore:all .* rows of X are in one"
)


def rules_of(problem: Problem) -> Rules:
    """Return the rules that a forest resolves its parameters to."""
    rows, y = read_rows(problem.X, problem.y, "")
    given = RowWeights(len(rows), problem.weights, problem.groups)
    rules = prepare(problem.forest._settings(), rows, y, given, MACHINE).rules
    shared = {name: getattr(rules, name) for name in vars(Rules("")) if name != "patience"}
    return Rules(**shared, patience=rules.extra_candidates)


def empty_value(model: Model) -> Array | None:
    """Return the value of leaves without estimation samples, unless it follows from the tree."""
    if model.leaf_prior == "uniform":
        return np.concatenate([np.full(len(labels), 1 / len(labels)) for labels in model.targets.classes])
    return np.zeros(model.targets.n_columns) if model.leaf_prior == "ignore" else None


def row_plan(model: Model) -> RowPlan:
    sampling = model.sampling
    return RowPlan(
        seed=model.seed,
        units=sampling.groups.astype(np.int64) if len(sampling.groups) else np.arange(sampling.n_rows),
        weights=sampling.row_weights,
        n_draws=sampling.n_draws,
        bootstrap=sampling.bootstrap,
        grouped=len(sampling.groups) > 0,
        structure_share=sampling.structure_share,
        by_oob=sampling.estimate_out_of_bag,
        balanced_classes=model.targets.y if sampling.balanced_subsample else None,
    )


def check_samples(forest: Any, number: int) -> None:
    """Compare the samples of a tree and their weights."""
    structure, estimation = row_plan(forest.model_).samples(number)
    for expected, found in ((structure, structure_samples), (estimation, estimation_samples)):
        rows, w = found(forest, number)
        np.testing.assert_array_equal(rows, expected[0])
        np.testing.assert_allclose(w, expected[1], rtol=1e-13)


def reference_tree(reference: Reference, forest: Any, X: Array, number: int) -> Node:
    model = forest.model_
    y = model.targets.y if model.targets.kind != "nothing" else np.empty((len(X), 0))
    check_samples(forest, number)
    rows, w = structure_samples(forest, number)
    tree = reference.grow(X[rows], y[rows], w, _core.root_key(model.seed, number))
    if model.sampling.is_honest:
        rows, w = estimation_samples(forest, number)
        tree = reference.fill(tree, X[rows], y[rows], w, empty_value(model), model.leaf_prior)
    return tree


def check(problem: Problem) -> None:
    """Compare all trees, where all rows go in them, and what the forest predicts for them."""
    forest = problem.fitted()
    model = forest.model_
    X = forest.cells(problem.X).reshape(len(problem.X), -1).astype(np.float64)
    reference = Reference(model.dictionary, rules_of(problem), model.targets.n_columns, X.shape[1])
    trees = [reference_tree(reference, forest, X, number) for number in range(model.n_trees)]
    leaf_ids = forest.apply(problem.X)
    values, weights = [], []
    for number, grown in enumerate(trees):
        tree = forest.tree(number)
        compare(tree, 0 if tree.n_splits else -1, grown)
        leaves = reference.leaves(grown, X)
        for row, reached in enumerate(leaves):
            np.testing.assert_allclose(tree.value[leaf_ids[row, number]], reached["value"], rtol=1e-9, atol=1e-12)
        values.append([reached["value"] for reached in leaves])
        weights.append([reached["weight"] > 0 or model.leaf_prior != "ignore" for reached in leaves])
    counted = np.array(weights)[:, :, None]
    with np.errstate(invalid="ignore"):
        mean = (np.array(values) * counted).sum(axis=0) / counted.sum(axis=0)
    expected = np.where(np.isnan(mean), model.prior, mean)
    found = mean_values(model, forest._rows(problem.X), MACHINE)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@given(problem=supervised(exact=True))
def test_trees_and_predictions_are_those_of_the_reference(problem: Problem) -> None:
    check(problem)


@given(problem=supervised(projected=fo.Axis()))
def test_single_features_may_hold_any_numbers(problem: Problem) -> None:
    """Subnormal and huge values, zeros of both signs, integers up to 2^53: single features are not summed."""
    check(problem)


SCALE_FREE = ("fast_bic", "two_means", "mclust_bic")


@given(problem=geodesic(exact=True, criteria=SCALE_FREE))
def test_trees_of_geodesic_forests_are_those_of_the_reference(problem: Problem) -> None:
    """Raw scores are logarithms of the variance that is left: where none is left, of a rounding error."""
    check(problem)

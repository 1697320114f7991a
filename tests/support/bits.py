"""All that a fitted forest holds, in parts that can be compared bit for bit."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from identical import identical

from foliation.parameters import same

_PARTS = ("trees", "targets", "sampling", "training", "grid")


def bits(forest: Any) -> dict[str, Any]:
    """Return the state of the model by name, but for what is known of the training rows."""
    model = forest.model_
    own = {field.name: getattr(model, field.name) for field in fields(model) if field.name not in _PARTS}
    parts = {name: vars(getattr(model, name)) for name in ("targets", "sampling", "grid")}
    return {**own, **parts, **model.trees.arrays()}


def assert_same_bits(a: Any, b: Any) -> None:
    """Assert that two fitted forests are the same to the last bit."""
    here, there = bits(a), bits(b)
    assert here.keys() == there.keys()
    assert same(here.pop("projections"), there.pop("projections"))
    for name, value in here.items():
        assert identical(value, there[name]), f"{name}: {value!r:.300} is not {there[name]!r:.300}"


def tree_bits(forest: Any, number: int) -> list[Any]:
    """Return the arrays of one tree."""
    tree = forest.tree(number)
    atoms = [tree.atom(split) for split in range(tree.n_splits)]
    return [tree.children, tree.threshold, tree.gain, tree.value, tree.leaf_weight, atoms]


def assert_same_answers(a: Any, b: Any, X: Any) -> None:
    """Assert that two forests say the same of rows, bit for bit."""
    names = ["apply", *(["predict", "predict_trees"] if hasattr(a, "predict") else [])]
    names += ["predict_proba"] if hasattr(a, "predict_proba") else []
    for name in names:
        np.testing.assert_equal(getattr(a, name)(X), getattr(b, name)(X), err_msg=name)

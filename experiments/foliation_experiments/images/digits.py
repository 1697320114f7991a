"""MNIST as the experiments use it: images drawn from the official training set by a seed, and the official test set."""

from __future__ import annotations

import numpy as np

from foliation_experiments.classes.problems import TEST_ROWS
from foliation_experiments.harness.data import Rows, Split, mnist_images
from foliation_experiments.harness.experiment import Run


def digits(run: Run) -> Split:
    """Draw the images of a run: the first `at` in an order that all sizes of its seed share."""
    X, y, X_test, y_test = mnist_images()
    ids = np.random.default_rng([run.seed, 0]).permutation(len(y))[: int(run.at)]
    tested = slice(None, None, max(1, len(y_test) // TEST_ROWS[run.scale]))
    return Split(X[ids], y[ids], X_test[tested], y_test[tested])


def some_of_each(labels: tuple[int, ...], n_each: int, seed: int) -> tuple[Rows, Rows]:
    """Draw as many training images of some digits each; all of a digit together, in the order of the labels."""
    X, y, _, _ = mnist_images()
    rng = np.random.default_rng([seed, 0])
    ids = np.concatenate([rng.choice(np.flatnonzero(y == label), n_each, replace=False) for label in labels])
    return X[ids], y[ids]

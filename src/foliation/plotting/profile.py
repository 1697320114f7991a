"""How a forest grows: whether more trees would help, and how large its trees are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import check_is_fitted
from foliation.plotting.style import CLASSES, panels


class ForestProfile:
    """The error out of the bag against the number of trees, and the depths and leaves of the trees.

    Parameters
    ----------
    errors : array of shape (trees,), optional
        Error out of the bag of the first trees; None if no row is ever out of the bag.
    error_name : str
    depths, leaves : arrays of shape (trees,)

    Attributes
    ----------
    figure_, axes_
        Set by ``plot``.
    """

    def __init__(
        self,
        errors: NDArray[np.float64] | None,
        error_name: str,
        depths: NDArray[np.int64],
        leaves: NDArray[np.int64],
    ) -> None:
        self.errors, self.error_name, self.depths, self.leaves = errors, error_name, depths, leaves

    @classmethod
    def from_estimator(cls, forest: Any, *, ax: Any = None) -> ForestProfile:
        """Draw the profile of a fitted forest.

        Parameters
        ----------
        forest : a fitted forest
            One that still has its training rows, or what it knows of them.
        ax : matplotlib axes, optional

        Returns
        -------
        ForestProfile
        """
        check_is_fitted(forest)
        n_trees = len(forest.trees_["split_start"]) - 1
        depths = np.array([forest.tree(number).depth for number in range(n_trees)])
        leaves = np.diff(forest.trees_["leaf_start"])
        classes = hasattr(forest, "classes_")
        return cls(
            _oob_errors(forest),
            "share of wrong classes" if classes else "root mean squared error",
            depths,
            leaves,
        ).plot(ax)

    def plot(self, ax: Any = None) -> ForestProfile:
        """Draw on ``ax``, or in a new figure."""
        with_errors = self.errors is not None
        self.axes_ = panels(ax, 2 + with_errors, size=(3.4, 2.8))
        self.figure_ = self.axes_[0].figure
        if self.errors is not None:
            first = self.axes_[0]
            first.plot(np.arange(1, len(self.errors) + 1), self.errors, color=CLASSES[0])
            first.set(xlabel="trees", ylabel=f"{self.error_name},\nout of the bag", ylim=(0, None))
        for axes, values, name in zip(
            self.axes_[-2:], (self.depths, self.leaves), ("depth of a tree", "leaves of a tree"), strict=True
        ):
            axes.hist(values, bins=min(30, max(1, len(np.unique(values)))), color=CLASSES[0])
            axes.set(xlabel=name, ylabel="trees")
        return self


def _oob_errors(forest: Any) -> NDArray[np.float64] | None:
    """Return the error of the first 1, 2, ... trees on the rows that they did not draw."""
    if not forest.n_columns_ or forest.n_outputs_ > 1 or forest.sampling_["fill_out_of_bag"]:
        return None
    try:
        bits = forest._membership("oob")
    except ValueError:
        return None
    n, trees = forest.sampling_["n_rows"], forest.trees_
    out = np.unpackbits(bits.reshape(n, -1).view(np.uint8), axis=1, bitorder="little")
    leaves = forest._training_leaves()
    sums, counts = np.zeros((n, forest.n_columns_)), np.zeros(n)
    errors = []
    for tree in range(len(trees["split_start"]) - 1):
        rows = np.flatnonzero(out[:, tree])
        value = forest.tree(tree).value[leaves[tree, rows]]
        sums[rows] += value
        counts[rows] += 1
        seen = counts > 0
        mean = sums[seen] / counts[seen, None]
        truth = forest.targets_[seen, 0]
        wrong = mean.argmax(axis=1) != truth if hasattr(forest, "classes_") else (mean[:, 0] - truth) ** 2
        errors.append(float(np.mean(wrong)))
    found = np.array(errors)
    return found if hasattr(forest, "classes_") else np.sqrt(found)

"""How a forest grows: whether more trees would help, and how large its trees are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation.model.training import membership, training_leaves
from foliation.plotting.style import CLASSES, panels, whole_ticks
from foliation.plotting.validation import check_forest

_MOST_BINS = 30
_NONE_OUT = "no row is out of the bag:\nfit with oob_score=True"
_NONE_LEFT = "rows out of the bag fill the leaves:\nnone are left to test trees"
_LOST = "the training rows are gone"


class ForestProfile:
    """The error out of the bag against the number of trees, and the depths and leaves of the trees.

    Parameters
    ----------
    errors : array of shape (trees,), optional
        Error out of the bag of the first trees; None if it is not known.
    error_name : str
    depths, leaves : arrays of shape (trees,)
    why : str, optional
        Why the error is not known; empty if there is nothing that could be wrong.

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
        why: str = "",
    ) -> None:
        self.errors, self.error_name, self.depths, self.leaves, self.why = errors, error_name, depths, leaves, why

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
        check_forest(forest)
        n_trees = forest.model_.n_trees
        depths = np.array([forest.tree(number).depth for number in range(n_trees)])
        leaves = forest.model_.trees.n_leaves
        name = "share of wrong classes" if hasattr(forest, "classes_") else "root mean squared error"
        why = _why_unknown(forest)
        known = forest.n_outputs_ == 1 and not why
        return cls(_oob_errors(forest) if known else None, name, depths, leaves, why).plot(ax)

    def plot(self, ax: Any = None) -> ForestProfile:
        """Draw on ``ax``, or in a new figure."""
        self.axes_ = panels(ax, 2 + (self.errors is not None or bool(self.why)), size=(3.4, 2.8))
        self.figure_ = self.axes_[0].figure
        if len(self.axes_) > 2:
            self._plot_errors(self.axes_[0])
        for axes, values, name in zip(
            self.axes_[-2:], (self.depths, self.leaves), ("depth of a tree", "leaves of a tree"), strict=True
        ):
            axes.hist(values, bins=_whole_bins(values), color=CLASSES[0])
            axes.set(xlabel=name, ylabel="trees")
            whole_ticks(axes.xaxis)
            whole_ticks(axes.yaxis)
        return self

    def _plot_errors(self, axes: Any) -> None:
        axes.set(xlabel="trees", ylabel=f"{self.error_name},\nout of the bag")
        if self.errors is None:
            axes.set(xticks=[], yticks=[])
            axes.text(0.5, 0.5, self.why, transform=axes.transAxes, ha="center", va="center", fontsize="small")
            return
        marker = "o" if len(self.errors) == 1 else ""  # one point is no line
        axes.plot(np.arange(1, len(self.errors) + 1), self.errors, color=CLASSES[0], marker=marker)
        axes.set(ylim=(0, None))
        whole_ticks(axes.xaxis)


def _whole_bins(values: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the ends of bins that hold equally many whole numbers each."""
    low, high = int(values.min()), int(values.max())
    step = -(-(high - low + 1) // _MOST_BINS)
    return np.arange(low, high + 1.0 + step, step) - 0.5


def _why_unknown(forest: Any) -> str:
    """Say why the error out of the bag is not known; nothing if it is, or if there is no one target to be wrong of."""
    if forest.n_outputs_ != 1:
        return ""
    if forest.model_.sampling.estimate_out_of_bag:
        return _NONE_LEFT
    try:
        membership(forest.model_, "oob", forest._machine())
    except ValueError:
        return _NONE_OUT
    try:
        training_leaves(forest.model_, forest._machine())
    except ValueError:
        return _LOST
    return ""


def _oob_errors(forest: Any) -> NDArray[np.float64]:
    """Return the error of the first 1, 2, ... trees on the rows that they did not draw."""
    bits = membership(forest.model_, "oob", forest._machine())
    n = forest.model_.sampling.n_rows
    out = np.unpackbits(bits.reshape(n, -1).view(np.uint8), axis=1, bitorder="little")
    leaves = training_leaves(forest.model_, forest._machine())
    sums, counts = np.zeros((n, forest.model_.targets.n_columns)), np.zeros(n)
    errors = []
    for tree in range(forest.model_.n_trees):
        rows = np.flatnonzero(out[:, tree])
        value = forest.tree(tree).value[leaves[tree, rows]]
        sums[rows] += value
        counts[rows] += 1
        seen = counts > 0
        mean = sums[seen] / counts[seen, None]
        truth = forest.model_.targets.y[seen, 0]
        wrong = mean.argmax(axis=1) != truth if hasattr(forest, "classes_") else (mean[:, 0] - truth) ** 2
        errors.append(float(np.mean(wrong)))
    found = np.array(errors)
    return found if hasattr(forest, "classes_") else np.sqrt(found)

"""How a forest grows: whether more trees would help, and how large its trees are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foliation.data.arrays import Floats, Longs
from foliation.model.fitted import FittedForest
from foliation.model.model import Model
from foliation.model.training import membership, training_leaves
from foliation.model.tree import tree_of
from foliation.plotting.style import CLASSES, integer_ticks, panels, root_figure
from foliation.plotting.validation import check_forest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from foliation._core import Machine

_MOST_BINS = 30
_NO_OOB = "no row is out of the bag:\nfit with oob_score=True"
_OOB_USED = "the out-of-bag rows are estimation samples:\nnone are left to test the trees"
_LOST = "the training rows are gone"


class ForestProfile:
    """The out-of-bag error against the number of trees, and the depths and leaves of the trees.

    Parameters
    ----------
    errors : array of shape (trees,), optional
        Out-of-bag error of the first 1, 2, ... trees; None if it is unknown.
    error_name : str
    depths, leaves : arrays of shape (trees,)
    why : str, optional
        Why the error is unknown; empty if the forest has no single target.

    Attributes
    ----------
    figure_, axes_
        Set by ``plot``.
    """

    def __init__(
        self, errors: Floats | None, error_name: str, depths: Longs, leaves: Longs, why: str = ""
    ) -> None:  # fmt: skip
        self.errors, self.error_name, self.depths, self.leaves, self.why = errors, error_name, depths, leaves, why

    @classmethod
    def from_estimator(cls, forest: FittedForest, *, ax: Axes | None = None) -> ForestProfile:
        """Draw the profile of a fitted forest.

        Parameters
        ----------
        forest : a fitted forest
            One that still has its training rows, or what it remembers of them.
        ax : matplotlib axes, optional

        Returns
        -------
        ForestProfile
        """
        model, machine = check_forest(forest), forest._machine()
        depths = np.array([tree_of(model, number).depth for number in range(model.n_trees)])
        name = "share of wrong classes" if model.targets.classes else "root mean squared error"
        why = _why_unknown(model, machine)
        known = model.targets.n_outputs == 1 and not why
        errors = _oob_errors(model, machine) if known else None
        return cls(errors, name, depths, model.trees.n_leaves, why).plot(ax)

    def plot(self, ax: Axes | None = None) -> ForestProfile:
        """Draw on ``ax``, or in a new figure."""
        self.axes_ = panels(ax, 2 + (self.errors is not None or bool(self.why)), size=(3.4, 2.8))
        self.figure_ = root_figure(self.axes_[0])
        if len(self.axes_) > 2:
            self._plot_errors(self.axes_[0])
        depths, leaves = self.axes_[-2:]
        _plot_counts(depths, self.depths, "depth of a tree")
        _plot_counts(leaves, self.leaves, "leaves of a tree")
        return self

    def _plot_errors(self, axes: Axes) -> None:
        axes.set(xlabel="trees", ylabel=f"{self.error_name},\nout of the bag")
        if self.errors is None:
            axes.set(xticks=[], yticks=[])
            axes.text(0.5, 0.5, self.why, transform=axes.transAxes, ha="center", va="center", fontsize="small")
            return
        marker = "o" if len(self.errors) == 1 else ""  # a single point has no line
        axes.plot(np.arange(1, len(self.errors) + 1), self.errors, color=CLASSES[0], marker=marker)
        axes.set(ylim=(0, None))
        integer_ticks(axes.xaxis)


def _plot_counts(axes: Axes, values: Longs, name: str) -> None:
    axes.hist(values, bins=_integer_bins(values).tolist(), color=CLASSES[0])
    axes.set(xlabel=name, ylabel="trees")
    integer_ticks(axes.xaxis)
    integer_ticks(axes.yaxis)


def _integer_bins(values: Longs) -> Floats:
    """Return the edges of bins that hold equally many integers each."""
    low, high = int(values.min()), int(values.max())
    step = -(-(high - low + 1) // _MOST_BINS)
    return np.arange(low, high + 1.0 + step, step) - 0.5


def _why_unknown(model: Model, machine: Machine) -> str:
    """Return why the out-of-bag error is unknown; empty if it is known, or if there is no single target."""
    if model.targets.n_outputs != 1:
        return ""
    if model.sampling.estimate_out_of_bag:
        return _OOB_USED
    try:
        membership(model, "oob", machine)
    except ValueError:
        return _NO_OOB
    try:
        training_leaves(model, machine)
    except ValueError:
        return _LOST
    return ""


def _oob_errors(model: Model, machine: Machine) -> Floats:
    """Return the error of the first 1, 2, ... trees on the rows that they did not draw, by their weights."""
    bits = membership(model, "oob", machine)
    n = model.sampling.n_rows
    out = np.unpackbits(bits.reshape(n, -1).view(np.uint8), axis=1, bitorder="little")
    leaves, counted = training_leaves(model, machine), model.sampling.has_weight
    weights = model.sampling.weights if len(model.sampling.weights) else np.ones(n)
    sums, counts = np.zeros((n, model.targets.n_columns)), np.zeros(n)
    errors = np.empty(model.n_trees)
    for number in range(model.n_trees):
        rows = np.flatnonzero(out[:, number] * counted)
        sums[rows] += tree_of(model, number).value[leaves[number, rows]]
        counts[rows] += 1
        seen = counts > 0
        mean = sums[seen] / counts[seen, None]
        truth = model.targets.y[seen, 0]
        losses = mean.argmax(axis=1) != truth if model.targets.classes else (mean[:, 0] - truth) ** 2
        errors[number] = np.average(losses, weights=weights[seen])
    return errors if model.targets.classes else np.sqrt(errors)

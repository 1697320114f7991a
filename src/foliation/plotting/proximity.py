"""Which rows are near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from sklearn.utils import _safe_indexing

from foliation.analysis.embedding import precomputed_mds
from foliation.data.arrays import Array, Data, Floats, Longs, Outputs
from foliation.model.fitted import FittedForest
from foliation.model.training import RowSet
from foliation.plotting.style import AMOUNTS, CLASSES, class_style, draw_legend, literal, panels, root_figure, shortened
from foliation.plotting.validation import check_forest, check_targets
from foliation.validation import check_seed

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_MOST_ROWS = 1000
_MOST_CLASSES = 20  # with a color and a marker each


class ForestWithProximity(FittedForest, Protocol):
    """A forest that compares rows."""

    def proximity(
        self, X: Data = None, Y: Data = None, *, rows: RowSet = "all", sparse: bool = True, min_value: float = 0.0
    ) -> Outputs: ...


class ProximityMap:
    """The matrix of proximities in an order that shows its blocks, and the rows embedded in the plane.

    Parameters
    ----------
    proximity : array of shape (n, n)
    order : array of shape (n,)
        Rows in the order in which the matrix is drawn.
    embedded : array of shape (n, 2)
    labels : array of shape (n,), optional
        Classes, for colors and markers; or numbers with more than 20 values, for colors.

    Attributes
    ----------
    figure_, axes_
        Set by ``plot``.
    """

    def __init__(self, proximity: Floats, order: Longs, embedded: Floats, labels: Array | None = None) -> None:
        self.proximity, self.order, self.embedded, self.labels = proximity, order, embedded, labels

    @classmethod
    def from_estimator(
        cls,
        forest: ForestWithProximity,
        X: Data = None,
        y: Data = None,
        *,
        rows: RowSet | None = None,
        random_state: int | None = 0,
        ax: Axes | None = None,
    ) -> ProximityMap:
        """Draw proximities of the training rows, or of others.

        Parameters
        ----------
        forest : a fitted forest
        X : array, optional
            Rows to draw; at most 1000 of them, drawn at random. The training rows by default.
        y : array, optional
            Their classes, or numbers; the classes of the training rows by default.
        rows : {"all", "in_bag", "oob"}, optional
            Which trees count for training rows; by default those that drew neither of two rows, if there are any.
        random_state : int, default=0
            For the choice of rows and for the embedding.
        ax : matplotlib axes, optional

        Returns
        -------
        ProximityMap
        """
        model = check_forest(forest)
        check_seed(random_state)
        if X is None:
            bag: RowSet = "oob" if model.targets.n_outputs and model.sampling.bootstrap else "all"
            matrix = forest.proximity(rows=bag if rows is None else rows)
            if y is None and model.targets.classes and model.targets.n_outputs == 1:
                y = model.targets.classes[0][model.targets.y[:, 0]]
            n, chosen = matrix.shape[0], _choose_rows(matrix.shape[0], random_state)
            proximity = matrix[chosen][:, chosen].toarray()
        else:
            n = len(forest._rows(X))
            chosen = _choose_rows(n, random_state)
            proximity = forest.proximity(_safe_indexing(X, chosen), sparse=False)
        labels = None if y is None else check_targets(y, n)[chosen]
        if labels is not None and labels.dtype.kind not in "biuf" and not _are_classes(labels):
            labels = None
        embedded = _embed(proximity, random_state)
        order = _order(proximity, labels if labels is not None and _are_classes(labels) else None)
        return cls(proximity, order, embedded, labels).plot(ax)

    def plot(self, ax: Axes | None = None) -> ProximityMap:
        """Draw on ``ax``, or in a new figure."""
        self.axes_ = panels(ax, 2, size=(4.4, 4.0))
        self.figure_ = root_figure(self.axes_[0])
        left, right = self.axes_
        ordered = self.proximity[np.ix_(self.order, self.order)]
        off_diagonal = ordered[~np.eye(len(ordered), dtype=bool)]
        top = float(np.quantile(off_diagonal, 0.995)) if off_diagonal.size else 1.0
        image = left.imshow(ordered, cmap=AMOUNTS, vmin=0, vmax=top or 1.0, interpolation="nearest")
        left.figure.colorbar(image, ax=left, label="proximity", shrink=0.8)
        left.set(title="rows in order", xticks=[], yticks=[])
        if self.labels is None:
            right.plot(*self.embedded.T, ".", color=CLASSES[0], markersize=4)
        elif _are_classes(self.labels):
            self._plot_classes(left, right, self.labels)
        else:
            x, y = self.embedded.T
            dots = right.scatter(x, y, c=self.labels, cmap=AMOUNTS, s=10)
            right.figure.colorbar(dots, ax=right, label="target", shrink=0.8)
        right.set(title="t-SNE of 1 - proximity", xticks=[], yticks=[])
        return self

    def _plot_classes(self, left: Axes, right: Axes, labels: Array) -> None:
        ordered = labels[self.order]
        classes = np.unique(ordered)
        names = [shortened(label) for label in classes]
        middles = [float(np.mean(np.flatnonzero(ordered == label))) for label in classes]
        left.set_yticks(middles, [literal(name) for name in names], fontsize="small")
        left.tick_params(length=0)
        handles: list[Artist] = []
        for number, label in enumerate(classes):
            own = self.embedded[labels == label]
            handles += right.plot(*own.T, linestyle="", markersize=4, alpha=0.8, **class_style(number))
        outside = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
        draw_legend(right, handles, names, **outside, frameon=False, fontsize="small")


def _are_classes(labels: Array) -> bool:
    """Return whether labels are few enough to tell apart."""
    return len(np.unique(labels)) <= _MOST_CLASSES


def _embed(proximity: Floats, random_state: int | None) -> Floats:
    """Return two coordinates for each row, by t-SNE; by MDS for few rows."""
    distances = np.maximum(1.0 - (proximity + proximity.T) / 2, 0.0)
    np.fill_diagonal(distances, 0.0)
    if len(proximity) < 10:
        return np.asarray(precomputed_mds(2, random_state).fit_transform(distances))
    from sklearn.manifold import TSNE  # takes long to import

    perplexity = min(30.0, (len(proximity) - 1) / 3)
    tsne = TSNE(metric="precomputed", init="random", perplexity=perplexity, random_state=random_state)
    return np.asarray(tsne.fit_transform(distances), dtype=np.float64)


def _choose_rows(n: int, random_state: int | None) -> Longs:
    if n <= _MOST_ROWS:
        return np.arange(n)
    return np.sort(np.random.default_rng(random_state).choice(n, _MOST_ROWS, replace=False))


def _order(proximity: Floats, labels: Array | None) -> Longs:
    """Return rows by class, and within each class so that near ones are next to each other."""
    from scipy.cluster.hierarchy import average, leaves_list  # takes long to import
    from scipy.spatial.distance import squareform

    if len(proximity) < 3:
        return np.arange(len(proximity))
    distances = 1.0 - (proximity + proximity.T) / 2
    np.fill_diagonal(distances, 0.0)
    order = np.asarray(leaves_list(average(squareform(distances, checks=False))), dtype=np.int64)
    return order if labels is None else order[np.argsort(labels[order], kind="stable")]

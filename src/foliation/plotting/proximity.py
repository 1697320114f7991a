"""Which rows are near each other."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from foliation.analysis.embedding import precomputed_mds
from foliation.plotting.style import AMOUNTS, CLASSES, class_style, panels, shortened
from foliation.plotting.validation import check_forest, one_each

_MOST_ROWS = 1000
_MOST_CLASSES = 20  # with a colour and a marker each


class ProximityMap:
    """The matrix of proximities in an order that shows its blocks, and rows embedded by them in the plane.

    Parameters
    ----------
    proximity : array of shape (n, n)
    order : array of shape (n,)
        Rows in the order in which the matrix is drawn.
    embedded : array of shape (n, 2)
    labels : array of shape (n,), optional
        Classes, for colours and markers; or numbers with more than 20 values, for colours.

    Attributes
    ----------
    figure_, axes_
        Set by ``plot``.
    """

    def __init__(
        self,
        proximity: NDArray[np.float64],
        order: NDArray[np.int64],
        embedded: NDArray[np.float64],
        labels: NDArray[Any] | None = None,
    ) -> None:
        self.proximity, self.order, self.embedded, self.labels = proximity, order, embedded, labels

    @classmethod
    def from_estimator(
        cls,
        forest: Any,
        X: Any = None,
        y: Any = None,
        *,
        rows: Literal["all", "in_bag", "oob"] | None = None,
        random_state: Any = 0,
        ax: Any = None,
    ) -> ProximityMap:
        """Draw proximities of the training rows, or of others.

        Parameters
        ----------
        forest : a fitted forest
        X : array, optional
            Rows to draw; at most 1000 of them, drawn at random. The training rows if not given.
        y : array, optional
            Their classes, or numbers; the classes of the training rows by default.
        rows : {"all", "in_bag", "oob"}, optional
            Which trees count for training rows: those that drew neither of two rows, if the forest has any.
        random_state : int, default=0
            For the choice of rows and for the embedding.
        ax : matplotlib axes, optional

        Returns
        -------
        ProximityMap
        """
        check_forest(forest)
        if X is None:
            kind = rows or ("oob" if forest.n_outputs_ and forest.model_.sampling.bootstrap else "all")
            found = forest.proximity(rows=kind)
            if y is None and hasattr(forest, "classes_") and forest.n_outputs_ == 1:
                y = np.ravel(forest.classes_)[forest.model_.targets.y[:, 0]]
            n, some = found.shape[0], _some(found.shape[0], random_state)
            near = found[some][:, some].toarray()
        else:
            n, some = len(X), _some(len(X), random_state)
            near = forest.proximity(_safe_indexing(X, some), sparse=False)
        labels = None if y is None else one_each(y, n)[some]
        if labels is not None and labels.dtype.kind not in "biuf" and not _are_classes(labels):
            labels = None
        embedded = _embedded(near, random_state)
        order = _order(near, labels if labels is not None and _are_classes(labels) else None)
        return cls(near, order, embedded, labels).plot(ax)

    def plot(self, ax: Any = None) -> ProximityMap:
        """Draw on ``ax``, or in a new figure."""
        self.axes_ = panels(ax, 2, size=(4.4, 4.0))
        self.figure_ = self.axes_[0].figure
        left, right = self.axes_
        shown = self.proximity[np.ix_(self.order, self.order)]
        off = shown[~np.eye(len(shown), dtype=bool)]
        top = float(np.quantile(off, 0.995)) if off.size else 1.0
        image = left.imshow(shown, cmap=AMOUNTS, vmin=0, vmax=top or 1.0, interpolation="nearest")
        self.figure_.colorbar(image, ax=left, label="proximity", shrink=0.8)
        left.set(title="rows in order", xticks=[], yticks=[])
        if self.labels is None:
            right.plot(*self.embedded.T, ".", color=CLASSES[0], markersize=4)
        elif _are_classes(self.labels):
            self._plot_classes(left, right, self.labels)
        else:
            dots = right.scatter(*self.embedded.T, c=self.labels, cmap=AMOUNTS, s=10)
            self.figure_.colorbar(dots, ax=right, label="target", shrink=0.8)
        right.set(title="t-SNE of 1 - proximity", xticks=[], yticks=[])
        return self

    def _plot_classes(self, left: Any, right: Any, labels: NDArray[Any]) -> None:
        ordered = labels[self.order]
        classes = np.unique(ordered)
        names = [shortened(label) for label in classes]
        left.set_yticks([np.mean(np.flatnonzero(ordered == label)) for label in classes], names, fontsize="small")
        left.tick_params(length=0)
        for number, (label, name) in enumerate(zip(classes, names, strict=True)):
            here = self.embedded[labels == label]
            right.plot(*here.T, linestyle="", markersize=4, alpha=0.8, label=name, **class_style(number))
        right.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))


def _are_classes(labels: NDArray[Any]) -> bool:
    """Return whether labels are few enough to tell apart."""
    return len(np.unique(labels)) <= _MOST_CLASSES


def _embedded(near: NDArray[np.float64], random_state: Any) -> NDArray[np.float64]:
    """Return two coordinates for each row, by t-SNE; few rows do not need it."""
    apart = np.maximum(1.0 - (near + near.T) / 2, 0.0)
    np.fill_diagonal(apart, 0.0)
    if len(near) < 10:
        return np.asarray(precomputed_mds(2, random_state).fit_transform(apart))
    from sklearn.manifold import TSNE

    perplexity = min(30.0, (len(near) - 1) / 3)
    tsne = TSNE(metric="precomputed", init="random", perplexity=perplexity, random_state=random_state)
    return np.asarray(tsne.fit_transform(apart), dtype=np.float64)


def _some(n: int, random_state: Any) -> NDArray[np.int64]:
    if n <= _MOST_ROWS:
        return np.arange(n)
    return np.sort(np.random.default_rng(random_state).choice(n, _MOST_ROWS, replace=False))


def _order(near: NDArray[np.float64], labels: NDArray[Any] | None) -> NDArray[np.int64]:
    """Return rows by class, and within each so that near ones are next to each other."""
    from scipy.cluster.hierarchy import average, leaves_list
    from scipy.spatial.distance import squareform

    if len(near) < 3:
        return np.arange(len(near))
    apart = 1.0 - (near + near.T) / 2
    np.fill_diagonal(apart, 0.0)
    found = leaves_list(average(squareform(apart, checks=False)))
    if labels is None:
        return np.asarray(found, dtype=np.int64)
    return np.asarray(found[np.argsort(labels[found], kind="stable")], dtype=np.int64)

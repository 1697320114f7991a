"""How far rows lie from the rows of their class, as Breiman measures it."""

from __future__ import annotations

import numpy as np

from foliation.analysis.comparison import Affinity, Comparison
from foliation.data.arrays import Array, Floats, Longs
from foliation.model.predict import mean_values


def outlier_score(how: Comparison, X: Array | None) -> Floats:
    """Return raw scores less the median of the class, over its median absolute deviation."""
    training = how.of_training_rows()
    of_training = _classes(how, None, training.n_rows)
    known = _raw_scores(how, how.between(training, training), of_training, of_training)
    if X is None:
        classes, raw = of_training, known
    else:
        given = how.of_rows(X)
        classes = _classes(how, X, given.n_rows)
        raw = _raw_scores(how, how.between(given, training), classes, of_training)
    scores = np.empty(len(raw))
    for label in np.unique(classes):
        own = known[of_training == label]
        middle = np.median(own) if len(own) else 0.0
        spread = np.median(np.abs(own - middle)) if len(own) else 0.0
        here = classes == label
        scores[here] = (raw[here] - middle) / (spread or 1.0)
    return scores


def _classes(how: Comparison, X: Array | None, n_rows: int) -> Longs:
    """Return the class that each row is compared within: a training row's own, or that predicted; else all in one."""
    targets = how.model.targets
    if targets.kind != "classes" or targets.n_outputs > 1:
        return np.zeros(n_rows, dtype=np.int64)
    return targets.y[:, 0] if X is None else mean_values(how.model, X, how.machine).argmax(axis=1)


def _raw_scores(how: Comparison, affinity: Affinity, classes: Longs, of_training: Longs) -> Floats:
    """Return the number of training rows of a row's class over the sum of their squared proximities to it."""
    affinity.warn_of_pairs()
    sums = np.empty(len(classes))
    for here, block in affinity.blocks():
        entries = block.tocoo()
        same = classes[here][entries.row] == of_training[entries.col]
        if classes is of_training:
            same &= here.start + entries.row != entries.col
        squares = np.where(same, entries.data**2, 0.0)
        sums[here] = np.bincount(entries.row, squares, minlength=block.shape[0])
    sizes = np.bincount(of_training, minlength=int(classes.max()) + 1)[classes]
    return np.asarray(sizes / np.maximum(sums, 1.0 / how.model.n_trees**2))

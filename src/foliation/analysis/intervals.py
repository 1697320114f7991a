"""How sure a supervised model is: standard errors of its estimates, and conformal scores from out-of-bag rows."""

from __future__ import annotations

import math

import numpy as np

from foliation._core import Machine
from foliation.data.arrays import Array, Floats, Ints
from foliation.memory import check_memory
from foliation.model.copies import warn_of_copies
from foliation.model.model import Model
from foliation.model.predict import leaf_ids, leaves_of_forest, mean_values, tree_values
from foliation.model.training import membership, oob_means
from foliation.printable import quoted
from foliation.validation import is_number, is_one_of
from foliation.warn import warn

_BLOCK = 4_000_000  # numbers in a block of covariances, at most
_PRODUCTS = 4_000_000_000  # that are added up for a block, at most: Ctrl-C is heard between two of them
_COUNT_BYTES = 16  # of how often a tree drew a row: twice as it is, and without its mean
_FEW = 0.05  # a share that may be lost without a warning


def standard_errors(model: Model, rows: Array, machine: Machine) -> Floats:
    """Return standard errors of the mean leaf values, (n, columns), by the infinitesimal jackknife.

    The variance is the sum over rows, or groups, of the squared covariance between how often trees drew it and what
    they predict, less what so few trees make of it by chance. Drawn without replacement, rows count as if the sample
    were small: Wager, Hastie and Efron (2014), Wager and Athey (2018).
    """
    sampling = model.sampling
    if sampling.estimate_out_of_bag:
        raise ValueError('standard errors are not known for honest_fill="oob": use honest_fill="sample"')
    wanted = _COUNT_BYTES * model.n_trees * sampling.n_rows
    check_memory(f"draws of {sampling.n_rows:,} rows by {model.n_trees:,} trees", wanted, "fewer trees take less")
    counts = _draw_counts(model)
    n_trees, n_units = counts.shape
    if n_trees < 2:
        raise ValueError("standard errors need at least two trees")
    share = counts.sum(axis=1).mean() / n_units
    if not sampling.bootstrap and share >= 1:
        raise ValueError("standard errors need trees that draw different rows: bootstrap=True, or max_samples below n")
    warn_of_copies(model)
    scale = 1.0 if sampling.bootstrap else (n_units - 1) / n_units / (1.0 - share) ** 2
    centered = (counts - counts.mean(axis=0)).astype(np.float32)
    noise = centered.var(axis=0, dtype=np.float64).sum() / n_trees
    deviations = _deviations(model, rows, machine)
    by_tree = np.moveaxis(deviations, 1, 0).reshape(n_trees, -1)
    raw = np.zeros(by_tree.shape[1])
    step = max(1, min(_BLOCK, _PRODUCTS // n_trees) // max(1, by_tree.shape[1]))
    for first in range(0, n_units, step):
        raw += ((centered[:, first : first + step].T @ by_tree / n_trees) ** 2).sum(axis=0)
    variance = scale * (raw - noise * (by_tree**2).mean(axis=0))
    _warn_of_noise(variance, n_trees)
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)).reshape(len(deviations), -1))


def _warn_of_noise(variance: Floats, n_trees: int) -> None:
    if (lost := float((variance < 0).mean())) > _FEW:
        warn(
            f"{lost:.0%} of the standard errors come out as 0: {n_trees} trees leave more noise than there is to "
            "see; grow some times as many as each tree draws rows"
        )


def _deviations(model: Model, rows: Array, machine: Machine) -> Floats:
    """Return each tree's part of the deviation from the mean of the trees with a prediction, (n, trees, columns)."""
    values = tree_values(model, rows, machine)
    if model.leaf_prior != "ignore":
        return np.asarray(values - values.mean(axis=1, keepdims=True))
    leaves = leaves_of_forest(model, leaf_ids(model, rows, machine))[:, :, None]
    predicts = model.trees.leaf_weight[leaves] > 0
    share = predicts.mean(axis=1, keepdims=True)
    mean = mean_values(model, rows, machine)[:, None, :]
    return np.asarray(predicts * (values - mean) / np.where(share > 0, share, 1.0))


def _draw_counts(model: Model) -> Ints:
    """Return how often each tree drew each row, or each group, that might be drawn: (trees, units)."""
    sampling, groups = model.core_sampling, model.sampling.groups
    units = np.flatnonzero(model.sampling.has_weight)
    if len(groups):  # all rows of a group are drawn together
        units = units[np.unique(groups[units], return_index=True)[1]]
    return np.stack([sampling.counts(tree)[units] for tree in range(model.n_trees)])


def calibration_values(model: Model, machine: Machine) -> Floats:
    """Return out-of-bag predictions of the training rows, (n, columns); NaN for rows that every tree drew."""
    mean = oob_means(model, machine)
    warn_of_copies(model)
    if model.leaf_prior != "ignore" or not np.isnan(mean).any():
        return mean
    in_some = np.any(membership(model, "oob", machine).reshape(len(mean), -1), axis=1, keepdims=True)
    without_prediction = np.isnan(mean[:, :1]) & in_some
    return np.where(without_prediction, model.prior, mean)


def conformal_score(model: Model, scores: Floats, level: float, method: str) -> float:
    """Return the score that a share ``level`` of new rows stays below, by those of rows out of the bag.

    Groups count alike, and so do the rows of each. Where rows were drawn by weight, those that every tree drew
    are not like the others: they count as missed.
    """
    if not is_number(level, 0, 1) or level in (0, 1):
        raise ValueError(f"level={quoted(level)} must be a number between 0 and 1, such as 0.9")
    if not is_one_of(method, ("oob",)):
        raise ValueError(f'method={quoted(method)} is unknown; it must be "oob"')
    if not (known := np.isfinite(scores)).any():
        raise ValueError("intervals need rows out of the bag: fit with bootstrap=True, or max_samples below n")
    counted = model.sampling.has_weight & (known | bool(len(model.sampling.weights)))
    if not known[counted].all():
        warn(
            f"{int((~known[counted]).sum())} of {int(counted.sum())} training rows were drawn by every tree and "
            "count as missed: intervals are wider than they need be; more trees help"
        )
    values = np.where(known, scores, np.inf)[counted]
    all_groups = model.sampling.groups
    groups = all_groups[counted] if len(all_groups) else np.arange(len(values))
    _, unit, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    rank = math.ceil((len(sizes) + 1) * float(level))
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(1.0 / sizes[unit[order]]) >= rank - 1e-9
    return float(values[order[int(np.argmax(reached))]]) if reached.any() else math.inf

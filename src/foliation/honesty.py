"""What the theory of honest forests asks for, and how far a forest goes along with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp

from foliation import rows, spec
from foliation._sklearn import Parameters
from foliation.checks import probabilities
from foliation.grid import Grid
from foliation.presets import bootstraps, resolve
from foliation.projections import Atoms, Axis, Kernels, Mixture, Neighborhoods, Patches, Projections, Sparse

_NEVER = 1e-6  # a chance that never comes


class subsample_exponent(Parameters):  # noqa: N801
    """A size of subsamples that grows with n, but more slowly: s = n ** alpha.

    Give it as ``max_samples``. As n grows, s grows beyond all bounds and s / n goes to zero.

    Parameters
    ----------
    alpha : float
        Between 0 and 1.

    Examples
    --------
    >>> import foliation as fo
    >>> fo.subsample_exponent(0.5)(10_000)
    100
    """

    def __init__(self, alpha: float) -> None:
        self.alpha = alpha

    def __call__(self, n: int) -> int:
        if not isinstance(self.alpha, Real) or not 0 < self.alpha < 1:
            raise ValueError(f"subsample_exponent: alpha={self.alpha!r} must be a number between 0 and 1")
        return max(1, round(float(n) ** float(self.alpha)))


@dataclass(frozen=True)
class Condition:
    """One condition of the theorem; ``holds`` is None where no program can tell."""

    name: str
    holds: bool | None
    what: str


@dataclass(frozen=True)
class Consistency:
    """What ``consistent`` found; true if all that can be checked holds. ``print`` shows it."""

    conditions: Sequence[Condition]

    def __bool__(self) -> bool:
        return all(condition.holds is not False for condition in self.conditions)

    def __str__(self) -> str:
        marks = {True: "yes", False: "NO", None: "?"}
        width = max(len(condition.name) for condition in self.conditions)
        return "\n".join(f"{marks[c.holds]:>3}  {c.name:<{width}}  {c.what}" for c in self.conditions)


def consistent(forest: Any, X: Any) -> Consistency:
    """Report which conditions for consistency the parameters of a forest meet, and what to change.

    They are Specifications 1 and 2 of the MORF paper: if they hold, and Assumptions 1 and 2, which are about the data,
    then probabilities and means go to the true ones as n grows, and the error to the Bayes error.

    Parameters
    ----------
    forest : ForestClassifier or ForestRegressor
        Need not be fitted.
    X : array of shape (n, p) or (n, *grid)
        Rows like those it is to be fitted on.

    Returns
    -------
    Consistency
        True if all conditions that can be checked hold; ``conditions`` lists them.

    Examples
    --------
    >>> import foliation as fo
    >>> X, y = fo.simulations.trunk(400, random_state=0)
    >>> bool(fo.consistent(fo.ForestClassifier(), X))
    False
    >>> forest = fo.ForestClassifier(
    ...     projections=fo.Mixture([fo.Axis(), fo.Sparse()]), honest=True, bootstrap=False,
    ...     max_samples=fo.subsample_exponent(0.8), min_balance=0.1, min_samples_leaf=5, max_features=1,
    ... )
    >>> bool(fo.consistent(forest, X))
    True
    """
    forest._validate_params()
    flat, grid = rows.split_shape(X)
    grid = grid or Grid((flat.shape[1],), flat=True)
    projections = resolve(forest.projections, grid)
    projections.dictionary(grid)  # complains of projections that cannot be drawn from
    found = [
        Condition("symmetric trees", True, "row numbers enter no decision but the draws, which treat all rows alike"),
        _honest(forest),
        _subsampling(forest, len(flat)),
        _balance(forest),
        _every_feature(forest, projections, flat.shape[1]),
        _basis(projections, flat.shape[1]),
        _finite(projections),
        _leaf_size(forest),
        _empty_leaves(forest),
        _weights(forest),
        Condition(
            "many trees", None, f"the theorems are about infinitely many; {forest.n_estimators} leave some noise"
        ),
        Condition(
            "assumption 1", None, "the density of X is bounded away from zero and infinity: no program can check it"
        ),
        Condition(
            "assumption 2", None, "P(Y = y | X = x), or the mean of Y, is Lipschitz in x: no program can check it"
        ),
    ]
    return Consistency(found)


def _honest(forest: Any) -> Condition:
    holds = bool(forest.honest)
    return Condition("honest", holds, "the rows that fill leaves did not grow the tree" if holds else "set honest=True")


def _subsampling(forest: Any, n: int) -> Condition:
    name = "subsamples, s / n -> 0"
    if bootstraps(forest):
        return Condition(name, False, "a bootstrap draws with replacement: set bootstrap=False")
    if not callable(forest.max_samples):
        return Condition(name, False, "s is a fixed number or share: set max_samples=subsample_exponent(0.8)")
    if forest.honest and forest.honest_fill == "oob":
        return Condition(name, False, 'each tree uses all rows, to grow it or to fill it: set honest_fill="sample"')
    sizes = [(m, forest.max_samples(m)) for m in (n, 100 * n, 10_000 * n)]
    shown = ", ".join(f"{s:,} of {m:,}" for m, s in sizes)
    if isinstance(forest.max_samples, subsample_exponent):
        return Condition(name, True, shown)
    if not all(s < t and s / m > t / k for (m, s), (k, t) in pairwise(sizes)):
        return Condition(name, False, f"s must grow and s / n shrink; here s is {shown}")
    return Condition(name, None, f"{shown}; whether it goes on so, no program can tell")


def _balance(forest: Any) -> Condition:
    name = "balanced splits"
    if forest.splitter == "random":
        return Condition(name, False, 'a node whose random cut is not balanced is not split: set splitter="auto"')
    if not 0 < forest.min_balance < 0.5:
        return Condition(name, False, "set min_balance, for example to 0.1; at 0.5 odd nodes cannot be split")
    return Condition(name, True, f"each side gets at least {forest.min_balance:g} of the rows that grow a node")


def _empty_leaves(forest: Any) -> Condition:
    holds = forest.honest_prior in ("ancestor", "ignore")
    advice = (
        f'honest_prior="{forest.honest_prior}" pulls towards it as many leaves at any n: set "ancestor" or "ignore"'
    )
    return Condition("empty leaves", holds, "they do not speak, or speak for where they lie" if holds else advice)


def _weights(forest: Any) -> Condition:
    holds = forest.class_weight is None
    advice = "probabilities go to those of the weighted classes: set class_weight=None"
    return Condition("rows count alike", holds, "if fit gets no sample_weight" if holds else advice)


def _families(projections: Projections) -> Sequence[Projections]:
    """The families that have a chance to be drawn."""
    if not isinstance(projections, Mixture):
        return [projections]
    shares = probabilities("Mixture", projections.p, len(projections.projections))
    return [family for family, share in zip(projections.projections, shares, strict=True) if share > 0]


def _draws_single_features(family: Projections, n_features: int) -> bool:
    """Whether any single feature may be drawn."""
    if isinstance(family, Sparse):
        if family.features is not None and len(np.asarray(family.features)) < n_features:
            return False
        mean = family.nonzeros if family.density is None else family.density * n_features
        return math.exp(-mean) * (1 + mean) > _NEVER
    if isinstance(family, Patches):
        seen = family.views is None or "raw" in family.views
        return seen and bool(np.all(np.asarray(family.min_size) == 1)) and family.contrast < 1
    if isinstance(family, Neighborhoods):
        return family.hops[0] == 0 if family.size is None else family.size[0] == 1
    if isinstance(family, Kernels):
        return bool(np.asarray(family.bank)[0].size == 1)
    if isinstance(family, Atoms):
        matrix = sp.csr_array(family.matrix)
        drawn = probabilities("Atoms", family.p, matrix.shape[0]) > 0
        single = (np.diff(matrix.indptr) == 1) & drawn
        return len(np.unique(matrix.indices[matrix.indptr[:-1][single]])) == n_features
    return isinstance(family, Axis)


def _draws_features_once(projections: Projections) -> bool:
    """Whether candidates of a node are different features; those of a mixture are independent."""
    if isinstance(projections, Mixture) and len(projections.projections) == 1:
        return isinstance(projections.projections[0], Axis)
    return isinstance(projections, Axis)


def _basis(projections: Projections, n_features: int) -> Condition:
    holds = any(_draws_single_features(family, n_features) for family in _families(projections))
    advice = "add Axis(): projections=Mixture([Axis(), ...])"
    what = "single features are among the atoms" if holds else advice
    return Condition("standard basis in the dictionary", holds, what)


def _finite(projections: Projections) -> Condition:
    endless = [f for f in _families(projections) if getattr(f, "weights", "ones") in ("normal", "uniform")]
    what = f"{endless[0]!r} has random weights: use signs or ones" if endless else "atoms differ in finitely many ways"
    return Condition("finite dictionary", not endless, what)


def _every_feature(forest: Any, projections: Projections, n_features: int) -> Condition:
    name = "any feature may be split on"
    if not any(_draws_single_features(family, n_features) for family in _families(projections)):
        return Condition(name, False, "no single feature is drawn; add Axis()")
    if not _draws_features_once(projections):
        return Condition(name, True, "all candidates of a node may be the same feature")
    holds = min(spec.n_candidates(forest, n_features), n_features) == 1
    advice = "the best of several different features may never be a given one: set max_features=1"
    return Condition(name, holds, "the only candidate of a node may be any feature" if holds else advice)


def _leaf_size(forest: Any) -> Condition:
    name = "leaves of k to 2k - 1 rows"
    k = forest.min_samples_leaf
    if not isinstance(k, Integral):
        return Condition(name, False, "min_samples_leaf is a share of n: set a number")
    limits = {"max_depth": None, "max_leaf_nodes": None, "min_impurity_decrease": 0, "min_weight_fraction_leaf": 0}
    wrong = [f"{what}={free}" for what, free in limits.items() if getattr(forest, what) != free]
    if not isinstance(forest.min_samples_split, Integral) or int(forest.min_samples_split) > 2 * int(k):
        wrong.append(f"min_samples_split={2 * int(k)} or less")
    if wrong:
        return Condition(name, False, f"nodes of 2k rows must be able to split: set {', '.join(wrong)}")
    return Condition(
        name, True, f"k = {k}, of the rows that grow; nodes that are pure or cannot be balanced may be larger"
    )

"""What the theory of honest forests asks for, and how far a forest goes along with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral

from foliation.data.arrays import Data
from foliation.data.rows import Grid, split_shape
from foliation.model.plan import n_candidates
from foliation.model.sampling import bootstraps, estimates_out_of_bag, subsample_exponent
from foliation.model.settings import Settings
from foliation.printable import quoted
from foliation.projections import Projections
from foliation.projections.family import dictionary_of


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


def consistency(settings: Settings, X: Data) -> Consistency:
    """Check the conditions that a program can check."""
    flat, grid = split_shape(X)
    if not hasattr(flat, "shape"):
        raise TypeError(f"X={quoted(X)}: expected rows, (n, p) or (n, *grid)")
    grid = grid or Grid((flat.shape[1],), flat=True)
    projections = settings.composition.resolve_projections(settings.projections, grid)
    dictionary_of(projections, grid, projections.views_on(grid))  # raises an error for what cannot be drawn from
    conditions = [
        Condition("symmetric trees", True, "row numbers enter no decision but the draws, which treat all rows alike"),
        _honest(settings),
        _subsampling(settings, len(flat)),
        _balance(settings),
        _every_feature(settings, projections, flat.shape[1]),
        _basis(projections, flat.shape[1]),
        _finite(projections),
        _leaf_size(settings),
        _empty_leaves(settings),
        _weights(settings),
        Condition(
            "many trees", None, f"the theorems are about infinitely many; {settings.n_estimators} leave some noise"
        ),
        Condition(
            "assumption 1", None, "the density of X is bounded away from zero and infinity: no program can check it"
        ),
        Condition(
            "assumption 2", None, "P(Y = y | X = x), or the mean of Y, is Lipschitz in x: no program can check it"
        ),
    ]
    return Consistency(conditions)


def _honest(settings: Settings) -> Condition:
    holds = bool(settings.honest)
    return Condition("honest", holds, "structure and estimation samples are disjoint" if holds else "set honest=True")


def _subsampling(settings: Settings, n: int) -> Condition:
    name = "subsamples, s / n -> 0"
    if bootstraps(settings):
        return Condition(name, False, "a bootstrap draws with replacement: set bootstrap=False")
    if not callable(settings.max_samples):
        return Condition(name, False, "s is a fixed number or share: set max_samples=subsample_exponent(0.8)")
    if estimates_out_of_bag(settings):
        return Condition(name, False, 'each tree uses all rows, to grow it or to fill it: set honest_fill="sample"')
    sizes = [(m, settings.max_samples(m)) for m in (n, 100 * n, 10_000 * n)]
    shown = ", ".join(f"{s:,} of {m:,}" for m, s in sizes)
    if isinstance(settings.max_samples, subsample_exponent):
        return Condition(name, True, shown)
    if not all(s < t and s / m > t / k for (m, s), (k, t) in pairwise(sizes)):
        return Condition(name, False, f"s must grow and s / n shrink; here s is {shown}")
    return Condition(name, None, f"{shown}; no program can tell whether this continues")


def _balance(settings: Settings) -> Condition:
    name = "balanced splits"
    if settings.splitter == "random":
        return Condition(name, False, 'a node whose random cut is not balanced is not split: set splitter="auto"')
    if not 0 < settings.min_balance < 0.5:
        return Condition(name, False, "set min_balance, for example to 0.1; at 0.5 odd nodes cannot be split")
    return Condition(name, True, f"each side gets at least {settings.min_balance:g} of the rows that grow a node")


def _empty_leaves(settings: Settings) -> Condition:
    holds = settings.honest_prior in ("ancestor", "ignore")
    advice = (
        f'honest_prior="{settings.honest_prior}" pulls towards it as many leaves at any n: set "ancestor" or "ignore"'
    )
    return Condition("empty leaves", holds, "they predict nothing, or what an ancestor does" if holds else advice)


def _weights(settings: Settings) -> Condition:
    holds = settings.class_weight is None
    advice = "probabilities go to those of the weighted classes: set class_weight=None"
    return Condition("rows count alike", holds, "if fit gets no sample_weight" if holds else advice)


def _draws_single_features(projections: Projections, n_features: int) -> bool:
    return any(family.draws_single_features(n_features) for family in projections.drawn_parts())


def _draws_features_once(projections: Projections) -> bool:
    """Return whether candidates of a node are different features; those of a mixture are independent."""
    parts = projections.parts()
    return len(parts) == 1 and parts[0].distinct_candidates


def _basis(projections: Projections, n_features: int) -> Condition:
    holds = _draws_single_features(projections, n_features)
    advice = "add Axis(): projections=Mixture([Axis(), ...])"
    what = "single features are among the atoms" if holds else advice
    return Condition("standard basis in the dictionary", holds, what)


def _finite(projections: Projections) -> Condition:
    endless = [family for family in projections.drawn_parts() if not family.is_finite()]
    what = f"{endless[0]!r} has random weights: use signs or ones" if endless else "atoms differ in finitely many ways"
    return Condition("finite dictionary", not endless, what)


def _every_feature(settings: Settings, projections: Projections, n_features: int) -> Condition:
    name = "any feature may be split on"
    if not _draws_single_features(projections, n_features):
        return Condition(name, False, "no single feature is drawn; add Axis()")
    if not _draws_features_once(projections):
        return Condition(name, True, "all candidates of a node may be the same feature")
    holds = min(n_candidates(settings.max_features, n_features), n_features) == 1
    advice = "the best of several different features may never be a given one: set max_features=1"
    return Condition(name, holds, "the only candidate of a node may be any feature" if holds else advice)


def _leaf_size(settings: Settings) -> Condition:
    name = "leaves of k to 2k - 1 rows"
    k = settings.min_samples_leaf
    if not isinstance(k, Integral):
        return Condition(name, False, "min_samples_leaf is a share of n: set a number")
    limits = {"max_depth": None, "max_leaf_nodes": None, "min_impurity_decrease": 0, "min_weight_fraction_leaf": 0}
    wrong = [f"{what}={free}" for what, free in limits.items() if getattr(settings, what) != free]
    if not isinstance(settings.min_samples_split, Integral) or int(settings.min_samples_split) > 2 * int(k):
        wrong.append(f"min_samples_split={2 * int(k)} or less")
    if wrong:
        return Condition(name, False, f"nodes of 2k rows must be able to split: set {', '.join(wrong)}")
    return Condition(
        name, True, f"k = {k}, of the rows that grow; nodes that are pure or cannot be balanced may be larger"
    )

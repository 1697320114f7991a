"""Which rows each tree draws: a pure function of the seed, the tree and what is said here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from foliation.data.arrays import Bools, Floats, Ints
from foliation.model.settings import Settings
from foliation.parameters import Parameters
from foliation.printable import quoted
from foliation.projections.family import ALL_ROWS
from foliation.validation import is_number

_MOST = 2**31 - 1


@dataclass(frozen=True)
class Sampling:
    """What the draws of each tree's rows depend on, besides the seed and the tree."""

    n_rows: int
    n_draws: int  # rows, or groups, that each tree draws
    bootstrap: bool
    balanced_subsample: bool
    structure_share: float  # of a tree's distinct rows, its structure samples; the others are its estimation samples
    estimate_out_of_bag: bool
    weights: Floats  # empty: all rows weigh the same
    groups: Ints  # empty: every row by itself

    @property
    def is_honest(self) -> bool:
        return self.structure_share < 1 or self.estimate_out_of_bag

    @property
    def row_weights(self) -> Floats | None:
        return self.weights if len(self.weights) else None

    @property
    def rows_per_draw(self) -> float:
        """How many rows come with a draw: all of a group, on average over the groups that may be drawn."""
        return self.n_rows / len(np.unique(self.groups[self.has_weight])) if len(self.groups) else 1.0

    @property
    def has_weight(self) -> Bools:
        """Which rows have a weight."""
        return self.weights > 0 if len(self.weights) else np.ones(self.n_rows, dtype=bool)


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
        if not is_number(self.alpha, 0, 1) or self.alpha in (0, 1):
            raise ValueError(f"subsample_exponent: alpha={quoted(self.alpha)} must be a number between 0 and 1")
        return max(1, round(math.pow(n, self.alpha)))


def bootstraps(settings: Settings) -> bool:
    """Return whether trees draw their rows with replacement; those of some presets do not, if they may."""
    if settings.bootstrap != "auto":
        return bool(settings.bootstrap)
    prefers_all_rows = isinstance(settings.projections, str) and settings.projections in ALL_ROWS
    return bool(settings.oob_score) or estimates_out_of_bag(settings) or not prefers_all_rows


def estimates_out_of_bag(settings: Settings) -> bool:
    """Return whether the estimation samples of an honest tree are its rows out of the bag."""
    return bool(settings.honest) and settings.honest_fill == "oob"


def balances_subsamples(settings: Settings) -> bool:
    """Return whether each tree balances the classes of its own rows; the core then does what class weights would."""
    return bootstraps(settings) and settings.class_weight == "balanced_subsample"


def sampling_of(settings: Settings, n_rows: int, weights: Floats | None, groups: Ints) -> Sampling:
    """Work out the sampling of a fit; raise ValueError for settings that do not go together."""
    units, what = (groups, "groups") if len(groups) else (np.arange(n_rows), "rows")
    n_units = int(units.max()) + 1
    n_draws = _n_draws(settings, n_units, None if len(groups) else weights, what)
    n_weighted = n_units if weights is None else len(np.unique(units[weights > 0]))
    if settings.honest and min(n_draws, n_weighted) < 2:
        raise ValueError(f"honest trees need at least two {what}: one to grow them and one to fill them")
    _check_out_of_bag(settings, some_left_out=bootstraps(settings) or n_draws < n_units)
    return Sampling(
        n_rows=n_rows,
        n_draws=n_draws,
        bootstrap=bootstraps(settings),
        balanced_subsample=balances_subsamples(settings),
        structure_share=_structure_share(settings.honest),
        estimate_out_of_bag=estimates_out_of_bag(settings),
        weights=np.empty(0) if weights is None else weights,
        groups=groups,
    )


def _check_out_of_bag(settings: Settings, *, some_left_out: bool) -> None:
    by_oob = estimates_out_of_bag(settings)
    if by_oob and not isinstance(settings.honest, bool | np.bool_):
        raise ValueError(f'honest_fill="oob" lets the whole sample grow a tree: set honest=True, not {settings.honest}')
    if by_oob and not some_left_out:
        raise ValueError('honest_fill="oob" needs rows out of the bag: bootstrap=True, or max_samples below n')
    if by_oob and settings.oob_score:
        raise ValueError('honest_fill="oob" fills leaves with the rows out of the bag, so none are left for oob_score')
    if settings.oob_score and not some_left_out:
        raise ValueError("oob_score=True needs rows out of the bag: bootstrap=True, or max_samples below n")


def _structure_share(honest: float) -> float:
    if isinstance(honest, bool | np.bool_):
        return 0.5 if honest else 1.0
    return float(honest)


def _n_draws(settings: Settings, n_rows: int, weights: Floats | None, what: str) -> int:
    size = settings.max_samples
    if size is None:
        return n_rows
    if callable(size):
        n_draws = size(n_rows)
        if not isinstance(n_draws, Integral) or isinstance(n_draws, bool) or n_draws < 1:
            raise ValueError(
                f"max_samples={quoted(size)} gives {quoted(n_draws)} for {n_rows} rows; it must give a number of rows"
            )
    elif isinstance(size, Integral):
        n_draws = int(size)
    else:
        n_draws = max(1, int(min(float(size) * (n_rows if weights is None else weights.sum()), 2.0 * _MOST)))
    if n_draws > _MOST:
        raise ValueError(f"max_samples={quoted(size)} asks for more than {_MOST} {what}; so many can be drawn at most")
    if not bootstraps(settings) and n_draws > n_rows:
        raise ValueError(f"max_samples={size} asks for {n_draws} {what} without replacement, but there are {n_rows}")
    return int(n_draws)

"""Settings of RF and SPORF by the error on out-of-bag rows, as the SPORF paper chose them, from a smaller grid.

Candidates are powers of the number of features; large powers of many features are left out for their time.
"""

from __future__ import annotations

from math import ceil

from foliation import Sparse
from foliation_experiments.classes.contenders import Options, forest
from foliation_experiments.harness.data import Split

_POWERS = {"simulations": (0.5, 1.0, 1.5), "tables": (0.5, 0.75)}  # by part; RF has no more candidates than features
_MOST = 100  # candidates at a node
_NONZEROS = (1.5, 3.0)
_TREES = 30  # of each forest that is tried


def grid(method: str, part: str, n_features: int) -> list[Options]:
    """Return the settings that are tried for RF or SPORF."""
    most = min(_MOST, n_features) if method == "RF" else _MOST
    counts = sorted({ceil(n_features**power) for power in _POWERS[part]})
    kept = [count for count in counts if count <= most] or counts[:1]
    families = ["axis"] if method == "RF" else [Sparse(rate) for rate in _NONZEROS]
    return [{"projections": family, "max_features": count} for family in families for count in kept]


def tuned(method: str, part: str, split: Split, seed: int) -> Options:
    """Return the settings with the smallest error on out-of-bag rows, the first of equals."""
    tried = grid(method, part, split.X.shape[1])
    return max(tried, key=lambda options: _out_of_bag(options, split, seed))


def _out_of_bag(options: Options, split: Split, seed: int) -> float:
    found = forest({"n_estimators": _TREES, "oob_score": True, **options}, seed).fit(split.X, split.y)
    return float(found.oob_score_)

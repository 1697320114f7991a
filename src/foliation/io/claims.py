"""What a file says without storing it, such as a number of rows, and how much of that its size justifies.

Time and memory of some questions grow with these numbers alone. A file of a few bytes must not ask for hours.
"""

from __future__ import annotations

import math

from foliation import _core
from foliation.io.onnx_views import MOST_BYTES, wave_bytes
from foliation.model.model import Model

FLOOR = 2**22  # that a file of any size may claim
RATE = 1024  # that each of its bytes justifies


def claims_of(model: Model) -> dict[str, int]:
    """Return the numbers that are not stored element by element, by what they count."""
    sampling, n_leaves = model.sampling, int(model.trees.n_leaves.max())
    waves = 0 if model.views is None else wave_bytes(model.views) // 8
    return {
        "rows": sampling.n_rows,
        "rows that all trees draw from": model.n_trees * sampling.n_rows,
        "rows that all trees draw": math.ceil(model.n_trees * sampling.n_draws * sampling.rows_per_draw),
        "cells of a row": model.n_cells,
        "terms of the projections of all splits": math.ceil(_core.most_terms(model.core_trees, model.dictionary)),
        "values of the leaves of a tree": n_leaves * model.targets.n_columns,
        "pairs of classes": max((len(labels) ** 2 for labels in model.targets.classes), default=0),
        "waves of spectra in ONNX": waves if 8 * waves <= MOST_BYTES else 0,  # more are not exported
    }


def check_claims(model: Model, n_bytes: int) -> None:
    """Raise ValueError if a file of so many bytes claims more than they justify."""
    justified = max(FLOOR, RATE * n_bytes)
    for what, claimed in claims_of(model).items():
        if claimed > justified:
            raise ValueError(f"it claims {claimed:,} {what}; {n_bytes:,} bytes justify at most {justified:,}")


def bytes_to_justify(model: Model) -> int:
    """Return how many bytes a file of this model must have at least."""
    most = max(claims_of(model).values())
    return math.ceil(most / RATE) if most > FLOOR else 0

"""How much each feature matters."""

from __future__ import annotations

import math

import numpy as np

from foliation import _core
from foliation.data.arrays import Floats
from foliation.memory import check_memory
from foliation.model.model import Model
from foliation.printable import quoted
from foliation.validation import check_flag, is_one_of

_MANY_CELLS = 10_000_000
RAW_CRITERIA = ("two_means_raw", "fast_bic_raw")  # whose scores are no gains


def importance(model: Model, kind: str, *, normalize: bool = True) -> Floats:
    """Return importances in the shape of the cells: the grid, after an axis of views if there are any."""
    check_flag("normalize", normalize)
    if not is_one_of(kind, _core.Importance.__members__):
        raise ValueError(f'kind={quoted(kind)} is unknown; it must be "count" or "gain"')
    if kind == "gain" and model.criterion in RAW_CRITERIA:
        raise ValueError(f'criterion="{model.criterion}" has scores, not gains; importance("count") counts splits')
    if model.n_cells > _MANY_CELLS:  # a small file may claim a huge grid
        check_memory("importances", 16.0 * model.n_cells, f"the grid has {model.n_cells:,} cells")
    sums = _core.importance(model.dictionary, model.core_trees, _core.Importance[kind])
    papers_scale = len(model.trees.threshold) if kind == "count" else 1.0
    scale = float(sums.sum() if normalize else papers_scale)
    return (sums / (scale or 1.0)).reshape(model.cell_shape)


def of_features(model: Model) -> Floats:
    """Return the importance by gain of each feature: summed over views, whose cells count for places in proportion."""
    by_cell = importance(model, "gain", normalize=True)
    if model.views is None:
        return by_cell.ravel()
    *before, side = model.grid_shape
    features = np.zeros((math.prod(before), side))
    for cells, part in zip(by_cell, model.views.parts(), strict=True):
        length = max(part.length, side)  # shorter views begin at the first place
        places = np.arange(length) * side // length
        np.add.at(features, (slice(None), places), cells.reshape(len(features), -1)[:, :length])  # type: ignore[arg-type]
    return features.ravel()

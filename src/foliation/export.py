"""Export of forests to other formats."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from foliation.estimators.forest import Forest
from foliation.io.atomic import check_place, write_atomic
from foliation.io.onnx import onnx_model
from foliation.model.fitted import fitted_model

if TYPE_CHECKING:
    from onnx import ModelProto


def to_onnx(forest: Forest, path: str | os.PathLike[str] | None = None) -> ModelProto:
    """Export a classifier or a regressor to ONNX: a sparse linear map, then an ensemble of axis-aligned trees.

    The model has one input, ``X`` of float64 and of shape (n, p) or (n, *grid), and one output of float32: class
    ``probabilities`` of shape (n, classes), or ``values`` of shape (n, outputs). Rows within a rounding error of a
    threshold may fall on its other side.

    Parameters
    ----------
    forest : ForestClassifier or ForestRegressor
        Fitted. The classes of several outputs are columns, one output after the other.
    path : str or path, optional
        The file to write; by default nothing is written.

    Returns
    -------
    onnx.ModelProto

    Raises
    ------
    ValueError
        If the linear map or the trees need more than the 2 GB that ONNX can hold, or predictions overflow float32.
    """
    model = fitted_model(forest)
    if not forest.n_outputs_:
        raise TypeError(f"forest is a {type(forest).__name__}, which predicts nothing: expected one that does")
    if path is not None:
        check_place(path)
    exported: ModelProto = onnx_model(model)
    if path is not None:
        write_atomic(path, lambda file: file.write(exported.SerializeToString()))
    return exported

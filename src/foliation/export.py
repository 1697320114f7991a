"""Forests for other programs."""

from __future__ import annotations

import os

from sklearn.utils.validation import check_is_fitted

from foliation.data.arrays import Data
from foliation.estimators.forest import Forest
from foliation.io.atomic import write_atomic
from foliation.io.onnx import onnx_model


def to_onnx(forest: Forest, path: str | os.PathLike[str] | None = None) -> Data:
    """Write a classifier or a regressor as ONNX: one sparse linear map, and an ordinary ensemble of trees.

    The model has one input, ``X`` of float64 and of shape (n, p) or (n, *grid), and one output of float32: class
    ``probabilities`` of shape (n, classes), or ``values`` of shape (n, outputs). Rows within a rounding error of a
    threshold may go the other way.

    Parameters
    ----------
    forest : ForestClassifier or ForestRegressor
        Fitted. Of several outputs of a classifier, the classes are columns one after the other.
    path : str or path, optional
        Where to write the model.

    Returns
    -------
    onnx.ModelProto

    Raises
    ------
    ValueError
        If the linear map, or the trees, would pass the 2 GB that ONNX can hold, or predictions its numbers.
    """
    check_is_fitted(forest)
    if not forest.n_outputs_:
        raise TypeError(f"{type(forest).__name__} predicts nothing, so there is nothing to export")
    model = onnx_model(forest.model_)
    if path is not None:
        write_atomic(path, lambda unfinished: unfinished.write_bytes(model.SerializeToString()))
    return model

"""What is written for other programs is what is returned, and forests without predictions are refused."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foliation as fo
from foliation.export import to_onnx

X = np.random.default_rng(0).normal(size=(40, 3, 4))
Y = (X[:, 0, 0] > 0).astype(int)


def test_the_file_holds_the_model_that_is_returned(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    path = tmp_path / "forest.onnx"
    model = to_onnx(fo.ForestClassifier(2, projections="patches", random_state=0).fit(X, Y), path)
    assert onnx.load(path) == model
    assert list(tmp_path.iterdir()) == [path]
    onnx.checker.check_model(model)


@pytest.mark.parametrize(
    ("forest", "y", "output", "n_columns"),
    [
        (fo.ForestClassifier(2), Y, "probabilities", 2),
        (fo.ForestClassifier(2), np.stack([Y, np.arange(40) % 3], axis=1), "probabilities", 5),
        (fo.ForestRegressor(2), X[:, 0, 0], "values", 1),
        (fo.ForestRegressor(2), X[:, 0, :3], "values", 3),
    ],
    ids=["classes", "two outputs of classes", "numbers", "three outputs"],
)
def test_input_and_output_have_their_names_types_and_shapes(forest: Any, y: Any, output: str, n_columns: int) -> None:
    onnx = pytest.importorskip("onnx")
    graph = to_onnx(forest.set_params(random_state=0).fit(X, y)).graph
    (given,), (found,) = graph.input, graph.output
    assert (given.name, found.name) == ("X", output)
    assert given.type.tensor_type.elem_type == onnx.TensorProto.DOUBLE
    assert found.type.tensor_type.elem_type == onnx.TensorProto.FLOAT
    shapes = [[side.dim_value or side.dim_param for side in one.type.tensor_type.shape.dim] for one in (given, found)]
    assert shapes == [["n", 3, 4], ["n", n_columns]]


def test_a_forest_that_predicts_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="GeodesicForest, which predicts nothing"):
        to_onnx(fo.GeodesicForest(2, random_state=0).fit(X), tmp_path / "forest.onnx")
    with pytest.raises(ValueError, match="not fitted"):
        to_onnx(fo.ForestClassifier(), tmp_path / "forest.onnx")
    assert not list(tmp_path.iterdir())


def test_without_onnx_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_onnx(name: str, *arguments: Any, **keywords: Any) -> Any:
        if name == "onnx":
            raise ImportError(name)
        return real(name, *arguments, **keywords)

    forest = fo.ForestClassifier(2, random_state=0).fit(X, Y)
    monkeypatch.setattr(builtins, "__import__", without_onnx)
    with pytest.raises(ImportError, match=r'pip install "foliation\[onnx\]"'):
        to_onnx(forest)

"""The house keeps its shape: short inheritance, typed code, imports that point one way, a fit that can be followed."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import load_digits

import foliation as fo
from foliation.estimators.forest import Forest

PRODUCT = Path(fo.__file__).parent
SOURCES = sorted(PRODUCT.rglob("*.py"))
OPTIONAL = {"matplotlib", "onnx", "polars", "rich", "typer", "umap"}
HEAVY = {"scipy.cluster.hierarchy", "scipy.spatial.distance", "scipy.stats"}  # what takes long to import, and few need
HEAVY |= {"sklearn.datasets", "sklearn.manifold", "sklearn.metrics"}


@pytest.mark.parametrize("estimator", [fo.ForestClassifier, fo.ForestRegressor, fo.GeodesicForest])
def test_estimators_have_at_most_three_classes_of_ours(estimator: type) -> None:
    ours = [kind.__name__ for kind in estimator.__mro__ if kind.__module__.startswith("foliation")]
    assert len(ours) <= 3, ours


def test_any_is_rare() -> None:
    text = "\n".join(path.read_text() for path in SOURCES)
    n_lines = text.count("\n")
    assert len(re.findall(r"\bAny\b", text)) < 0.015 * n_lines
    assert "forest: Any" not in text


# ---- imports ----


def module_of(path: Path) -> str:
    parts = path.relative_to(PRODUCT.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_of(path): path for path in SOURCES}


def imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules that one statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        for alias in node.names:
            submodule = f"{node.module}.{alias.name}"
            yield submodule if submodule in MODULES or submodule == "foliation._core" else node.module


def test_there_are_no_import_cycles() -> None:
    """Imports inside functions count, too."""
    numbers = {name: number for number, name in enumerate(MODULES)}
    edges = [
        (numbers[name], numbers[other])
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text()))
        for other in imported(node)
        if other in numbers and other != name
    ]
    rows, columns = np.array(edges).T
    graph = csr_array((np.ones(len(edges)), (rows, columns)), shape=(len(numbers), len(numbers)))
    n_components, component = connected_components(graph, connection="strong")
    cycles = [np.array(list(numbers))[component == c].tolist() for c in range(n_components)]
    assert [cycle for cycle in cycles if len(cycle) > 1] == []


def functions(tree: ast.AST) -> Iterator[ast.AST]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_functions_import_only_what_is_optional_or_heavy() -> None:
    for path in SOURCES:
        for function in functions(ast.parse(path.read_text())):
            for node in ast.walk(function):
                for name in imported(node):
                    assert name.split(".")[0] in OPTIONAL or name in HEAVY, f"{path}: {name}"


# ---- the way of a fit ----


def files_entered(call: Callable[[], object]) -> list[str]:
    """Return the files of ours that a call enters, in order; one entry for functions of one file in a row."""
    entered = [""]

    def enter(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(PRODUCT)) and file != entered[-1]:
            entered.append(file)

    sys.setprofile(enter)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered[1:]


DIGITS = load_digits()
FITS: dict[str, tuple[Forest, NDArray[np.float64]]] = {
    "table": (fo.ForestClassifier(3), DIGITS.data),
    "regression": (fo.ForestRegressor(3, projections="axis"), DIGITS.data),
    "honest": (fo.ForestClassifier(3, honest=True), DIGITS.data),
    "patches": (fo.ForestClassifier(3, projections=fo.Patches()), DIGITS.images),
    "image": (fo.ForestClassifier(3, projections="image"), DIGITS.images),
    "series": (fo.ForestClassifier(3, projections="series"), DIGITS.images),
    "geodesic": (fo.GeodesicForest(3), DIGITS.data),
}


@pytest.mark.parametrize("name", FITS)
def test_a_fit_enters_few_files(name: str) -> None:
    forest, X = FITS[name]
    entered = files_entered(lambda: forest.fit(X, DIGITS.target))
    assert len(set(entered)) <= 10, sorted(set(entered))
    assert len(entered) <= 30, entered

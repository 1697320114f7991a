"""Importing the package stays quick: it loads nothing that scikit-learn's forests do not load."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import foliation

SCRIPT = """
import sys
import sklearn.ensemble
before = set(sys.modules)
import foliation
print([name for name in set(sys.modules) - before if not name.startswith("foliation") and name != "sklearn.callback"])
"""


def test_nothing_heavy_on_the_import_path() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_modules_come_when_asked_for() -> None:
    script = (
        "import sys, foliation as fo; print('foliation.export' in sys.modules, fo.export.to_onnx, fo.plotting.TreeView)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False <function to_onnx") and "TreeView" in done.stdout
    with pytest.raises(AttributeError, match="no attribute 'exports'"):
        _ = foliation.exports


def test_version() -> None:
    assert foliation.__version__ == version("foliation")

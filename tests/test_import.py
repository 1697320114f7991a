"""Importing the package stays quick: it loads nothing that scikit-learn's forests do not load."""

from __future__ import annotations

import subprocess
import sys

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


def test_version() -> None:
    from importlib.metadata import version

    import foliation

    assert foliation.__version__ == version("foliation")

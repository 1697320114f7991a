"""A virtual environment for each peer, made once under ``.venv-bench`` and reused."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(".venv-bench")


class InstallError(RuntimeError):
    """A peer cannot be installed here; the message gives the reason."""


@dataclass(frozen=True)
class Environment:
    """What pip installs, in order, and a sentence of Python that must run afterwards."""

    name: str
    steps: tuple[tuple[str, ...], ...]
    probe: str
    headers: str = ""  # folder of C++ headers in site-packages that the last step needs


_TINY = "import numpy as np; X = np.random.rand(40, 9).astype(np.float32); y = np.arange(40) % 2; "

ENVIRONMENTS = {
    environment.name: environment
    for environment in (
        Environment("scikit-learn", (("scikit-learn",),), "import sklearn.ensemble"),
        # Its newest release is built against, and runs with, an older scikit-learn only.
        Environment(
            "treeple",
            (("treeple", "scikit-learn==1.6.*"),),
            _TINY + "import treeple; treeple.ObliqueRandomForestClassifier(2).fit(X, y)",
        ),
        Environment("ydf", (("ydf",),), "import ydf"),
        Environment("umap", (("umap-learn",),), "import umap"),
        Environment("xgboost", (("xgboost-cpu", "scikit-learn"),), "import xgboost"),
        Environment("aeon", (("aeon",),), "import aeon.classification.interval_based"),
        Environment("lightgbm", (("lightgbm", "scikit-learn"),), "import lightgbm"),
        # Comes as source only; compiling it takes Eigen's headers.
        Environment(
            "rerf",
            (("setuptools", "wheel", "cmeel-eigen"), ("rerf",)),
            _TINY + "from rerf.rerfClassifier import rerfClassifier; rerfClassifier(n_estimators=2).fit(X, y)",
            headers="cmeel.prefix/include",
        ),
    )
}


def interpreter(name: str, root: Path = ROOT) -> Path:
    """Return the Python of an environment; "" is the one that runs this."""
    return Path(sys.executable) if not name else (root / name / "bin" / "python").absolute()


def prepare(name: str, root: Path = ROOT) -> None:
    """Make an environment unless it is there; raise InstallError with the reason if that fails."""
    ready = root / name / "ready"
    if not name or ready.exists():
        return
    environment, python = ENVIRONMENTS[name], interpreter(name, root)
    _call([sys.executable, "-m", "venv", str(root / name)])
    for packages in environment.steps:
        _call([str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *packages], environment)
    _call([str(python), "-c", environment.probe])
    ready.touch()


def _call(command: list[str], environment: Environment | None = None) -> None:
    variables = dict(os.environ)
    if environment is not None and environment.headers:
        folders = Path(command[0]).parent.parent.glob(f"lib/python*/site-packages/{environment.headers}")
        variables["CPLUS_INCLUDE_PATH"] = os.pathsep.join(map(str, folders))
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=False)
    if done.returncode:
        raise InstallError(last_line(done.stderr or done.stdout))


def last_line(text: str) -> str:
    """Return the last line that is not a hint; pip's errors come last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    useful = [line for line in lines if not line.startswith(("[notice]", "hint:"))] or lines
    return useful[-1][:300] if useful else "no reason given"

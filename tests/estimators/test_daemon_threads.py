"""A program may end while its daemon threads are inside the core: it ends well, and says nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGIN = """
import threading, time
import numpy as np, foliation as fo
from foliation.estimators import progress
X = np.random.default_rng(0).normal(size=(2000, 3))
y = (X[:, 0] > 0).astype(int)
"""
END = """
threading.Thread(target=work, daemon=True).start()
time.sleep(0.4)
"""
WORK = {
    "fit": "def work(): fo.ForestClassifier(100_000, n_jobs={n_jobs}).fit(X, y)",
    "predict": """
forest = fo.ForestClassifier(100, n_jobs={n_jobs}).fit(X, y)
many = np.tile(X, (400, 1))
def work(): [forest.predict(many) for _ in range(1000)]
""",
    "code of Python that the core calls": """
progress.ProgressBar.__call__ = lambda bar, done: [time.sleep(0.001) for _ in range(100)] == 0
def work(): fo.ForestClassifier(100_000, n_jobs={n_jobs}, verbose=1).fit(X, y)
""",
}


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_the_end_of_a_program(work: str, n_jobs: int) -> None:
    program = BEGIN + work.format(n_jobs=n_jobs) + END
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")

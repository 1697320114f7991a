"""Where memory runs out there is a MemoryError: no crash, no leak, no half-made estimator, and the next call is right.

Every test runs a script of ``tests/support`` in a process of its own, which prints how many failures it injected.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).resolve().parents[1] / "support"
LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="preloads a library, or limits the address space, as on Linux"
)


def run(script: str, *arguments: str, **environment: str) -> None:
    """Run a script; it must end well and say what it did."""
    result = subprocess.run(
        [sys.executable, "-W", "ignore", SUPPORT / script, *arguments],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, f"ended with {result.returncode}: {result.stderr[-2000:]}"
    print(result.stdout)


@pytest.fixture(scope="module")
def failing_new(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a library whose operator new can be told to fail."""
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    library = tmp_path_factory.mktemp("failing") / "failing_new.so"
    source = SUPPORT / "failing_new.cpp"
    subprocess.run([compiler, "-std=c++20", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    return str(library)


@LINUX
def test_allocations_of_the_core_that_fail(failing_new: str) -> None:
    run("run_failing_new.py", failing_new, "5", LD_PRELOAD=failing_new)


@LINUX
def test_little_memory() -> None:
    run("run_without_memory.py", *map(str, (0, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 10_000_000)))


def test_allocations_of_python_that_fail() -> None:
    pytest.importorskip("_testcapi")
    run("run_failing_python.py", "23")

"""Start a worker as a fresh process and wait for its outcome."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import asdict
from pathlib import Path

from foliation.bench.environments import interpreter, last_line
from foliation.bench.worker.contract import Outcome, Task

_TIME_LIMIT = 3600.0  # seconds
# The folder goes to the end of the path, so that nothing of ours hides a module of a peer.
_START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); sys.argv[0] = 'worker'; "
    "runpy.run_module('worker', run_name='__main__', alter_sys=True)"
)
_FOLDER = Path(__file__).parent


def launch(task: Task, environment: str) -> Outcome:
    """Return what the worker measured, or ``{"failed": why}``."""
    with tempfile.TemporaryDirectory(prefix="foliation-task-") as folder:
        told, answer = Path(folder) / "task.json", Path(folder) / "outcome.json"
        told.write_text(json.dumps(asdict(task)))
        command = [str(interpreter(environment)), "-c", _START, str(_FOLDER), str(told), str(answer)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, env=_variables(task), timeout=_TIME_LIMIT, check=False
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return {"failed": f"took longer than {_TIME_LIMIT:.0f} s"}
        if done.returncode or not answer.exists():
            return {"failed": last_line(done.stderr) + f" (exit code {done.returncode})"}
        outcome: Outcome = json.loads(answer.read_text())
        return outcome


def _variables(task: Task) -> dict[str, str]:
    threads = str(task.threads)
    return {**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "PYTHONWARNINGS": "ignore"}

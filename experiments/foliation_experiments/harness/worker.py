"""A measurement in a fresh process, in this environment or in that of a peer."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from foliation_experiments.harness.environments import interpreter, last_line
from foliation_experiments.harness.experiment import Outcome

_TIME_LIMIT = 3600.0  # seconds


class WorkerError(RuntimeError):
    """A worker did not answer; the message gives the reason."""


def ask(
    environment: str, program: Sequence[str], task: Mapping[str, Any], variables: Mapping[str, str] | None = None
) -> Outcome:
    """Run a Python program with two more arguments, a JSON file of the task and one for the outcome; return the latter.

    Parameters
    ----------
    environment : str
        Name of a peer's environment, or "" for this one.
    program : sequence of str
        Arguments of the interpreter, such as the path of a script.
    task : mapping
    variables : mapping, optional
        Environment variables to set.
    """
    with tempfile.TemporaryDirectory(prefix="foliation-task-") as folder:
        told, answer = Path(folder) / "task.json", Path(folder) / "outcome.json"
        told.write_text(json.dumps(task))
        command = [str(interpreter(environment)), *program, str(told), str(answer)]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                env={**os.environ, **(variables or {})},
                timeout=_TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise WorkerError(f"took longer than {_TIME_LIMIT:.0f} s") from None
        if done.returncode or not answer.exists():
            raise WorkerError(last_line(done.stderr) + f" (exit code {done.returncode})")
        outcome: Outcome = json.loads(answer.read_text())
        return outcome

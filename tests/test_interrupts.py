"""Ctrl-C is heard in every public call, however long it takes, and leaves everything as it was."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import long_calls
import numpy as np
import pytest
from interrupts import interrupted

import foliation as fo
from foliation import evaluation, export, plotting
from foliation.cli.app import app

WITHIN = 1.0  # seconds of CPU time of each thread in which it is heard: other programs do not count
N_THREADS = 2  # of the cases, at most

ESTIMATORS = (fo.ForestClassifier, fo.ForestRegressor, fo.GeodesicForest)
MODULES = {"metrics": fo.metrics, "simulations": fo.simulations, "export": export, "evaluation": evaluation}


def public_calls() -> Iterator[str]:
    """Yield the names of all that users may call, those of the estimators' own methods with their classes."""
    for estimator in ESTIMATORS:
        for name in dir(estimator):
            if not name.startswith("_"):
                yield f"{estimator.__name__}.{name}"
    yield from (name for name in fo.__all__ if callable(getattr(fo, name)) and not hasattr(getattr(fo, name), "fit"))
    for place, module in MODULES.items():
        names = getattr(module, "__all__", [name for name, found in vars(module).items() if _is_own(module, found)])
        yield from (f"{place}.{name}" for name in names)
    for name in plotting.__all__:
        yield from (f"plotting.{name}", f"plotting.{name}.plot")


def _is_own(module: object, found: object) -> bool:
    own = getattr(found, "__module__", "") == getattr(module, "__name__", None)
    return (
        own and callable(found) and not getattr(found, "__name__", "_").startswith("_") and not isinstance(found, type)
    )


def test_every_public_call_has_a_case_or_is_short() -> None:
    known = long_calls.CASES.keys() | long_calls.SHORT.keys()
    missing = [name for name in public_calls() if not {name, name.partition(".")[2]} & known]
    assert missing == []


def test_nothing_is_known_that_is_no_public_call() -> None:
    public = {part for name in public_calls() for part in (name, name.partition(".")[2])}
    others = {f"fit of {name}" for name in long_calls.FITS} | long_calls.OTHERS.keys()
    assert (long_calls.CASES.keys() | long_calls.SHORT.keys()) - public - others == set()


@pytest.mark.parametrize(
    "name",
    [name if name in long_calls.QUICK else pytest.param(name, marks=pytest.mark.extra) for name in long_calls.CASES],
)
@pytest.mark.filterwarnings("ignore")
def test_ctrl_c_is_heard(name: str) -> None:
    assert interrupted(long_calls.CASES[name]()) < WITHIN * N_THREADS


# Says when the program has been read, and Ctrl-C in it is the command's.
PROGRAM = "import sys; from foliation.cli.app import app; print('begun', file=sys.stderr, flush=True); app()"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a table, many rows, and models that take long to use."""
    folder = tmp_path_factory.mktemp("files")
    np.savez(folder / "table.npz", X=long_calls.X, y=long_calls.Y)
    np.savez(folder / "many.npz", X=long_calls.many(1_000_000), y=np.arange(1_000_000) % 3)
    long_calls.classifier().save(folder / "classes.fol")
    long_calls.embedded().remember().save(folder / "geodesic.fol")
    long_calls.patches().save(folder / "patches.fol")
    return folder


COMMANDS = {
    "fit": ("table.npz", "--n-estimators", "1000000", "-o", "new.fol"),
    "predict": ("classes.fol", "many.npz", "-o", "new.csv"),
    "evaluate": ("classes.fol", "many.npz"),
    "explain": ("patches.fol", "-o", "new.png"),
    "describe": ("patches.fol",),
    "report": ("classes.fol", "--data", "many.npz", "-o", "new.html"),
    "neighbors": ("geodesic.fol", "-o", "new.csv"),
    "embed": ("geodesic.fol", "-o", "new.csv"),
    "demo": ("--trees", "100000", "--figure", "new.png"),
}


def test_every_command_has_a_case() -> None:
    callbacks = [command.callback for command in app.registered_commands if command.callback]
    own = {callback.__name__ for callback in callbacks if callback.__module__.startswith("foliation.")}
    assert own == COMMANDS.keys()


def cpu_seconds(process: int) -> float:
    """Return the CPU time of a process that runs."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_seconds_of_ended() -> float:
    """Return the CPU time of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.extra
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_ends_a_command_with_one_line(command: str, files: Path) -> None:
    program = [sys.executable, "-W", "ignore", "-c", PROGRAM, command, *COMMANDS[command]]
    before = set(files.iterdir())
    ended = cpu_seconds_of_ended()
    with subprocess.Popen(program, cwd=files, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"
        time.sleep(1.0)
        pressed = cpu_seconds(process.pid)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert cpu_seconds_of_ended() - ended - pressed < WITHIN * N_THREADS
    assert process.returncode == 130, said
    lines = [line for line in said.splitlines() if not line.startswith("[")]  # but for the progress bar
    assert len(lines) == 1 and lines[0].startswith("Stopped")
    assert set(files.iterdir()) == before

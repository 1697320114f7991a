"""One experiment as a user asks for it: checked, gone on with where it stopped, and written down."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from foliation.bench.data import VARIABLE
from foliation.bench.environments import InstallError, prepare
from foliation.reproduce import load, results, settings
from foliation.reproduce.experiment import Experiment, Run, Scale
from foliation.reproduce.report import write
from foliation.reproduce.runner import Tell, run_all


@dataclass(frozen=True)
class Request:
    """What to run and where to write; without a scale, that of the runs that are there, or quick."""

    name: str
    scale: Scale | None = None
    output: Path = Path("results/reproduce")
    only: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    fresh: bool = False
    data: Path | None = None


def run(request: Request, tell: Tell) -> Path:
    """Do the runs that are missing, write the page and the figures, and return where the page is."""
    experiment = wanted_experiment(request)
    check_needs(experiment)
    folder = request.output / experiment.name
    folder.mkdir(parents=True, exist_ok=True)
    with results.alone(folder):
        found = results.Results(folder / "runs.csv") if request.fresh else results.read(folder / "runs.csv")
        runs = planned(experiment, request, found)
        wanted = limited(runs, request.only)
        found.rewrite()
        try:
            settings.write(folder, experiment, runs, found.rows)
            _make_environments(experiment, found, wanted, tell)
            run_all(experiment, wanted, found, tell)
        finally:
            settings.write(folder, experiment, runs, found.rows)
        return write(experiment, runs, found)


def _make_environments(experiment: Experiment, found: results.Results, runs: Sequence[Run], tell: Tell) -> None:
    for name in experiment.environments if found.missing(runs) else ():
        tell(len(runs) - len(found.missing(runs)), len(runs), f"making the environment of {name}")
        try:
            prepare(name)
        except InstallError as error:
            raise ValueError(f"The experiment {experiment.name} needs {name}, which cannot be had: {error}.") from error


def page_of(request: Request) -> Path:
    """Write the page and the figures of the runs that are there, and return where the page is."""
    experiment = wanted_experiment(request)
    check_needs(experiment)
    found = results.read(request.output / experiment.name / "runs.csv")
    if not found.rows:
        raise ValueError(f"{found.path} holds no runs to make a page of.")
    return write(experiment, planned(experiment, request, found), found)


def wanted_experiment(request: Request) -> Experiment:
    """Return the experiment, on the user's file if one is given."""
    experiment = load(request.name)
    if request.data is None:
        return experiment
    if experiment.of_file is None:
        raise ValueError(f"The experiment {experiment.name} takes no --data.")
    return experiment.of_file(request.data)


def planned(experiment: Experiment, request: Request, found: results.Results) -> list[Run]:
    """Return all runs at the scale that is asked for, or that of the runs that are there; the two do not mix."""
    path = found.path.with_name("settings.json")
    made = json.loads(path.read_text()) if found.rows and path.exists() else {}
    before: Scale | None = made.get("scale")
    text = "add --fresh to replace them, or give another --output"
    if before and request.scale and before != request.scale:
        raise ValueError(f"{found.path} holds runs at the scale {before}: {text}.")
    if made and made.get("file", "") != experiment.source:
        other = f"on {made['file']}" if "file" in made else "without --data"
        raise ValueError(f"{found.path} holds runs {other}: {text}.")
    scale = before or request.scale or "quick"
    left_out = _left_out(experiment, request, found)
    return [replace(run, scale=scale) for run in experiment.runs(scale) if run.part not in left_out]


def _left_out(experiment: Experiment, request: Request, found: results.Results) -> set[str]:
    """Return the variants that nobody asked for, now or before."""
    unknown = [name for name in request.variants if name not in experiment.variants]
    if unknown:
        known = ", ".join(experiment.variants) or "none"
        raise ValueError(f"the experiment {experiment.name} has no variant {unknown[0]!r}; there are: {known}")
    return set(experiment.variants) - set(request.variants) - {row["part"] for row in found.rows}


def check_needs(experiment: Experiment) -> None:
    """Complain about packages and data that are not here."""
    absent = [name for name in ("matplotlib", *experiment.needs) if find_spec(name) is None]
    if absent:
        extra = 'which `pip install "foliation[reproduce]"` brings'
        raise ValueError(f"The experiment {experiment.name} needs {' and '.join(absent)}, {extra}.")
    root = os.environ.get(VARIABLE)
    if experiment.data and not root:
        text = f"it names the folder with {experiment.data[0]}"
        raise ValueError(f"The environment variable {VARIABLE} is not set; {text}.")
    for name in experiment.data:
        if not (path := Path(root or "") / name).exists():
            raise ValueError(f"{path} is not there; the experiment {experiment.name} reads it.")


def limited(runs: Sequence[Run], only: Sequence[str]) -> list[Run]:
    """Return the runs of some methods, or all; complain about methods that do not exist."""
    known = list(dict.fromkeys(run.method for run in runs))
    unknown = [name for name in only if name not in known]
    if unknown:
        raise ValueError(f"no method is called {unknown[0]!r}; there are: {', '.join(known)}")
    return [run for run in runs if not only or run.method in only]

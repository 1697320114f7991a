"""One experiment as a user asks for it: checked, resumed, and written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from foliation_experiments.harness import machine, results, settings
from foliation_experiments.harness.data import NoDataError, data_file
from foliation_experiments.harness.environments import InstallError, prepare
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.harness.report import Report, write
from foliation_experiments.harness.results import Results
from foliation_experiments.harness.runner import Tick, run_all

_REPLACE = "add --fresh to replace them, or give another --output"


@dataclass(frozen=True)
class Request:
    """What to run and where to write; without a scale, that of the runs that are there, or quick."""

    folder: Path
    scale: Scale | None = None
    only: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    fresh: bool = False


def run(experiment: Experiment, request: Request, tick: Tick) -> Report:
    """Do the runs that are missing, then write the page and the figures."""
    check_needs(experiment)
    request.folder.mkdir(parents=True, exist_ok=True)
    path = request.folder / "runs.csv"
    with results.locked(request.folder):
        stored = Results(path) if request.fresh else results.read(path)
        here = machine.describe()
        runs = planned(experiment, request, stored, here)
        selection = chosen(experiment, runs, request.only)
        stored.rewrite()
        try:
            settings.write(experiment, runs, stored, here)
            _make_environments(experiment, stored, selection, tick)
            run_all(experiment, selection, stored, tick)
        finally:
            settings.write(experiment, runs, stored, here)
        return write(experiment, runs, stored)


def page_of(experiment: Experiment, request: Request) -> Report:
    """Write the page and the figures of the runs that are there."""
    check_needs(experiment)
    stored = results.read(request.folder / "runs.csv")
    if not stored.rows:
        raise ValueError(f"{stored.path} holds no runs to make a page of")
    return write(experiment, planned(replace(experiment, same_code=False), request, stored, {}), stored)


def planned(experiment: Experiment, request: Request, stored: Results, here: dict[str, Any]) -> list[Run]:
    """Return all runs at the scale that is asked for, or that of the runs that are there; the two do not mix."""
    made = settings.read(stored.path.parent) if stored.rows else {}
    _check_origin(experiment, made, here, stored)
    before: Scale | None = made.get("scale")
    if before and request.scale and before != request.scale:
        raise ValueError(f"{stored.path} holds runs at the scale {before}: {_REPLACE}")
    scale = before or request.scale or "quick"
    left_out = _left_out(experiment, request, stored)
    return [replace(run, scale=scale) for run in experiment.runs(scale) if run.part not in left_out]


def _check_origin(experiment: Experiment, made: dict[str, Any], here: dict[str, Any], stored: Results) -> None:
    """Raise ValueError if the runs that are there are of another file, or of other code where that matters."""
    if made and made.get("file", "") != experiment.source:
        other = f"on {made['file']}" if "file" in made else "without --data"
        raise ValueError(f"{stored.path} holds runs {other}: {_REPLACE}")
    if made and experiment.same_code:
        before = {("commit", row["commit"]) for row in stored.rows} | {("processor", made["machine"]["processor"])}
        for name, value in sorted(before):
            if value != here[name]:
                raise ValueError(f"{stored.path} holds runs of {name} {value}, but this is {here[name]}: {_REPLACE}")


def _left_out(experiment: Experiment, request: Request, stored: Results) -> set[str]:
    """Return the variants that nobody asked for, now or before."""
    unknown = [name for name in request.variants if name not in experiment.variants]
    if unknown:
        known = ", ".join(experiment.variants) or "none"
        raise ValueError(f"unknown variant {unknown[0]!r} of {experiment.name}: expected one of {known}")
    return set(experiment.variants) - set(request.variants) - {row["part"] for row in stored.rows}


def check_needs(experiment: Experiment) -> None:
    """Raise ValueError if packages or data are missing."""
    absent = [name for name in ("matplotlib", *experiment.needs) if find_spec(name) is None]
    if absent:
        extra = 'run `pip install "./experiments[peers]"` in a checkout of Foliation'
        raise ValueError(f"the experiment {experiment.name} needs {' and '.join(absent)}: {extra}")
    for name in experiment.data:
        try:
            data_file(name)
        except NoDataError as error:
            raise ValueError(f"the experiment {experiment.name} needs data: {error}") from error


def chosen(experiment: Experiment, runs: Sequence[Run], only: Sequence[str]) -> list[Run]:
    """Return the runs that ``--only`` names, or all; raise ValueError for names that do not exist."""
    field = experiment.chosen_by
    known = list(dict.fromkeys(getattr(run, field) for run in runs))
    unknown = [name for name in only if name not in known]
    if unknown:
        raise ValueError(f"unknown {field} {unknown[0]!r}: expected one of {', '.join(known)}")
    return [run for run in runs if not only or getattr(run, field) in only]


def _make_environments(experiment: Experiment, stored: Results, runs: Sequence[Run], tick: Tick) -> None:
    n_missing = len(stored.missing(runs))
    for name in experiment.environments if n_missing else ():
        tick(len(runs) - n_missing, len(runs), f"making the environment of {name}")
        try:
            prepare(name)
        except InstallError as error:
            raise ValueError(f"the experiment {experiment.name} cannot install {name}: {error}") from error

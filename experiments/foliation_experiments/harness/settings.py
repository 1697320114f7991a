"""What runs were made with: scale, grid, versions, machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Any

import foliation
from foliation_experiments.harness.experiment import Experiment, Run
from foliation_experiments.harness.results import Results

_NAME = "settings.json"
_PACKAGES = ("numpy", "scipy", "sklearn", "matplotlib")


def write(experiment: Experiment, runs: Sequence[Run], stored: Results, machine: dict[str, Any]) -> None:
    """Write the settings of an experiment beside its runs."""
    made = {
        "experiment": experiment.name,
        "scale": runs[0].scale,
        **({"file": experiment.source} if experiment.source else {}),
        "runs": len(runs),
        **{name: _distinct(runs, name) for name in ("part", "problem", "method", "at", "seed")},
        "versions": versions((*_PACKAGES, *experiment.needs)),
        "commits": sorted({row["commit"] for row in stored.rows}),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": {name: value for name, value in machine.items() if name != "commit"},
    }
    draft = stored.path.with_name("settings.part")
    draft.write_text(json.dumps(made, indent=1) + "\n")
    draft.replace(stored.path.with_name(_NAME))


def read(folder: Path) -> dict[str, Any]:
    """Return the settings of the runs in a folder; empty if there are none."""
    path = folder / _NAME
    made: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return made


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of Foliation and of importable packages, by the names that they are installed under."""
    names = packages_distributions()
    installed = [names.get(package, [package])[0] for package in packages]
    return {"foliation": foliation.__version__, **{name: version(name) for name in installed}}


def _distinct(runs: Sequence[Run], name: str) -> list[Any]:
    return list(dict.fromkeys(getattr(run, name) for run in runs))

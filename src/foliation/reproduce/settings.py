"""What runs were made with: scale, grid, versions, machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Any

from foliation.bench import machine
from foliation.reproduce.experiment import Experiment, Run
from foliation.reproduce.table import Row

_PACKAGES = ("foliation", "numpy", "scipy", "sklearn", "matplotlib")


def write(folder: Path, experiment: Experiment, runs: Sequence[Run], rows: Sequence[Row]) -> None:
    """Write the settings of an experiment beside its runs."""
    found = {
        "experiment": experiment.name,
        "scale": runs[0].scale,
        **({"file": experiment.source} if experiment.source else {}),
        "runs": len(runs),
        **{name: _distinct(runs, name) for name in ("part", "problem", "method", "at", "seed")},
        "versions": versions((*_PACKAGES, *experiment.needs)),
        "commits": sorted({row["commit"] for row in rows}),
        "machine": {name: value for name, value in machine.describe().items() if name not in ("version", "commit")},
    }
    draft = folder / "settings.part"
    draft.write_text(json.dumps(found, indent=1) + "\n")
    draft.replace(folder / "settings.json")


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of importable packages by the names that they are installed under."""
    names = packages_distributions()
    installed = [names.get(package, [package])[0] for package in packages]
    return {name: version(name) for name in installed}


def _distinct(runs: Sequence[Run], name: str) -> list[Any]:
    return list(dict.fromkeys(getattr(run, name) for run in runs))

"""The experiments of the papers, from data to figure; each is a module that describes itself as `EXPERIMENT`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from foliation_experiments.harness.experiment import Experiment

_FOLDERS = {  # modules by folder, imported when asked for
    "simulated": ("circle", "bars", "impulse", "lds", "channels", "complexity", "misspecified", "runtime"),
    "tables": ("sporf",),
    "images": ("mnist", "importance"),
    "recordings": ("eeg", "outcome"),
    "presets": ("presets", "series"),
    "distances": ("noise", "geodesic", "candidates", "screen", "connectome"),
}
EXPERIMENTS = {name: f"foliation_experiments.{folder}.{name}" for folder, names in _FOLDERS.items() for name in names}


def load(name: str, data: Path | None = None) -> Experiment:
    """Return the experiment of a name, on a file of the user's if one is given."""
    if name not in EXPERIMENTS:
        raise ValueError(f"unknown experiment {name!r}: expected one of {', '.join(EXPERIMENTS)}")
    experiment: Experiment = import_module(EXPERIMENTS[name]).EXPERIMENT
    if data is None:
        return experiment
    if experiment.of_file is None:
        raise ValueError(f"the experiment {name} takes no --data")
    return experiment.of_file(data)

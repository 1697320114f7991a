"""The experiments of the papers, from data to figure; each is a module that describes itself as `EXPERIMENT`."""

from __future__ import annotations

from importlib import import_module

from foliation.reproduce.experiment import Experiment

_ROOMS = {  # modules, imported when asked for
    "simulated": ("circle", "bars", "impulse", "lds", "channels", "complexity", "misspecified", "runtime"),
    "tables": ("sporf",),
    "images": ("mnist", "importance"),
    "recordings": ("eeg", "outcome"),
    "presets": ("presets", "series"),
    "distances": ("noise", "geodesic", "candidates", "screen", "connectome"),
}
EXPERIMENTS = {name: f"foliation.reproduce.{room}.{name}" for room, names in _ROOMS.items() for name in names}


def load(name: str) -> Experiment:
    """Return the experiment of a name, or say which there are."""
    if name not in EXPERIMENTS:
        raise ValueError(f"no experiment is called {name!r}; there are: {', '.join(EXPERIMENTS)}")
    found = import_module(EXPERIMENTS[name]).EXPERIMENT
    assert isinstance(found, Experiment)
    return found

"""The experiments of the papers, from data to figure; each is a module that describes itself as `EXPERIMENT`."""

from __future__ import annotations

from importlib import import_module

from foliation.reproduce.experiment import Experiment

EXPERIMENTS = ("noise", "geodesic", "candidates", "screen", "connectome")  # modules, imported when asked for


def load(name: str) -> Experiment:
    """Return the experiment of a name, or say which there are."""
    if name not in EXPERIMENTS:
        raise ValueError(f"no experiment is called {name!r}; there are: {', '.join(EXPERIMENTS)}")
    found = import_module(f"foliation.reproduce.{name}").EXPERIMENT
    assert isinstance(found, Experiment)
    return found

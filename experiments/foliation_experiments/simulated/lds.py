"""Experiment D of the MORF paper: observations of a linear dynamical system."""

from __future__ import annotations

from foliation import Patches
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.learning import Contest, learning_curve

CONTEST = Contest(
    forests={
        "MORF": {"projections": Patches(min_size=(2, 5), max_size=(2, 10), contiguous=(False, True))},
        "MORF, ours": {
            "projections": Patches(min_size=(2, 5), max_size=(2, 10), contiguous=(False, True)),
            "max_features": 100,
            "bootstrap": False,
        },
        "MORF, as run": {"projections": Patches(min_size=(1, 5), max_size=(2, 20), contiguous=(False, True))},
    },
    layers=Layers(channels=(32, 32, 64), windows=(2, 5, 5), hidden=64, dropout=0.0),
)

EXPERIMENT = learning_curve(
    name="lds",
    about="A linear system with one of two inputs, by the authors' program and as printed (MORF, experiment D).",
    contests={"lds, code": CONTEST, "lds, paper": CONTEST},
    minutes={"quick": 10, "full": 50},
)

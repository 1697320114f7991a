"""Experiment E of the MORF paper: Gaussian channels that are correlated or not."""

from __future__ import annotations

from foliation import Patches
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.learning import Contest, learning_curve

CONTEST = Contest(
    forests={
        "MORF": {"projections": Patches(min_size=(1, 5), max_size=(2, 20), contiguous=(False, True))},
        "MORF, ours": {
            "projections": Patches(min_size=(2, 3), max_size=(3, 10), contiguous=(False, True)),
            "max_features": 100,
            "bootstrap": False,
        },
    },
    layers=Layers(channels=(32, 32, 64), windows=(2, 5, 5), hidden=64, dropout=0.0),
)

EXPERIMENT = learning_curve(
    name="channels",
    about="Three Gaussian channels among noise, correlated in one class (MORF, experiment E).",
    contests={"channels": CONTEST},
    minutes={"quick": 5, "full": 40},
)

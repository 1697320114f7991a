"""Experiment A of the MORF paper: segments on a circle."""

from __future__ import annotations

from foliation import Patches
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.learning import Contest, learning_curve

CONTEST = Contest(
    forests={
        "MORF": {"projections": Patches(min_size=3, max_size=12, wrap=True), "max_features": 50},
        "MORF, ours": {
            "projections": Patches(min_size=3, max_size=12, wrap=True),
            "max_features": 50,
            "bootstrap": False,
        },
    },
    layers=Layers(channels=(32, 64), windows=(6, 10), hidden=500),
    variants={
        "003": {
            "projections": Patches(min_size=1, max_size=15, wrap=True, border="inside"),
            "max_features": 40,
            "n_estimators": 100,
        },
        "weights uniform": {
            "projections": Patches(min_size=3, max_size=12, wrap=True, weights="uniform"),
            "max_features": 50,
        },
    },
)

EXPERIMENT = learning_curve(
    name="circle",
    about="Two segments on a circle, told apart by their lengths: error against training rows (MORF, figure 2 A).",
    contests={"circle": CONTEST},
    minutes={"quick": 2, "full": 20},
)

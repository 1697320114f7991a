"""Experiment C of the MORF paper: an impulse in noise."""

from __future__ import annotations

from foliation import Patches
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.learning import Contest, learning_curve

CONTEST = Contest(
    forests={
        "MORF": {"projections": Patches(min_size=2, max_size=12), "max_features": 30},
        "MORF, ours": {"projections": Patches(min_size=4, max_size=16), "max_features": 100},
    },
    layers=Layers(channels=(32, 64), windows=(10, 5), hidden=200),
    variants={
        "003": {
            "projections": Patches(min_size=1, max_size=5, border="inside"),
            "max_features": "sqrt",
            "n_estimators": 100,
        },
        "weights uniform": {
            "projections": Patches(min_size=2, max_size=12, weights="uniform"),
            "max_features": 30,
        },
    },
)

EXPERIMENT = learning_curve(
    name="impulse",
    about="White noise, or an impulse in it: error against training rows (MORF, figure 2 C).",
    contests={"impulse": CONTEST},
    minutes={"quick": 2, "full": 20},
)

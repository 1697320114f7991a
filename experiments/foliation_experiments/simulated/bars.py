"""Experiment B of the MORF paper: horizontal or vertical bars."""

from __future__ import annotations

from foliation import Patches
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.learning import Contest, learning_curve

CONTEST = Contest(
    forests={
        "MORF": {"projections": Patches(min_size=2, max_size=(2, 9)), "max_features": 28},
        "MORF, ours": {"projections": Patches(min_size=2, max_size=(2, 9)), "max_features": 5, "bootstrap": False},
    },
    layers=Layers(channels=(32, 64), windows=(5, 5), hidden=200),
    variants={
        "003": {
            "projections": Patches(min_size=1, max_size=4, border="inside"),
            "max_features": 28,
            "n_estimators": 100,
        },
        "weights uniform": {
            "projections": Patches(min_size=2, max_size=(2, 9), weights="uniform"),
            "max_features": 28,
        },
    },
)

EXPERIMENT = learning_curve(
    name="bars",
    about="Horizontal or vertical bars in an image: error against training rows (MORF, figure 2 B).",
    contests={"bars": CONTEST},
    minutes={"quick": 2, "full": 30},
)

"""The pictures on the page of displays: ``python examples/pictures.py [FOLDER]``, docs by default."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

from sklearn.datasets import load_digits, make_moons

import foliation as fo
from foliation.plotting import DecisionBoundary, ForestProfile, ProximityMap, TreeView


def main(folder: Path) -> None:
    digits = load_digits()
    some = digits.target < 4
    X, y = digits.images[some], digits.target[some]
    forest = fo.ForestClassifier(100, projections=fo.Patches(max_size=4), random_state=0).fit(X, y)
    moons, sides = make_moons(300, noise=0.25, random_state=0)
    oblique = fo.ForestClassifier(20, max_depth=4, random_state=0).fit(moons, sides)
    shown: dict[str, Any] = {
        "tree": TreeView.from_estimator(forest, tree=0, max_depth=2),
        "proximity": ProximityMap.from_estimator(forest, y=y),
        "profile": ForestProfile.from_estimator(forest),
        "boundary": DecisionBoundary.from_estimator(oblique, moons, sides),
    }
    for name, display in shown.items():
        display.figure_.savefig(folder / f"picture_{name}.png", dpi=80, metadata={"Software": None})


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))

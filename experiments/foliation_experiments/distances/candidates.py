"""How many candidates a node should look at: what `max_features` and `patience` find, and what they cost."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from foliation_experiments.distances.candidates_page import ON_DATA, figures, page
from foliation_experiments.distances.forests import Options, grow
from foliation_experiments.distances.problems import (
    FEW_SEEDS,
    LABELED,
    MANIFOLDS,
    chances,
    labeled,
    manifold,
    precisions,
)
from foliation_experiments.harness.experiment import Experiment, Run, Scale

KS = (15, 50)
NOISE: dict[Scale, tuple[int, ...]] = {"full": (0, 10, 100, 1000), "quick": (0, 10, 100)}
FAMILIES: dict[str, Options] = {"density 1/20": {}, "axis": {"projections": "axis"}}
CANDIDATES: dict[str, Callable[[int], Options]] = {  # by the number of features
    "log2": lambda p: {"max_features": "log2"},
    "sqrt": lambda p: {"max_features": "sqrt"},
    "third": lambda p: {"max_features": 1 / 3},
    "100": lambda p: {"max_features": min(p, 100)},
    "300": lambda p: {"max_features": min(p, 300)},
    "sqrt, impatient": lambda p: {"max_features": "sqrt", "patience": 0.0},
    "sqrt, patience 20": lambda p: {"max_features": "sqrt", "patience": 20.0},
}
LEFT_OUT = {("density 1/20", 1000): ("third", "100", "300"), ("axis", 1000): ("third",)}  # minutes each
N_TREES = 100  # enough to compare settings by


def runs(scale: Scale) -> list[Run]:
    places = [*product(FAMILIES, MANIFOLDS, NOISE[scale])]
    places += [(f"{family}{ON_DATA}", name, 0) for family, name in product(FAMILIES, LABELED)]
    everything = product(places, CANDIDATES, range(FEW_SEEDS[scale]))
    return [
        Run(part, problem, method, at, seed)
        for (part, problem, at), method, seed in everything
        if method not in LEFT_OUT.get((part, at), ())
    ]


def measure(run: Run) -> dict[str, float]:
    """Return the precision of the nearest 15 and 50, and the seconds of the fit."""
    if run.problem in LABELED:
        points, truths = labeled(run.problem)
    else:
        points, truths = manifold(run.problem, run.scale, run.seed, int(run.at))
    options = CANDIDATES[run.method](points.shape[1]) | FAMILIES[run.part.removesuffix(ON_DATA)]
    grown = grow(run, points, options, N_TREES)
    return precisions(truths, grown.distances, KS) | chances(truths, KS) | {"fit seconds": grown.seconds}


EXPERIMENT = Experiment(
    name="candidates",
    about="Precision and seconds by the number of candidates at each node, on manifolds and data; 100 trees.",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 1, "full": 6},
)

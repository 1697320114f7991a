"""Neighbors on four manifolds under noise dimensions: figures 4 and 6 of the Geodesic Forests paper."""

from __future__ import annotations

from itertools import product

from foliation_experiments.distances.noise_figures import figures
from foliation_experiments.distances.noise_methods import OURS, PEERS, SCREENED, distances, is_run
from foliation_experiments.distances.noise_page import page
from foliation_experiments.distances.problems import MANIFOLDS, SEEDS, K, chances, manifold, precisions
from foliation_experiments.harness.experiment import Experiment, Run, Scale

ATS: dict[Scale, dict[str, tuple[int, ...]]] = {
    "full": {"noise": (0, 2, 4, 6, 8, 10, 100, 1000, 10_000), "rescaled": (0, 10, 100, 1000, 10_000)},
    "quick": {"noise": (0, 10, 100), "rescaled": (0, 10, 100)},
}


def runs(scale: Scale) -> list[Run]:
    points = sorted((at, part) for part, ats in ATS[scale].items() for at in ats)  # what takes long comes last
    everything = product(points, (*PEERS, *SCREENED, *OURS), MANIFOLDS, range(SEEDS[scale]))
    found = [Run(part, problem, method, at, seed) for (at, part), method, problem, seed in everything]
    return [run for run in found if is_run(run)]


def measure(run: Run) -> dict[str, float]:
    """Return the precision of the nearest 50 and that of guessing; for the mixture also those of its components."""
    points, truths = manifold(run.problem, run.scale, run.seed, int(run.at), run.part == "rescaled")
    return precisions(truths, distances(run, points), (K,)) | chances(truths, (K,))


EXPERIMENT = Experiment(
    name="noise",
    about="Neighbors on a line, a helix, a sphere and a Gaussian mixture under up to 10,000 noise dimensions.",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 2, "full": 100},
    needs=("umap", "pynndescent"),
)

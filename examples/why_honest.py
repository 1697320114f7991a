"""Compare the probabilities of plain and of honest forests with the truth, and draw them where two classes overlap.

    python examples/why_honest.py [FIGURE]

Needs matplotlib: ``pip install "foliation[plot]"``.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

import foliation as fo
from foliation import simulations

N, N_TREES, N_SEEDS = 1000, 200, 10


def calibration(said: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """Mean distance of said and true probabilities over ten groups of rows, by what is said."""
    groups = np.array_split(np.argsort(said), 10)
    return float(np.mean([abs(said[group].mean() - truth[group].mean()) for group in groups]))


PROBLEMS: dict[str, tuple[Any, Any, Any]] = {
    "overlapping Gaussians": (
        simulations.overlapping_gaussians,
        simulations.overlapping_gaussians_posterior,
        fo.Sparse(),
    ),
    "trunk": (simulations.trunk, simulations.trunk_posterior, fo.Sparse()),
    "impulse": (simulations.impulse, simulations.impulse_posterior, fo.Patches(max_size=12)),
}


def compare(name: str) -> None:
    """Print the errors of plain and honest probabilities, with their standard errors over the seeds."""
    generate, posterior, projections = PROBLEMS[name]
    found: dict[str, list[tuple[float, float]]] = {"plain": [], "honest": []}
    for seed in range(N_SEEDS):
        X, y = generate(N, random_state=2 * seed)
        new, _ = generate(5000, random_state=2 * seed + 1)
        truth = posterior(new)
        for kind, rows in found.items():
            settings: dict[str, Any] = {"honest": kind == "honest", "random_state": seed, "n_jobs": -1}
            forest = fo.ForestClassifier(N_TREES, projections=projections, **settings).fit(X, y)
            said = forest.predict_proba(new)[:, 1]
            rows.append((float(((said - truth) ** 2).mean()), calibration(said, truth)))
    for kind, rows in found.items():
        mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(N_SEEDS)
        squared, calibrated = (f"{m:.4f} +- {2 * e:.4f}" for m, e in zip(mean, error, strict=True))
        print(f"{name:<22} {kind:<7} squared error {squared}   calibration error {calibrated}")


def grow(name: str) -> None:
    """Print the errors of forests that keep to the specifications, for more and more rows."""
    generate, posterior, family = PROBLEMS[name]
    for n in (200, 2000, 20000):
        rows = []
        for seed in range(N_SEEDS):
            X, y = generate(n, random_state=seed)
            new, _ = generate(5000, random_state=1000 + seed)
            truth = posterior(new)
            forest = fo.ForestClassifier(
                100, projections=fo.Mixture([fo.Axis(), family]), honest=True, bootstrap=False,
                max_samples=fo.subsample_exponent(0.9), min_balance=0.1, min_samples_leaf=5,
                random_state=seed, n_jobs=-1,
            ).fit(X, y)  # fmt: skip
            said = forest.predict_proba(new)[:, 1]
            error = np.where(said > 0.5, 1 - truth, truth).mean()
            rows.append((((said - truth) ** 2).mean(), error - np.minimum(truth, 1 - truth).mean()))
        mean, spread = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(N_SEEDS)
        squared, excess = (f"{m:.4f} +- {2 * s:.4f}" for m, s in zip(mean, spread, strict=True))
        print(f"{name:<22} n = {n:<6} squared error {squared}   error above Bayes {excess}")


def draw(path: str) -> None:
    import matplotlib.pyplot as plt

    X, y = simulations.overlapping_gaussians(N, random_state=0)
    line = np.stack([np.linspace(-3, 3, 400), np.zeros(400)], axis=1)
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    for ax, honest in zip(axes, (False, True), strict=True):
        for seed in range(5):
            forest = fo.ForestClassifier(N_TREES, honest=honest, random_state=seed, n_jobs=-1).fit(X, y)
            label = "forests with five seeds" if seed == 0 else None
            ax.plot(line[:, 0], forest.predict_proba(line)[:, 1], color="#0072b2", alpha=0.5, lw=1, label=label)
        truth = simulations.overlapping_gaussians_posterior(line)
        ax.plot(line[:, 0], truth, color="black", lw=2, label="truth")
        ax.set(title="honest" if honest else "plain", xlabel="first feature (the other is 0)", ylim=(0, 1))
    axes[0].set_ylabel("probability of class 1")
    axes[0].legend(loc="upper left", frameon=False)
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    for problem in PROBLEMS:
        compare(problem)
    for problem in PROBLEMS:
        grow(problem)
    if len(sys.argv) > 1:
        draw(sys.argv[1])

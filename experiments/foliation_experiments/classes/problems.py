"""The simulated problems of the papers: nested training sets, and rows to test on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from foliation import simulations
from foliation_experiments.harness.data import Rows, Split
from foliation_experiments.harness.experiment import Run, Scale

SIZES = (10, 50, 100, 200, 400, 1000, 2000)
DRAWS: dict[Scale, int] = {"full": 10, "quick": 2}
TEST_ROWS: dict[Scale, int] = {"full": 10_000, "quick": 2000}
TREES: dict[Scale, int] = {"full": 500, "quick": 100}

DRAW: dict[str, Callable[..., tuple[Rows, Rows]]] = {
    "circle": simulations.circle,
    "bars": simulations.bars,
    "impulse": simulations.impulse,
    "lds, code": simulations.linear_dynamics,
    "lds, paper": partial(simulations.linear_dynamics, variant="paper"),
    "channels": simulations.gaussian_channels,
}


def simulated(run: Run) -> Split:
    """Draw the rows of a run: the first `at` of those that all sizes of its seed share, and others to test on."""
    draw = DRAW[run.problem]
    X, y = draw(SIZES[-1], random_state=np.random.default_rng([run.seed, 0]))
    n = int(run.at)
    return Split(X[:n], y[:n], *draw(TEST_ROWS[run.scale], random_state=np.random.default_rng([run.seed, 1])))

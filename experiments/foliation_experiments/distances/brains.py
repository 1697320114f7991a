"""The connectomes of two hemispheres, embedded by what each neuron sends and receives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foliation_experiments.distances.spectral import adjacency_spectral_embedding
from foliation_experiments.harness.data import data_file

KS = (50, 90, 100, 130, 150, 200)
SIDES = ("right", "left")
UNWEIGHTED = " unweighted"  # at the end of a problem's name, after the side
PROBLEMS = (*SIDES, *(f"{side}{UNWEIGHTED}" for side in SIDES))
N_COMPONENTS = 3  # of sending, and as many of receiving


def file_name(side: str) -> str:
    """Return where a hemisphere is, below the folder with the data."""
    return f"connectomes/drosophila_{side}.npz"


def embedded(problem: str) -> tuple[NDArray[np.float64], NDArray[np.str_]]:
    """Return the coordinates of the neurons of a problem, and the letter of each one's type."""
    with np.load(data_file(file_name(problem.split()[0])), allow_pickle=False) as found:
        edges, types = found["X"], found["labels"]
    if problem.endswith(UNWEIGHTED):
        edges = edges > 0
    return adjacency_spectral_embedding(edges, N_COMPONENTS), types

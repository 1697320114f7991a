"""Simulated classification problems with known structure.

Every generator returns ``(X, y)``. Where the class is part of the design, the labels alternate 0, 1, 0, 1,
... in row order, so every prefix of a draw is class-balanced to within one row: for a learning curve, draw
the largest size once and train on prefixes of it. (Drawing again with a smaller ``n`` and the same seed
may give other rows.)

References
----------
Li, A., Perry, R., Huynh, C., et al. "Manifold oblique random forests: towards closing the gap on
convolutional deep networks", called MORF below.

Tomita, T. M., Browne, J., Shen, C., et al. "Sparse projection oblique randomer forests", called SPORF below.

Trunk, G. V. "A problem of dimensionality: a simple example".
"""

from foliation.simulations.channels import gaussian_channels, linear_dynamics, linear_dynamics_matrices
from foliation.simulations.grids import bars, circle, impulse, impulse_bayes_error, impulse_posterior
from foliation.simulations.tabular import (
    orthant,
    overlapping_gaussians,
    overlapping_gaussians_posterior,
    sparse_parity,
    trunk,
    trunk_posterior,
)

__all__ = [
    "bars",
    "circle",
    "gaussian_channels",
    "impulse",
    "impulse_bayes_error",
    "impulse_posterior",
    "linear_dynamics",
    "linear_dynamics_matrices",
    "orthant",
    "overlapping_gaussians",
    "overlapping_gaussians_posterior",
    "sparse_parity",
    "trunk",
    "trunk_posterior",
]

"""Kernels placed on a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foliation import _core
from foliation.data.arrays import Data
from foliation.data.rows import Grid, Shape
from foliation.projections.family import Border, Projections, grid_of, one_of, per_axis, per_axis_flags, real


@dataclass(eq=False, repr=False)
class Kernels(Projections):
    """A kernel of a bank, placed at random on the grid.

    Parameters
    ----------
    bank : array of shape (k, *size)
        The kernels, such as ``gabor_bank`` makes. Each is equally likely.
    shape : tuple of int, optional
        Shape of the grid. Taken from ``X`` if not given.
    wrap : bool or tuple of bool, default=False
        Whether an axis is a circle.
    border : {"pad", "inside"}, default="pad"
        Whether a kernel may reach past the grid, where everything counts zero.
    """

    bank: Data
    shape: Shape | None = None
    wrap: bool | Sequence[bool] = False
    border: Border = "pad"
    on_grid = True

    def family(self, grid: Grid) -> _core.Family:
        shape = self.shape_on(grid)
        bank = real("Kernels", "bank", np.asarray(self.bank))
        if bank.ndim != len(shape) + 1 or bank.size == 0:
            raise ValueError(
                f"Kernels: bank has shape {bank.shape}; on a grid of shape {shape} it must be (k, *size) "
                f"with {len(shape)} sizes"
            )
        flat = bank.reshape(len(bank), -1)
        unusable = np.flatnonzero(~np.isfinite(flat).all(axis=1) | ~flat.any(axis=1))
        if len(unusable):
            raise ValueError(f"Kernels: kernel {unusable[0]} of bank must be finite and not all zero")
        sizes = per_axis("Kernels", "size of bank", bank.shape[1:], shape)
        wrap = per_axis_flags("Kernels", "wrap", self.wrap, shape)
        axes = [
            _core.PatchAxis(side=side, min_size=size, max_size=size, wrap=circle, contiguous=True)
            for side, size, circle in zip(shape, sizes, wrap, strict=True)
        ]
        one_of("Kernels", "border", self.border, ("pad", "inside"))
        return _core.families.kernels(axes, _core.Border[self.border], bank.ravel())

    def shape_on(self, grid: Grid) -> Shape:
        return grid_of("Kernels", self.shape, grid)

    def circles(self, shape: Shape) -> list[bool]:
        return per_axis_flags("Kernels", "wrap", self.wrap, shape)

    def draws_single_features(self, n_features: int) -> bool:
        return bool(np.asarray(self.bank)[0].size == 1)

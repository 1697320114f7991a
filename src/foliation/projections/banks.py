"""Banks of kernels for ``foliation.Kernels``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foliation.data.arrays import Floats
from foliation.printable import quoted
from foliation.validation import is_integer, real_numbers

_MOST = 500  # cells along a side, and directions


def gabor_bank(size: int = 5, orientations: int = 4, wavelengths: Sequence[float] | None = None) -> Floats:
    """Gabor kernels: waves under a bump, which answer to edges and textures of an image.

    Parameters
    ----------
    size : int, default=5
        Side of the square kernels.
    orientations : int, default=4
        Number of directions, spread evenly over half a turn.
    wavelengths : sequence of float, optional
        Lengths of a wave in cells; by default half the size and the size.

    Returns
    -------
    array of shape (k, size, size)
        An even and an odd kernel for every direction and wavelength, each with mean zero and with absolute
        weights that sum to one. A wave that vanishes at all cells is left out.
    """
    if not is_integer(size, 2, _MOST) or not is_integer(orientations, 1, _MOST):
        raise ValueError(
            f"gabor_bank: size={quoted(size)} must be an integer from 2 to {_MOST} "
            f"and orientations={quoted(orientations)} one from 1 to {_MOST}"
        )
    lengths = real_numbers("gabor_bank: wavelengths", [size / 2, size] if wavelengths is None else wavelengths)
    if lengths.ndim != 1 or len(lengths) == 0 or not ((lengths > 0) & np.isfinite(lengths)).all():
        raise ValueError(f"gabor_bank: wavelengths={quoted(wavelengths)} must hold positive numbers")
    at = np.arange(size) - (size - 1) / 2
    angle = (np.pi * np.arange(orientations) / orientations)[:, None, None, None, None]
    phase = np.array([0.0, np.pi / 2])[:, None, None]
    along = np.cos(angle) * at[None, :] + np.sin(angle) * at[:, None]
    wave = np.cos(2 * np.pi * along / lengths[:, None, None, None] + phase)
    bump = np.exp(-0.5 * (at[None, :] ** 2 + at[:, None] ** 2) / (size / 4) ** 2)
    bank = (wave * bump).reshape(-1, size, size)
    bank -= bank.mean(axis=(1, 2), keepdims=True)
    sizes = np.abs(bank).sum(axis=(1, 2), keepdims=True)
    bank = (bank / np.maximum(sizes, 1e-12))[sizes.ravel() > 1e-6]
    if len(bank) == 0:
        raise ValueError(f"gabor_bank: waves of wavelengths={quoted(wavelengths)} vanish at all cells of size={size}")
    # Cosines differ between machines in the last bits; what is rounded off here does not.
    kept: Floats = np.rint(bank * 2**24) / 2**24
    return kept

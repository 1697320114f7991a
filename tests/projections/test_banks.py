"""Gabor kernels."""

from __future__ import annotations

import numpy as np
import pytest

from foliation import gabor_bank


@pytest.mark.parametrize("size", [3, 5, 7])
def test_gabor_kernels_sum_to_nothing_and_weigh_one(size: int) -> None:
    bank = gabor_bank(size)
    assert bank.shape == (2 * 4 * 2, size, size)
    np.testing.assert_allclose(bank.sum(axis=(1, 2)), 0.0, atol=size**2 * 2**-24)
    np.testing.assert_allclose(np.abs(bank).sum(axis=(1, 2)), 1.0, atol=size**2 * 2**-24)


@pytest.mark.parametrize(
    ("size", "wavelengths", "vanish"),
    [
        (2, None, 6),  # along an axis, with cells at -1/2 and 1/2: both waves of length 1, the even one of length 2
        (4, None, 2),  # along an axis, with cells at 1/2, 3/2, ...: the even wave of length 2
        (3, [2.0], 2),  # along an axis, with cells at -1, 0 and 1: the odd wave of length 2
    ],
)
def test_gabor_waves_that_vanish_are_left_out(size: int, wavelengths: list[float] | None, vanish: int) -> None:
    bank = gabor_bank(size, wavelengths=wavelengths)
    assert bank.shape == (2 * 4 * len(wavelengths or [1, 2]) - vanish, size, size)
    assert np.isfinite(bank).all()
    np.testing.assert_allclose(bank.sum(axis=(1, 2)), 0.0, atol=size**2 * 2**-24)
    np.testing.assert_allclose(np.abs(bank).sum(axis=(1, 2)), 1.0, atol=size**2 * 2**-24)


def test_gabor_kernels_come_for_every_direction_and_wavelength() -> None:
    assert gabor_bank(7, orientations=3, wavelengths=[2.5, 4.0, 6.0, 9.0]).shape == (2 * 3 * 4, 7, 7)


@pytest.mark.parametrize("size", [3, 5, 6])
def test_gabor_kernels_are_even_and_odd_in_turn(size: int) -> None:
    bank = gabor_bank(size, wavelengths=[2.3, 5.1])
    turned = bank[:, ::-1, ::-1]
    np.testing.assert_allclose(bank[0::2], turned[0::2], atol=2**-23)
    np.testing.assert_allclose(bank[1::2], -turned[1::2], atol=2**-23)


def test_gabor_kernels_turn_with_their_direction() -> None:
    along_columns, along_rows = np.split(gabor_bank(5, orientations=2), 2)
    np.testing.assert_allclose(along_columns, along_rows.transpose(0, 2, 1), atol=2**-23)
    assert np.abs(along_columns - along_rows).max() > 0.01

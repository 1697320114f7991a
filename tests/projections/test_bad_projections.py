"""Families that make no sense, or do not fit the data, are refused with their name, argument and value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from refusals import IMAGES, Table, X, Y, assert_refused, classifier

from foliation import Atoms, Axis, Kernels, Mixture, Neighborhoods, Patches, Sparse, gabor_bank
from foliation.projections import Projections

ON_ROWS: Table = [
    (Patches(shape=(2, 2)), r"Patches: shape=\(2, 2\) has 4 cells, but X has 6 features"),
    (Patches(shape=(2, -3)), r"Patches: shape=\(2, -3\) must hold positive integers"),
    (Patches(shape=(2.0, 3)), r"Patches: shape=\(2.0, 3\) must hold positive integers"),  # type: ignore[arg-type]
    (Patches(shape=2.5), r"Patches: shape=2.5 must hold positive integers"),  # type: ignore[arg-type]
    (Patches(shape=(1,) * 8 + (6,)), r"Patches: shape=.* has 9 axes; at most 8"),
    (Patches(min_size=4, max_size=2), r"Patches: min_size=4 is above max_size=2 on axis 0"),
    (Patches(min_size=7), r"Patches: min_size=7 must lie between 1 and the side of the grid \(6,\)"),
    (Patches(max_size=7), r"Patches: max_size=7 must lie between 1 and the side of the grid \(6,\)"),
    (Patches(min_size=0), r"Patches: min_size=0 must lie between 1 and"),
    (Patches(max_size=-1), r"Patches: max_size=-1 must lie between 1 and"),
    (Patches(max_size=2.0), r"Patches: max_size=2.0 must be an integer"),  # type: ignore[arg-type]
    (Patches(min_size="3"), r"Patches: min_size='3' must be an integer"),  # type: ignore[arg-type]
    (Patches(min_size=True), r"Patches: min_size=True must be an integer"),
    (Patches(max_size=(2, 2)), r"Patches: max_size=\(2, 2\) has 2 entries; the grid \(6,\) has 1 axes"),
    (
        Patches(wrap=True, contiguous=False),
        r"Patches: axis 0 has wrap=True and contiguous=False; only an ordered axis wraps",
    ),
    (
        Patches(wrap=(True, True)),
        r"Patches: wrap=\(True, True\) must be a bool or one bool for each of 1 axes",
    ),
    (Patches(wrap=None), r"Patches: wrap=None must be a bool"),  # type: ignore[arg-type]
    (Patches(wrap=1), r"Patches: wrap=1 must be a bool"),  # type: ignore[arg-type]
    (Patches(contiguous="no"), r"Patches: contiguous='no' must be a bool"),  # type: ignore[arg-type]
    (Patches(border="wrap"), r"Patches: border='wrap' is unknown; .* pad, inside"),  # type: ignore[arg-type]
    (Patches(weights="normal"), r"Patches: weights='normal' is unknown; .* ones, signs, uniform, gaussian"),
    (Patches(contrast=1.5), r"Patches: contrast=1.5 must be a number between 0 and 1"),
    (Patches(contrast=float("nan")), r"Patches: contrast=nan must be a number between 0 and 1"),
    (Patches(contrast="a"), r"Patches: contrast='a' must be a number between 0 and 1"),  # type: ignore[arg-type]
    (Patches(contrast=None), r"Patches: contrast=None must be a number between 0 and 1"),  # type: ignore[arg-type]
    (Sparse(nonzeros=0), r"Sparse: nonzeros=0 must be a number between 1e-09 and 1e\+06"),
    (Sparse(nonzeros=float("inf")), r"Sparse: nonzeros=inf must be a number between 1e-09 and 1e\+06"),
    (Sparse(nonzeros="a"), r"Sparse: nonzeros='a' must be a number"),  # type: ignore[arg-type]
    (Sparse(density="a"), r"Sparse: density='a' must be a number"),  # type: ignore[arg-type]
    (Sparse(density=0), r"Sparse: density=0 must be a number between 1e-09 and 1$"),
    (Sparse(density=1.5), r"Sparse: density=1.5 must be a number between 1e-09 and 1$"),
    (Sparse(weights="gaussian"), r"Sparse: weights='gaussian' is unknown; .* signs, normal, uniform, ones"),
    (Kernels(np.ones(3)), r"Kernels: bank has shape \(3,\); on a grid of shape \(6,\)"),
    (Kernels(np.ones((1, 2, 2))), r"Kernels: bank has shape \(1, 2, 2\); .* with 1 sizes"),
    (Kernels(np.ones((0, 2))), r"Kernels: bank has shape \(0, 2\)"),
    (Kernels(np.ones((1, 7))), r"Kernels: size of bank=\(7,\) must lie between 1 and .* \(6,\)"),
    (Kernels(np.array([[1, 1], [0, 0]])), r"Kernels: kernel 1 of bank must be finite and not all zero"),
    (Kernels(np.full((1, 2), np.inf)), r"Kernels: kernel 0 of bank must be finite and not all zero"),
    (Kernels(np.full((1, 2), 1j)), r"Kernels: bank has dtype complex128; it must hold real numbers"),
    (Kernels(np.ones((1, 2)), border="no"), r"Kernels: border='no' is unknown"),  # type: ignore[arg-type]
    (Kernels(np.ones((1, 2)), wrap=(True, False)), r"Kernels: wrap=\(True, False\) must be a bool"),
    (Kernels(np.ones((1, 2)), wrap=None), r"Kernels: wrap=None must be a bool"),  # type: ignore[arg-type]
    (Kernels(np.ones((1, 2)), wrap=1), r"Kernels: wrap=1 must be a bool"),  # type: ignore[arg-type]
    (Kernels(np.ones((1, 2)), shape=2.5), r"Kernels: shape=2.5 must hold"),  # type: ignore[arg-type]
    (Kernels(np.ones((1, 2, 2)), shape=(2, 2)), r"Kernels: shape=\(2, 2\) has 4 cells"),
    (Neighborhoods(np.eye(5)), r"Neighborhoods: graph has shape \(5, 5\); X has 6 features, .* \(6, 6\)"),
    (Neighborhoods(sp.eye_array(7)), r"Neighborhoods: graph has shape \(7, 7\)"),
    (Neighborhoods(np.ones(6)), r"Neighborhoods: graph has shape \(6,\)"),
    (Neighborhoods("ring"), r"Neighborhoods: graph has shape \(\); X has 6 features, so it must be \(6, 6\)"),
    (Neighborhoods(1j * np.eye(6)), r"Neighborhoods: graph has dtype complex128; it must hold real numbers"),
    (Neighborhoods(np.diag([np.nan] * 5, k=1)), r"Neighborhoods: graph holds NaN or infinity"),
    (Neighborhoods(sp.diags_array([np.inf] * 6)), r"Neighborhoods: graph holds NaN or infinity"),
    (Neighborhoods(np.eye(6), hops=(2, 1)), r"Neighborhoods: hops=\(2, 1\) must be in order and start at 0 or above"),
    (Neighborhoods(np.eye(6), hops=(-1, 1)), r"Neighborhoods: hops=\(-1, 1\) must be .* start at 0 or above"),
    (Neighborhoods(np.eye(6), hops=1), r"Neighborhoods: hops=1 must be a pair"),  # type: ignore[arg-type]
    (Neighborhoods(np.eye(6), hops=(1, 2, 3)), r"Neighborhoods: hops=\(1, 2, 3\) must be a pair"),
    (
        Neighborhoods(np.eye(6), hops=(1.5, 2.7)),  # type: ignore[arg-type]
        r"Neighborhoods: hops=\(1.5, 2.7\) must be a pair of integers",
    ),
    (
        Neighborhoods(np.eye(6), hops=("a", "b")),  # type: ignore[arg-type]
        r"Neighborhoods: hops=\('a', 'b'\) must be a pair of integers",
    ),
    (
        Neighborhoods(np.eye(6), hops=(1, np.inf)),  # type: ignore[arg-type]
        r"Neighborhoods: hops=\(1, inf\) must be a pair of integers",
    ),
    (
        Neighborhoods(np.eye(6), size=(1.5, 2)),  # type: ignore[arg-type]
        r"Neighborhoods: size=\(1.5, 2\) must be a pair of integers",
    ),
    (Neighborhoods(np.eye(6), size=(0, 2)), r"Neighborhoods: size=\(0, 2\) must be .* start at 1 or above"),
    (Neighborhoods(np.eye(6), size=(3, 2)), r"Neighborhoods: size=\(3, 2\) must be in order and start at 1 or above"),
    (
        Neighborhoods(np.eye(6), size=(1, 7)),
        r"Neighborhoods: size=\(1, 7\) is above the number of features, 6",
    ),
    (Neighborhoods(np.eye(6), weights="normal"), r"Neighborhoods: weights='normal' is unknown"),
    (Atoms(np.eye(5)), r"Atoms: matrix has shape \(5, 5\); X has 6 features"),
    (Atoms(np.ones((0, 6))), r"Atoms: matrix has shape \(0, 6\)"),
    (Atoms(np.ones(6)), r"Atoms: matrix has shape \(6,\)"),
    (Atoms(np.ones((2, 6, 1))), r"Atoms: matrix has shape \(2, 6, 1\); X has 6 features, so it must be \(m, 6\)"),
    (Atoms(None), r"Atoms: matrix has shape \(\)"),
    (Atoms("x"), r"Atoms: matrix has shape \(\)"),
    (Atoms(1j * np.eye(6)), r"Atoms: matrix has dtype complex128; it must hold real numbers"),
    (Atoms(sp.csr_array(1j * np.eye(6))), r"Atoms: matrix has dtype complex128; it must hold real numbers"),
    (Atoms(np.diag([1, 1, 0, 1, 0, 1])), r"Atoms: row 2 of matrix is all zero"),
    (Atoms(np.full((2, 6), np.nan)), r"Atoms: matrix holds NaN or infinity"),
    (Atoms(np.eye(6), p=[0.5, 0.5]), r"Atoms: p has shape \(2,\); it must hold 6 probabilities"),
    (Atoms(np.eye(6), p=[0.2] * 6), r"Atoms: p must hold .* sum to 1, not 1.2"),
    (Atoms(np.eye(6), p=[1.5, -0.5, 0, 0, 0, 0]), r"Atoms: p=\[1.5, -0.5, .*\] must hold .* none of them negative"),
    (Atoms(np.eye(6), p=[np.nan] * 6), r"Atoms: p=\[nan, .*\] must hold .* none of them negative or NaN"),
    (Mixture([]), r"Mixture: projections=\[\] must be a list of families"),
    (Mixture(["axis"]), r"Mixture: projections holds 'axis', which is not a family"),
    (Mixture([Mixture([Axis()])]), r"Mixture: projections holds Mixture\(.*\), which is not a family"),
    (Mixture([Axis(), Sparse()], p=[1.0]), r"Mixture: p has shape \(1,\); it must hold 2 probabilities"),
    (Mixture([Axis(), Sparse()], p=[0.5, 0.4]), r"Mixture: p must hold .* sum to 1, not 0.9"),
    (Mixture([Axis(), Sparse()], p=[1.5, -0.5]), r"Mixture: p=\[1.5, -0.5\] must hold .* none of them negative"),
    (Mixture([Axis(), Patches(max_size=9)]), r"Patches: max_size=9 must lie between 1 and"),
    ("patch", r"projections='patch' is unknown; .* axis, channels, image, patches, series, sparse"),
    (3, r"projections=3 is unknown"),
    (Patches, r"projections=<class .*Patches'> is unknown; it must be a family such as Patches\(\)"),
    ("image", r"projections='image' needs X with at least three dimensions, .* \(6,\)"),
]
ON_IMAGES: Table = [
    (Patches(shape=(3, 2)), r"Patches: shape=\(3, 2\) differs from that of X's rows, \(2, 3\)"),
    (Patches(shape=(6,)), r"Patches: shape=\(6,\) differs from that of X's rows, \(2, 3\)"),
    (Patches(max_size=3), r"Patches: max_size=3 must lie between 1 and the side of the grid \(2, 3\)"),
    (Patches(min_size=(1, 4)), r"Patches: min_size=\(1, 4\) must lie between 1 and"),
    (Patches(min_size=(1, 3), max_size=(2, 2)), r"Patches: min_size=3 is above max_size=2 on axis 1"),
    (Patches(max_size=(1, 2, 3)), r"Patches: max_size=\(1, 2, 3\) has 3 entries; .* has 2 axes"),
    (
        Patches(wrap=(False, True), contiguous=(True, False)),
        r"Patches: axis 1 has wrap=True and contiguous=False; only an ordered axis wraps",
    ),
    (Kernels(np.ones((1, 3, 2))), r"Kernels: size of bank=\(3, 2\) must lie between 1 and .* \(2, 3\)"),
    (Kernels(np.ones((1, 2))), r"Kernels: bank has shape \(1, 2\); .* with 2 sizes"),
]


@pytest.mark.parametrize(("projections", "pattern"), ON_ROWS)
def test_families_that_do_not_fit_rows(projections: Any, pattern: str) -> None:
    assert_refused(lambda: classifier(projections=projections).fit(X, Y), pattern)


@pytest.mark.parametrize(("projections", "pattern"), ON_IMAGES)
def test_families_that_do_not_fit_images(projections: Projections, pattern: str) -> None:
    assert_refused(lambda: classifier(projections=projections).fit(IMAGES, Y), pattern)


@pytest.mark.parametrize(
    ("parameters", "pattern"),
    [
        ({"size": 1}, r"gabor_bank: size=1 must be an integer from 2 to 500"),
        ({"size": 2.5}, r"gabor_bank: size=2.5 must be an integer from 2 to 500"),
        ({"orientations": 0}, r"gabor_bank: .* orientations=0 one from 1 to 500"),
        ({"orientations": 1.5}, r"gabor_bank: .* orientations=1.5 one from 1 to 500"),
        ({"wavelengths": []}, r"gabor_bank: wavelengths=\[\] must hold positive numbers"),
        ({"wavelengths": [3, 0]}, r"gabor_bank: wavelengths=\[3, 0\] must hold positive numbers"),
    ],
)
def test_banks(parameters: dict[str, Any], pattern: str) -> None:
    assert_refused(lambda: gabor_bank(**parameters), pattern)

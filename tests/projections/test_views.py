"""Views of the last axis: their values, their places, how often each box of each view is drawn, what is refused."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import reference_views
from frequencies import Atom, assert_frequencies, atoms_of, ids_of
from numpy.typing import NDArray
from patch_draws import Line, exact, patches, shape_of
from refusals import IMAGES, Table, X, Y, assert_refused, classifier

import foliation as fo
from foliation import Patches, _core
from foliation.projections.views import Part, Views

ALL = ("raw", "difference", "spectrum")
N = 30000
ONE = _core.Machine(1)


def cells_of(views: Views, rows: NDArray[Any], n_threads: int = 1) -> NDArray[np.float64]:
    flat = rows.reshape(len(rows), -1)
    return views.cells(flat, np.zeros(len(views.names), np.int32), _core.Machine(n_threads)).reshape(
        len(rows), *views.cell_shape
    )


# ---- values ----


@pytest.mark.parametrize("length", [2, 3, 8, 31, 100, 1500, 4096, 9973, 10000])
def test_a_spectrum_is_that_of_numpy(length: int) -> None:
    rows = 1e3 + np.random.default_rng(length).normal(size=(3, length)).cumsum(axis=1)
    found = cells_of(Views(("spectrum",), (length,), False), rows)[:, 0]
    expected = np.abs(np.fft.rfft(rows - rows.mean(axis=1, keepdims=True)))[:, 1:]
    np.testing.assert_allclose(found[:, : length // 2], expected, atol=1e-12 * expected.max(), rtol=0)
    assert not found[:, length // 2 :].any()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "float32", "float64"])
@pytest.mark.parametrize("circle", [False, True])
def test_views_lie_one_after_the_other(dtype: str, circle: bool) -> None:
    rows = np.random.default_rng(1).integers(0, 200, size=(5, 2, 3, 7)).astype(dtype)
    for names in (ALL, ALL[::-1], ALL[1:], ALL[:1]):
        found = cells_of(Views(names, (2, 3, 7), circle), rows)
        expected = reference_views.views(rows, names, circle)
        np.testing.assert_allclose(found, expected, atol=1e-12 * expected.max(), rtol=0)
        for number, name in enumerate(names):
            if name != "spectrum":
                np.testing.assert_array_equal(found[:, number], expected[:, number])


@pytest.mark.parametrize("circle", [False, True])
@pytest.mark.parametrize("tube", [False, True])
def test_edges_are_rises_by_direction(circle: bool, tube: bool) -> None:
    rows = np.random.default_rng(4).integers(0, 9, size=(5, 2, 3, 7)).astype(np.uint8)
    names = ("south", "east", "north", "west")
    found = cells_of(Views(names, (2, 3, 7), circle, tube), rows)
    np.testing.assert_array_equal(found, reference_views.views(rows, names, circle, tube))
    assert (found >= 0).all() and found.reshape(5, 4, -1).any(axis=2).all()


@pytest.mark.parametrize("dtype", ["uint8", "float64"])
def test_relative_views_are_less_the_mean_of_all_channels(dtype: str) -> None:
    rows = np.random.default_rng(6).integers(0, 200, size=(5, 2, 3, 7)).astype(dtype)
    names = ("relative_spectrum", "raw", "relative")
    found = cells_of(Views(names, (2, 3, 7), False), rows)
    expected = reference_views.views(rows, names)
    np.testing.assert_allclose(found, expected, atol=1e-12 * expected.max(), rtol=0)
    np.testing.assert_allclose(found[:, 2].sum(axis=-2), 0, atol=1e-12 * expected.max())
    same = cells_of(Views(names, (2, 3, 7), False), 0.1 + np.repeat(rows[:, :, :1], 3, axis=2))
    assert not same[:, [0, 2]].any()  # exactly, whatever channels have in common


def test_whole_numbers_stay_whole() -> None:
    rows = np.random.default_rng(5).integers(0, 200, size=(20, 24)).astype(np.uint8)
    for names in (("raw", "difference"), ("north", "east")):
        found, exponents = Views(names, (4, 6), False).fit(rows, ONE)
        assert not exponents.any()
        assert found.dtype == np.int16
        np.testing.assert_array_equal(found, Views(names, (4, 6), False).fit(rows.astype(np.int32), ONE)[0])
    for fractions in ("spectrum", "relative", "relative_spectrum"):
        assert Views(("raw", fractions), (4, 6), False).fit(rows, ONE)[1].any()


def test_a_constant_series_has_no_spectrum() -> None:
    rows = np.full((2, 4, 37), 0.1)
    assert not cells_of(Views(("difference", "spectrum"), (4, 37), False), rows).any()


def test_mirrored_and_shifted_series_have_one_spectrum() -> None:
    """But for the few magnitudes that happen to lie where rounding goes one way or the other."""
    rows = np.random.default_rng(2).integers(0, 9, size=(50, 45)).astype(float)
    views = Views(("spectrum",), (45,), False)
    found = cells_of(views, rows)
    for same in (rows[:, ::-1], np.roll(rows, 11, axis=1), rows + 3, 9 - rows):
        assert (cells_of(views, same) == found).mean() > 0.98


def test_scales_bring_each_view_to_order_one() -> None:
    rows = np.random.default_rng(3).normal(size=(30, 2, 20)) * 1e-3 + 1e5
    rows[:, :, :] = np.round(rows, 6)
    found, exponents = Views(ALL, (2, 20), False).fit(rows.reshape(30, -1), ONE)
    expected = reference_views.views(rows, ALL)
    np.testing.assert_array_equal(exponents, reference_views.exponents(expected))
    largest = np.abs(found.reshape(30, 3, -1)).max(axis=(0, 2))
    assert ((largest >= 1) & (largest < 2)).all()
    np.testing.assert_allclose(found, reference_views.scaled(expected, expected).reshape(30, -1), atol=1e-9)


def test_all_is_zero() -> None:
    cells, exponents = Views(ALL, (5,), False).fit(np.zeros((4, 5)), ONE)
    assert not cells.any() and exponents.tolist() == [0, 0, 0]


@pytest.mark.parametrize("size", [1e-280, 1e280])
def test_the_smallest_and_the_largest_numbers(size: float) -> None:
    rows = np.random.default_rng(4).normal(size=(9, 30))
    views = Views(ALL, (30,), False)
    usual, usual_exponents = views.fit(rows, ONE)
    power = int(np.log2(size))
    found, exponents = views.fit(np.ldexp(rows, power), ONE)
    np.testing.assert_array_equal(found, usual)
    np.testing.assert_array_equal(exponents, usual_exponents - power)
    np.testing.assert_array_equal(views.cells(np.ldexp(rows, power), exponents, ONE), usual)


def test_threads_and_layouts_give_the_same_bits() -> None:
    rows = np.random.default_rng(5).normal(size=(200, 3 * 50))
    views = Views(ALL, (3, 50), False)
    none = np.zeros(3, np.int32)
    one = views.cells(rows, none, ONE)
    for other in (rows, np.asfortranarray(rows), np.repeat(rows, 2, axis=1)[:, ::2], rows[::-1][::-1]):
        np.testing.assert_array_equal(views.cells(other, none, _core.Machine(2)), one)
    np.testing.assert_array_equal(views.cells(rows[17:18], none, ONE), one[17:18])


# ---- draws ----


def of_view(atoms: dict[Atom, Fraction], view: Part, shape: Sequence[int]) -> dict[Atom, Fraction]:
    """Return the same atoms with the numbers that their cells have among those of all views."""
    own = (*shape[:-1], view.length)

    def cell(feature: int) -> int:
        return view.first + int(np.ravel_multi_index(np.unravel_index(feature, own), tuple(shape)))

    return {tuple((cell(feature), weight) for feature, weight in atom): p for atom, p in atoms.items()}


GRIDS = {
    "line": [Line(7, 1, 3)],
    "line, up to all of it": [Line(5, 1, 5)],
    "inside a line": [Line(6, 2, 4, border="inside")],
    "circle": [Line(6, 1, 6, wrap=True)],
    "channels": [Line(3, 1, 2, contiguous=False), Line(5, 1, 2)],
    "cylinder": [Line(3, 1, 2, wrap=True), Line(4, 1, 3)],
    "set": [Line(4, 1, 3, contiguous=False)],
}


@pytest.mark.parametrize("contrast", [Fraction(0), Fraction(1, 2)], ids=str)
@pytest.mark.parametrize("lines", GRIDS.values(), ids=GRIDS)
def test_boxes_of_each_view_have_their_exact_frequencies(lines: list[Line], contrast: Fraction) -> None:
    family = patches(lines, float(contrast))
    family.views = ALL
    shape, last = shape_of(lines), lines[-1]
    expected: defaultdict[Atom, Fraction] = defaultdict(Fraction)
    for view in Views(ALL, shape, last.wrap).parts():
        high = min(last.high, view.length)
        own = Line(view.length, last.low, high, view.circle, last.contiguous, last.border)
        for atom, p in of_view(exact([*lines[:-1], own], contrast), view, shape).items():
            expected[atom] += p / 3
    assert_frequencies(atoms_of(family, shape, N), expected)


def test_views_are_equally_likely_and_never_mixed() -> None:
    for weights in ("ones", "signs", "gaussian"):
        atoms = atoms_of(Patches(views=ALL, weights=weights, contrast=0.5), (2, 30), N)
        views = [set(np.asarray(ids_of(atom)) // 60) for atom in atoms]
        assert_frequencies((min(view) for view in views), dict.fromkeys(range(3), Fraction(1, 3)))
        assert all(len(view) == 1 for view in views)


@pytest.mark.parametrize("wrap", [False, True])
def test_nothing_is_drawn_where_a_view_has_ended(wrap: bool) -> None:
    family = Patches(views=ALL, wrap=(False, wrap), max_size=(2, 9))
    drawn = {feature for atom in atoms_of(family, (2, 9), N) for feature in ids_of(atom)}
    lengths = [view.length for view in Views(ALL, (2, 9), wrap).parts()]
    assert lengths == [9, 9 if wrap else 8, 4]
    cells = np.zeros((3, 2, 9), dtype=bool)
    for view, length in enumerate(lengths):
        cells[view, :, :length] = True
    assert drawn == set(np.flatnonzero(cells))


def test_the_largest_size_is_that_of_the_axis_as_it_is() -> None:
    sizes: defaultdict[int, set[int]] = defaultdict(set)
    for atom in atoms_of(Patches(views=ALL, border="inside"), (100,), N):
        sizes[ids_of(atom)[0] // 100].add(len(atom))
    assert all(size == set(range(1, 11)) for size in sizes.values())


def test_members_of_a_mixture_share_out_their_probability() -> None:
    one, two = Patches(views=ALL[:2], max_size=1), Patches(views=ALL[:2], min_size=2, max_size=2, border="inside")
    atoms = atoms_of(fo.Mixture([one, two], p=[0.2, 0.8]), (10,), N)
    found = [(len(atom), ids_of(atom)[0] // 10) for atom in atoms]
    assert_frequencies(found, {(1, 0): 0.1, (1, 1): 0.1, (2, 0): 0.4, (2, 1): 0.4})


# ---- what is refused ----

BAD: Table = [
    (Patches(views=()), r"Patches: views=\(\) must be None or a list of views: raw, difference, spectrum"),
    (Patches(views="raw"), r"Patches: views='raw' must be None or a list"),
    (Patches(views=3), r"Patches: views=3 must be None or a list"),  # type: ignore[arg-type]
    (
        Patches(views=("raw", "wave")),
        r"views=.* holds 'wave'; a view must be one of raw, difference, spectrum",
    ),
    (Patches(views=(1,)), r"Patches: views=\(1,\) holds 1; a view must be"),  # type: ignore[arg-type]
    (Patches(views=("raw", "raw")), r"Patches: views=\('raw', 'raw'\) names a view twice"),
    (Patches(views=ALL, min_size=4), r'Patches: min_size=4 is above the length of the view "spectrum", 3'),
    (Patches(views=ALL, max_size=7), r"Patches: max_size=7 must lie between 1 and"),
    (Patches(views=ALL, shape=(6, 1)), r'Patches: a grid of shape \(6, 1\) is too small for the view "difference"'),
    (
        Patches(views=("spectrum",), shape=(6, 1), wrap=(False, True)),
        r'Patches: a grid of shape \(6, 1\) is too small for the view "spectrum"',
    ),
    (
        Patches(views=["raw", "south"], shape=(6,)),
        r'Patches: a grid of shape \(6,\) is too small for the view "south"',
    ),
    (
        Patches(views=["relative"], shape=(6,)),
        r'Patches: a grid of shape \(6,\) is too small for the view "relative"',
    ),
    (fo.Mixture([fo.Axis(), Patches(views=ALL)]), r"Mixture: boxes of views mix only with boxes of the same views"),
    (fo.Mixture([Patches(), Patches(views=ALL)]), r"Mixture: boxes of views mix only with boxes of the same views"),
    (fo.Mixture([Patches(views=ALL[::-1]), Patches(views=ALL)]), r"Mixture: boxes of views mix only with"),
    (fo.Mixture([Patches(views=ALL, wrap=True), Patches(views=ALL)]), r"Mixture: .* the same wrap of the last axis"),
]


@pytest.mark.parametrize(("projections", "pattern"), BAD)
def test_views_that_do_not_fit(projections: Any, pattern: str) -> None:
    assert_refused(lambda: classifier(projections=projections).fit(X, Y), pattern)


def test_rows_that_do_not_fit() -> None:
    forest = classifier(projections=Patches(views=ALL)).fit(IMAGES, Y)
    assert_refused(lambda: forest.predict(X[:, :5]), "X has 5 features, but ForestClassifier is expecting 6")
    assert_refused(lambda: forest.predict(np.zeros((4, 3, 2, 3))), r"X has rows of shape \(3, 2, 3\)")
    bad = copy.deepcopy(IMAGES)
    bad[3, 1, 2] = np.nan
    for call in (forest.predict, lambda rows: forest.fit(rows, Y)):
        assert_refused(lambda call=call: call(bad), r"X contains NaN or infinity, first in column \[1, 2\]")  # type: ignore[misc]

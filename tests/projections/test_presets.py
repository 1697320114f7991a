"""Names and what they stand for on data of a shape."""

from __future__ import annotations

import pytest
from frequencies import (
    atoms_of,
)

from foliation import Axis, Patches, Sparse
from foliation.data.rows import Grid
from foliation.projections import Projections
from foliation.projections.family import resolve

LINE, FLAT_IMAGE = Grid((9,), flat=True), Grid((36,), flat=True)

VIEWS, EDGES = ("raw", "difference", "spectrum"), ("raw", "east", "west", "south", "north")

RELATIVE = (*VIEWS, "relative", "relative_spectrum")

IMAGE, SERIES, VIDEO = (Grid(shape, flat=False) for shape in [(6, 8), (3, 100), (2, 4, 50)])


@pytest.mark.parametrize(
    ("name", "grid", "expected"),
    [
        (None, LINE, Sparse()),
        (None, IMAGE, Patches()),
        (None, VIDEO, Patches()),
        ("axis", LINE, Axis()),
        ("axis", IMAGE, Axis()),
        ("sparse", LINE, Sparse()),
        ("sparse", IMAGE, Sparse()),
        ("patches", LINE, Patches()),
        ("patches", IMAGE, Patches()),
        ("image", IMAGE, Patches(max_size=[2, 3], views=EDGES)),
        ("image", VIDEO, Patches(max_size=[1, 2, 17])),
        ("image", Grid((2, 5, 50), flat=False), Patches(max_size=[1, 2, 17], views=EDGES)),
        ("series", LINE, Patches(max_size=[3], contiguous=[True], contrast=0.5, views=VIEWS)),
        ("series", SERIES, Patches(max_size=[2, 10], contiguous=[False, True], contrast=0.5, views=VIEWS)),
        ("series", Grid((3, 1), flat=False), Patches(max_size=[2, 1], contiguous=[False, True], contrast=0.5)),
        ("channels", SERIES, Patches(max_size=[2, 10], contiguous=[False, True], contrast=0.25, views=RELATIVE)),
        (
            "channels",
            Grid((1, 100), flat=False),
            Patches(max_size=[1, 10], contiguous=[False, True], contrast=0.25, views=VIEWS),
        ),
        (
            "channels",
            VIDEO,
            Patches(max_size=[2, 2, 7], contiguous=[False, False, True], contrast=0.25, views=RELATIVE),
        ),
    ],
    ids=str,
)
def test_names_stand_for_families(name: str | None, grid: Grid, expected: Projections) -> None:
    found = resolve(name, grid)
    assert type(found) is type(expected)
    assert found.get_params() == expected.get_params()
    assert atoms_of(found, grid.shape, 200) == atoms_of(expected, grid.shape, 200)


@pytest.mark.parametrize("name", ["image", "channels"])
def test_names_of_grids_need_a_grid(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^projections='{name}' needs .* rows have shape \(36,\)$"):
        resolve(name, FLAT_IMAGE)

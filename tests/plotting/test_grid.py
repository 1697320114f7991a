"""Places of a grid: their names, edges and views; and values drawn on it."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt

import foliation as fo
from foliation.plotting.grid import Places, draw_values, fullest_slice, thickened

RNG = np.random.default_rng(0)
TIMES = np.arange(10) / 10


def test_names_must_fit_the_grid() -> None:
    with pytest.raises(ValueError, match=r"channels has 2 names: expected 3, as the grid has shape \(3, 10\)"):
        Places((3, 10), ["a", "b"])
    with pytest.raises(ValueError, match=r"channels has 1 names: expected none for a grid of shape \(10,\)"):
        Places((10,), ["a"])
    with pytest.raises(ValueError, match="times has 4 values: expected 10"):
        Places((3, 10), times=TIMES[:4])


def test_places_are_written_by_the_names_of_axes() -> None:
    assert Places((10,)).place([3]) == "position 3"
    assert Places((5, 5)).place([1, 2]) == "row 1, column 2"
    assert Places((2, 5, 5)).place([0, 1, 2]) == "axis 0 0, row 1, column 2"
    assert Places((3, 10), ["C3", "Cz", "C4"], TIMES, "s").place([1, 2]) == "channel Cz, time 0.2 s"
    assert Places((3, 10), unordered=True).place([1, 2]) == "channel 1, time 2"


def test_ranges_are_written_from_end_to_end() -> None:
    places = Places((3, 10), ["C3", "Cz", "C4"], TIMES, "s")
    assert places.written(1, range(2, 6), (2, 5)) == "0.2 to 0.5 s"
    assert places.written(1, [2, 5], None) == "0.2+0.5 s"
    assert places.written(0, [0, 2], None) == "C3+C4"
    assert Places((3, 10)).written(1, range(2), (0, 1)) == ""
    close = Places((3,), times=[100.001, 100.002, 100.003], unit="s")
    assert close.written(0, range(2), (0, 1)) == "100.001 to 100.002 s"


def test_the_last_axis_has_a_name() -> None:
    names = [Places((4,)), Places((4,), times=range(4), unit="deg"), Places((2, 4)), Places((2, 4), unordered=True)]
    assert [places.along for places in names] == ["position", "angle [deg]", "column", "time"]
    assert Places((4,), label="feature").along == "feature"


def test_edges_lie_between_places() -> None:
    np.testing.assert_allclose(Places((3,)).edges(), [-0.5, 0.5, 1.5, 2.5])
    np.testing.assert_allclose(Places((3,), times=[0.0, 1.0, 3.0]).edges(), [-0.5, 0.5, 2.0, 4.0])
    assert Places((10,), times=TIMES).extent() == pytest.approx((-0.05, 0.95))


def test_spectra_have_frequencies() -> None:
    places = Places((3, 20), times=np.arange(20) / 100, unit="s")
    spectrum = places.of_view("spectrum")
    assert spectrum.shape == (3, 10) and spectrum.along == "frequency [Hz]" and places.of_view("difference") is places
    np.testing.assert_allclose(spectrum.times, np.arange(5, 55, 5))  # type: ignore[arg-type]
    assert Places((20,)).of_view("spectrum").unit == "cycles per series"


def test_places_of_a_forest_know_what_has_an_order() -> None:
    X, y = RNG.standard_normal((40, 3, 10)), np.arange(40) % 2
    series, image = (fo.ForestClassifier(2, projections=name).fit(X, y) for name in ("channels", "patches"))
    assert Places.of_forest(series).of_channels and not Places.of_forest(image).of_channels
    assert Places.of_forest(image, ["a", "b", "c"]).of_channels
    assert Places.of_forest(fo.ForestClassifier(2).fit(X[:, 0], y)).along == "feature"


def test_many_slices_are_evenly_spaced() -> None:
    assert Places((3, 2, 2)).slices() == [0, 1, 2]
    slices = Places((100, 2, 2)).slices()
    assert len(slices) == 12 and slices[0] == 0 and slices[-1] == 99 and set(np.diff(slices)) == {9}


def test_the_fullest_slice_is_drawn() -> None:
    volume = np.zeros((3, 2, 2))
    volume[1, 0, 0], volume[2, 0] = -5, (1, 1)
    cells, name = fullest_slice(volume)
    assert name == "slice 1" and cells[0, 0] == -5
    image, name = fullest_slice(volume[2])
    assert name == "" and image.tolist() == [[1, 1], [0, 0]]


def test_thin_cells_are_widened_with_their_signs() -> None:
    line = np.zeros(200)
    line[50], line[150] = 2.0, -1.0
    assert [(thickened(line) == value).sum() for value in (2.0, -1.0)] == [5, 5]
    np.testing.assert_array_equal(thickened(np.diag([1.0, -1.0])), np.diag([1.0, -1.0]))


def test_lines_are_drawn_as_steps_and_images_as_images() -> None:
    _, (left, middle, right) = plt.subplots(1, 3)
    assert draw_values(left, np.arange(4), Places((4,))) is None
    image = draw_values(middle, np.eye(3), Places((3, 3)), colors={"cmap": "Greys", "vmin": 0.0, "vmax": 2.0})
    assert image is not None and image.get_clim() == (0, 2) and middle.get_aspect() == 1
    names = [f"E{k}" for k in range(20)]
    draw_values(right, np.zeros((20, 10)), Places((20, 10), names, TIMES, "s"))
    assert [label.get_text() for label in right.get_yticklabels()] == names[::2]  # as many as are legible
    assert (right.get_xlabel(), right.get_ylabel(), right.get_aspect()) == ("time [s]", "channel", "auto")

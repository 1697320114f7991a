"""Numbers, names and colors of figures, and the axes they are drawn on."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt

from foliation.plotting import style
from foliation.plotting.style import (
    class_style,
    counted,
    in_lines,
    integer_ticks,
    panels,
    parting,
    root_figure,
    short,
    shortened,
)


def test_numbers_have_no_exponents_where_digits_are_as_short() -> None:
    values = (0.01234, -999.4, 25500, 3.14e6)
    assert [short(value) for value in values] == ["0.0123", "-999", "25500", "3.14e+06"]
    assert (counted(1, "row"), counted(1200, "row")) == ("1 row", "1,200 rows")


def test_thresholds_have_as_many_digits_as_part_the_values() -> None:
    assert parting(9.5, np.array([9.0, 10.0])) == "9.5"
    assert parting(2 / 3, np.array([0.6, 0.7])) == "0.667"
    assert parting(2 / 3, np.array([0.6664, 0.6668])) == "0.6667"
    assert parting(2 / 3, np.array([2 / 3, np.nextafter(2 / 3, 1)])) == repr(2 / 3)
    assert parting(123456.75, np.array([123456.7, 123456.8])) == "123456.75"
    assert parting(-4.68e-6, np.empty(0)) == "-4.68e-06"


def test_names_are_shortened() -> None:
    assert shortened("short") == "short" and shortened(3) == "3"
    assert shortened("a very long name") == "a very long n…" and len(shortened("x" * 99, 22)) == 22


def test_labels_break_before_less_and_not_inside_brackets() -> None:
    assert in_lines("[C3, 0 to 1 s] less [C4, 0 to 1 s]", 40) == ["[C3, 0 to 1 s]", "less [C4, 0 to 1 s]"]
    assert in_lines("edges to the east [2-4, 10 - 12]", 20) == ["edges to the east", "[2-4, 10 - 12]"]


def test_no_two_of_64_classes_look_alike() -> None:
    styles = [class_style(number) for number in range(64)]
    assert len({(style["color"], style["marker"]) for style in styles}) == 64
    assert styles[0]["color"] != styles[1]["color"] and styles[0]["marker"] != styles[1]["marker"]


def test_ticks_are_integers() -> None:
    _, ax = plt.subplots()
    ax.set(xlim=(0, 1.5))
    integer_ticks(ax.xaxis)
    assert all(tick == round(tick) for tick in ax.get_xticks())


def test_panels_are_rows_of_a_new_figure() -> None:
    axes = panels(None, 5, size=(2.0, 1.0), n_columns=3)
    figure = root_figure(axes[0])
    assert len(axes) == 5 and tuple(figure.get_size_inches()) == (6, 2)
    assert [own.axison for own in figure.axes] == [True] * 5 + [False]


def test_panels_take_the_place_of_subplots() -> None:
    figure, (left, right) = plt.subplots(1, 2)
    assert panels(left, 1) == [left]
    axes = panels(right, 3)
    assert {own.figure for own in axes} == {figure} and not right.axison
    assert all(own.get_position().x0 > left.get_position().x1 for own in axes)


def test_panels_fit_into_axes_that_were_placed_by_hand() -> None:
    ax = plt.figure().add_axes((0.2, 0.1, 0.6, 0.5))
    boxes = [own.get_position() for own in panels(ax, 5)]
    assert all(0.199 <= box.x0 < box.x1 <= 0.801 and 0.099 <= box.y0 < box.y1 <= 0.601 for box in boxes)
    assert len({round(box.x0, 6) for box in boxes}) == 3 and len({round(box.y0, 6) for box in boxes}) == 2


def test_axes_of_a_subfigure_belong_to_its_figure() -> None:
    figure = plt.figure()
    assert root_figure(figure.add_subfigure(figure.add_gridspec(1, 2)[0]).subplots()) is figure


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r'pip install "foliation\[plot\]"'):
        style.use_agg()

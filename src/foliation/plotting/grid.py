"""Values on the grid that the features of a row live on: a line, a circle, an image, channels by time, a volume."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np
from scipy.ndimage import grey_dilation

from foliation.data.arrays import Array, Floats
from foliation.model.fitted import FittedForest
from foliation.model.labels import Along, is_table, some
from foliation.plotting.style import CLASSES, integer_ticks, literal, short, shortened
from foliation.printable import printable, quoted
from foliation.projections.views import view_outline
from foliation.validation import check_sequence, check_text, real_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

Times = Sequence[float] | Array

_MOST_SLICES = 12
_LONGEST_NAME = 20  # letters of a channel
_ANGLES = ("deg", "degrees", "°", "rad")
_THINNEST = 40  # cells along a side that can still be seen in a small figure


class AxisNames(TypedDict, total=False):
    """Names of places on the grid, as users give them: channels before the last axis, times along it."""

    channels: Sequence[str] | None
    times: Times | None
    unit: str


class ColorScale(TypedDict, total=False):
    """Options of ``Axes.imshow`` for colors."""

    cmap: str
    vmin: float
    vmax: float


@dataclass(frozen=True)
class Places:
    """Names of the places of a grid."""

    shape: tuple[int, ...]
    channels: Sequence[str] | None = None  # names along the axis before the last
    times: Times | None = None  # along the last axis
    unit: str = ""  # of the last axis
    label: str = ""  # of the last axis, if it is neither time nor place
    unordered: bool = False  # whether the axis before the last is one of channels, with names or without
    view_lengths: Mapping[str, int] = field(default_factory=dict)  # of the last axis, by the name of the view

    def __post_init__(self) -> None:
        for name, given in (("channels", self.channels), ("times", self.times)):
            if given is not None:
                check_sequence(name, given)
        check_text("unit", self.unit)
        if self.channels is not None and (len(self.shape) < 2 or len(self.channels) != self.shape[-2]):
            expected = f"{self.shape[-2]}, as the grid has shape" if len(self.shape) > 1 else "none for a grid of shape"
            raise ValueError(f"channels has {len(self.channels)} names: expected {expected} {self.shape}")
        if self.times is not None:
            self._check_times(self.times)

    def _check_times(self, given: Times) -> None:
        times = real_numbers("times", given)
        if len(times) != self.shape[-1]:
            raise ValueError(f"times has {len(times)} values: expected {self.shape[-1]} for a grid of {self.shape}")
        if not (np.isfinite(times).all() and len(np.unique(times)) == len(times)):
            raise ValueError(f"times={quoted(given)}: expected finite numbers that all differ")

    @classmethod
    def of_forest(
        cls,
        forest: FittedForest,
        channels: Sequence[str] | None = None,
        times: Times | None = None,
        unit: str = "",
    ) -> Places:
        """Return the places of the grid that a forest was fitted on."""
        model = forest.model_
        flags = [family.ordered(model.grid_shape) for family in model.projections.parts()]
        unordered = len(model.grid_shape) > 1 and any(not ordered[-2] for ordered in flags)
        label = "feature" if is_table(model) and times is None else ""
        lengths = {} if model.views is None else {part.name: part.length for part in model.views.parts()}
        return cls(model.grid_shape, channels, times, unit, label, unordered, lengths)

    @property
    def named(self) -> bool:
        """Whether channels or times are given."""
        return self.channels is not None or self.times is not None

    @property
    def of_channels(self) -> bool:
        """Whether the axis before the last is one of channels."""
        return self.channels is not None or self.unordered

    def written(self, axis: int, places: Along, ends: tuple[int, int] | None) -> str:
        """Write places along an axis by their names, as a range if ``ends`` are given; empty without names."""
        if axis == len(self.shape) - 1 and self.times is not None:
            times = [self._time(place) for place in (ends or places)]
            text = " to ".join(times) if ends and len(places) > 1 else some(times[: len(places)])
            return f"{text} {printable(self.unit)}".rstrip()
        if axis == len(self.shape) - 2 and self.channels is not None:
            return some([printable(self.channels[place]) for place in places])
        return ""

    def _time(self, place: int) -> str:
        return short(float(np.asarray(self.times, dtype=np.float64)[place]), self._digits)

    @cached_property
    def _digits(self) -> int:
        """Number of significant digits, at least three, that tell all times apart."""
        times = np.unique(np.asarray(self.times, dtype=np.float64)).tolist()
        return next((n for n in range(3, 17) if len({short(time, n) for time in times}) == len(times)), 17)

    @property
    def along(self) -> str:
        """Name of the last axis."""
        if self.label:
            return self.label
        if self.times is not None:
            name = "angle" if self.unit in _ANGLES else "time"
            return f"{name} [{self.unit}]" if self.unit else name
        if self.unordered:
            return "time"
        return "column" if len(self.shape) > 1 and self.channels is None else "position"

    def place(self, indices: Sequence[int]) -> str:
        """Write one place of the grid by the names of its axes."""
        axes = ["row", self.along] if len(self.shape) > 1 else [self.along]
        axes = [f"axis {k}" for k in range(len(self.shape) - 2)] + axes
        if self.of_channels:
            axes[-2] = "channel"
        axes[-1] = axes[-1].split(" [")[0]
        named = [self.written(k, [index], (index, index)) or index for k, index in enumerate(indices)]
        return ", ".join(f"{axis} {name}" for axis, name in zip(axes, named, strict=True))

    def edges(self) -> Floats:
        """Return where each place of the last axis begins, half a step before it, and where the last one ends."""
        if self.times is None or self.shape[-1] < 2:
            return np.arange(self.shape[-1] + 1.0) - 0.5
        times = np.asarray(self.times, dtype=np.float64)
        middle = (times[1:] + times[:-1]) / 2
        return np.concatenate([[2 * times[0] - middle[0]], middle, [2 * times[-1] - middle[-1]]])

    def extent(self) -> tuple[float, float]:
        """Return where the last axis begins and ends."""
        if self.times is None or self.shape[-1] < 2:
            return -0.5, self.shape[-1] - 0.5
        step = (self.times[-1] - self.times[0]) / (self.shape[-1] - 1)
        return self.times[0] - step / 2, self.times[-1] + step / 2

    def of_view(self, view: str) -> Places:
        """Return the places of a view of the grid; those of a spectrum are frequencies."""
        side = self.shape[-1]
        length = self.view_lengths.get(view, side // 2 if view and view_outline(view).frequencies else side)
        if length > side:
            return Places((*self.shape[:-1], length), self.channels, label="position", unordered=self.unordered)
        if not view or not view_outline(view).frequencies:
            return self
        step, unit = 1.0, "cycles per series"
        if self.times is not None and side > 1:
            step = 1.0 / ((self.times[-1] - self.times[0]) * side / (side - 1))
            unit = "Hz" if self.unit == "s" else f"1/{self.unit or 'time'}"
        shape = (*self.shape[:-1], length)
        frequencies = (step * np.arange(1, length + 1)).tolist()
        return Places(shape, self.channels, frequencies, unit, f"frequency [{unit}]", self.unordered)

    @property
    def cell_shape(self) -> tuple[int, ...]:
        """Shape of a view among the cells of a row: the last axis holds the longest view."""
        return *self.shape[:-1], max([self.shape[-1], *self.view_lengths.values()])

    def slices(self) -> list[int]:
        """Return the slices of a volume that are drawn: all, or evenly spaced ones."""
        depth = int(np.prod(self.shape[:-2], dtype=np.int64))
        return sorted({round(k) for k in np.linspace(0, depth - 1, min(depth, _MOST_SLICES))})


def fullest_slice(cells: Floats) -> tuple[Floats, str]:
    """Return the slice of a volume that holds most of an atom, and its name; a line or an image as it is."""
    if cells.ndim <= 2:
        return cells, ""
    slices = cells.reshape(-1, *cells.shape[-2:])
    number = int(np.abs(slices).sum(axis=(1, 2)).argmax())
    return np.asarray(slices[number]), f"slice {number}"


def thickened(cells: Floats) -> Floats:
    """Return an atom with every cell widened to at least a fortieth of a side, so that it can be seen."""
    size = tuple(max(1, round(side / _THINNEST)) for side in cells.shape)
    plus, minus = (grey_dilation(np.maximum(part, 0.0), size=size) for part in (cells, -cells))
    return np.where(plus >= minus, plus, -minus)


def draw_values(
    ax: Axes, values: Array, places: Places, most_names: int = 10, colors: ColorScale | None = None
) -> AxesImage | None:
    """Draw values of a line or an image; return the artist for a color bar, None for a line."""
    ax.set(xlabel=literal(places.along))
    if places.times is None:
        integer_ticks(ax.xaxis)
    if len(places.shape) == 1:
        ax.stairs(values, places.edges(), fill=True, color=CLASSES[0], alpha=0.35)
        ax.stairs(values, places.edges(), color=CLASSES[0], linewidth=1.5)
        ax.margins(x=0)
        return None
    begin, end = places.extent()
    rows = values.shape[0]
    extent = (begin, end, rows - 0.5, -0.5)
    image = ax.imshow(values, extent=extent, aspect=_aspect(places, values), interpolation="nearest", **(colors or {}))
    ax.set(ylabel="channel" if places.of_channels else "row")
    integer_ticks(ax.yaxis)
    if places.channels is not None:
        step = -(-rows // most_names)
        small = "x-small" if rows / step <= 12 else "xx-small"
        names = [literal(shortened(name, _LONGEST_NAME)) for name in list(places.channels)[::step]]
        ax.set_yticks(range(0, rows, step), names, fontsize=small)
    return image


def _aspect(places: Places, values: Array) -> Literal["equal", "auto"]:
    """Return "equal" for images, whose cells are squares, "auto" for channels by time."""
    sides = sorted(values.shape)
    return "equal" if not places.named and not places.unordered and sides[1] <= 3 * sides[0] else "auto"

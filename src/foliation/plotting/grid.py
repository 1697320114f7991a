"""Numbers on the grid that the features of a row live on: a line, a circle, an image, channels by time, a volume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import grey_dilation

from foliation.analysis.atlas import is_table, some
from foliation.plotting.style import CLASSES, short, whole_ticks
from foliation.projections.views import view_outline

_MOST_SLICES = 12
_ANGLES = ("deg", "degrees", "°", "rad")
_THINNEST = 40  # cells along a side that can still be seen in a small picture


@dataclass(frozen=True)
class Places:
    """What the places of a grid are called."""

    shape: tuple[int, ...]
    channels: Sequence[str] | None = None  # names along the axis before the last
    times: Sequence[float] | NDArray[Any] | None = None  # along the last
    unit: str = ""  # of what runs along the last
    label: str = ""  # of the last axis, if it is neither time nor place
    unordered: bool = False  # the axis before the last: its places are channels, with names or without

    def __post_init__(self) -> None:
        if self.channels is not None and (len(self.shape) < 2 or len(self.channels) != self.shape[-2]):
            raise ValueError(f"there are {len(self.channels)} channel names for a grid of shape {self.shape}")
        if self.times is not None and len(self.times) != self.shape[-1]:
            raise ValueError(f"there are {len(self.times)} times for a grid of shape {self.shape}")

    @classmethod
    def of_forest(cls, forest: Any, channels: Any = None, times: Any = None, unit: str = "") -> Places:
        """Return the places of the grid that a forest was fitted on."""
        shape = forest.grid_shape_
        flags = [family.ordered(shape) for family in forest.model_.projections.parts()]
        unordered = len(shape) > 1 and any(not own[-2] for own in flags)
        label = "feature" if is_table(forest.model_) and times is None else ""
        return cls(shape, channels, times, unit, label, unordered)

    @property
    def named(self) -> bool:
        """Return whether places have names."""
        return self.channels is not None or self.times is not None

    @property
    def of_channels(self) -> bool:
        """Return whether the axis before the last is one of channels."""
        return self.channels is not None or self.unordered

    def written(self, axis: int, places: NDArray[np.int64], ends: tuple[int, int] | None) -> str:
        """Write places along an axis by their names, from end to end if there is no gap; nothing without names."""
        if axis == len(self.shape) - 1 and self.times is not None:
            times = [short(float(self.times[place])) for place in (ends or places)]
            text = " to ".join(times) if ends and len(places) > 1 else some(times[: len(places)])
            return f"{text} {self.unit}".rstrip()
        if axis == len(self.shape) - 2 and self.channels is not None:
            return some(self.channels[place] for place in places)
        return ""

    @property
    def along(self) -> str:
        """Return the name of the last axis."""
        if self.label:
            return self.label
        if self.times is not None:
            name = "angle" if self.unit in _ANGLES else "time"
            return f"{name} [{self.unit}]" if self.unit else name
        if self.unordered:
            return "time"
        return "column" if len(self.shape) > 1 and self.channels is None else "position"

    def place(self, at: Sequence[int]) -> str:
        """Write one place of the grid by the names of its axes."""
        axes = ["row", self.along] if len(self.shape) > 1 else [self.along]
        axes = [f"axis {k}" for k in range(len(self.shape) - 2)] + axes
        if self.of_channels:
            axes[-2] = "channel"
        axes[-1] = axes[-1].split(" [")[0]
        own = [np.array([one]) for one in at]
        return ", ".join(f"{name} {self.written(k, own[k], (at[k], at[k])) or at[k]}" for k, name in enumerate(axes))

    def edges(self) -> NDArray[np.float64]:
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
        """Return what the places of a view of the grid are called: those of a spectrum are frequencies."""
        if not view or not view_outline(view).frequencies:
            return self
        side = self.shape[-1]
        step, unit = 1.0, "cycles per series"
        if self.times is not None and side > 1:
            step = 1.0 / ((self.times[-1] - self.times[0]) * side / (side - 1))
            unit = "Hz" if self.unit == "s" else f"1/{self.unit or 'time'}"
        shape = (*self.shape[:-1], side // 2)
        found = (step * np.arange(1, side // 2 + 1)).tolist()
        return Places(shape, self.channels, found, unit, f"frequency [{unit}]", self.unordered)

    def slices(self) -> list[int]:
        """Return the slices of a volume that are shown: all, or some evenly spread."""
        depth = int(np.prod(self.shape[:-2], dtype=np.int64))
        return sorted({round(k) for k in np.linspace(0, depth - 1, min(depth, _MOST_SLICES))})


def fullest_slice(cells: NDArray[np.float64]) -> tuple[NDArray[np.float64], str]:
    """Return the slice of a volume in which most of an atom lies, and its name; a line or an image as it is."""
    if cells.ndim <= 2:
        return cells, ""
    slices = cells.reshape(-1, *cells.shape[-2:])
    number = int(np.abs(slices).sum(axis=(1, 2)).argmax())
    return np.asarray(slices[number]), f"slice {number}"


def thickened(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an atom with every cell as wide as can be seen: a fortieth of a side at least."""
    size = tuple(max(1, round(side / _THINNEST)) for side in cells.shape)
    plus, minus = (grey_dilation(np.maximum(part, 0.0), size=size) for part in (cells, -cells))
    return np.where(plus >= minus, plus, -minus)


def draw_values(ax: Any, values: NDArray[Any], places: Places, most_names: int = 10, **options: Any) -> Any:
    """Draw values of one line or one image; return what a colour bar is made of, None for a line."""
    ax.set(xlabel=places.along)
    if places.times is None:
        whole_ticks(ax.xaxis)
    if len(places.shape) == 1:
        ax.stairs(values, places.edges(), fill=True, color=CLASSES[0], alpha=0.35)
        ax.stairs(values, places.edges(), color=CLASSES[0], linewidth=1.5)
        ax.margins(x=0)
        return None
    begin, end = places.extent()
    rows = values.shape[0]
    image = ax.imshow(
        values,
        extent=(begin, end, rows - 0.5, -0.5),
        aspect=_aspect(places, values),
        interpolation="nearest",
        **options,
    )
    ax.set(ylabel="channel" if places.of_channels else "row")
    whole_ticks(ax.yaxis)
    if places.channels is not None:
        step = -(-rows // most_names)
        small = "x-small" if rows / step <= 12 else "xx-small"
        ax.set_yticks(range(0, rows, step), list(places.channels)[::step], fontsize=small)
    return image


def _aspect(places: Places, values: NDArray[Any]) -> str:
    """Return "equal" for images, whose cells are squares, "auto" for channels by time."""
    sides = sorted(values.shape)
    return "equal" if not places.named and not places.unordered and sides[1] <= 3 * sides[0] else "auto"

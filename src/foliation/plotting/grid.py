"""Numbers on the grid that the features of a row live on: a line, a circle, an image, channels by time, a volume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import grey_dilation

from foliation.atlas import is_run, some
from foliation.plotting.style import CLASSES, short

_MOST_SLICES = 12
_MOST_NAMES = 10  # of channels, along an axis
_THINNEST = 40  # cells along a side that can still be seen in a small picture


@dataclass(frozen=True)
class Places:
    """What the places of a grid are called."""

    shape: tuple[int, ...]
    channels: Sequence[str] | None = None  # names along the axis before the last
    times: Sequence[float] | NDArray[Any] | None = None  # along the last
    unit: str = ""  # of what runs along the last
    label: str = ""  # of the last axis, if it is neither time nor place

    def __post_init__(self) -> None:
        if self.channels is not None and (len(self.shape) < 2 or len(self.channels) != self.shape[-2]):
            raise ValueError(f"there are {len(self.channels)} channel names for a grid of shape {self.shape}")
        if self.times is not None and len(self.times) != self.shape[-1]:
            raise ValueError(f"there are {len(self.times)} times for a grid of shape {self.shape}")

    @property
    def named(self) -> bool:
        """Return whether places have names."""
        return self.channels is not None or self.times is not None

    def written(self, axis: int, places: NDArray[np.int64]) -> str:
        """Write places along an axis by their names, or nothing if they have none."""
        if axis == len(self.shape) - 1 and self.times is not None:
            times = [short(float(self.times[place])) for place in places]
            text = f"{times[0]} to {times[-1]}" if len(places) > 1 and is_run(places) else some(times)
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
            return f"time [{self.unit}]" if self.unit else "time"
        return "column" if len(self.shape) > 1 and self.channels is None else "position"

    def extent(self) -> tuple[float, float]:
        """Return where the last axis begins and ends."""
        if self.times is None or self.shape[-1] < 2:
            return -0.5, self.shape[-1] - 0.5
        step = (self.times[-1] - self.times[0]) / (self.shape[-1] - 1)
        return self.times[0] - step / 2, self.times[-1] + step / 2

    def of_view(self, view: str) -> Places:
        """Return what the places of a view of the grid are called: those of a spectrum are frequencies."""
        if "spectrum" not in view:
            return self
        side = self.shape[-1]
        step, unit = 1.0, "cycles per series"
        if self.times is not None and side > 1:
            step = 1.0 / ((self.times[-1] - self.times[0]) * side / (side - 1))
            unit = "Hz" if self.unit == "s" else f"1/{self.unit or 'time'}"
        shape = (*self.shape[:-1], side // 2)
        return Places(shape, self.channels, (step * np.arange(1, side // 2 + 1)).tolist(), unit, f"frequency [{unit}]")

    def slices(self) -> list[int]:
        """Return the slices of a volume that are shown: all, or some evenly spread."""
        depth = int(np.prod(self.shape[:-2], dtype=np.int64))
        return sorted({round(k) for k in np.linspace(0, depth - 1, min(depth, _MOST_SLICES))})


def fullest_slice(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the slice of a volume in which most of an atom lies; a line or an image as it is."""
    if cells.ndim <= 2:
        return cells
    slices = cells.reshape(-1, *cells.shape[-2:])
    return np.asarray(slices[np.abs(slices).sum(axis=(1, 2)).argmax()])


def thickened(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an atom with every cell as wide as can be seen: a fortieth of a side at least."""
    size = tuple(max(1, round(side / _THINNEST)) for side in cells.shape)
    plus, minus = (grey_dilation(np.maximum(part, 0.0), size=size) for part in (cells, -cells))
    return np.where(plus >= minus, plus, -minus)


def draw_values(ax: Any, values: NDArray[Any], places: Places, **options: Any) -> Any:
    """Draw values of one line or one image; return what a colour bar is made of, None for a line."""
    if len(places.shape) == 1:
        x = np.arange(places.shape[0]) if places.times is None else np.asarray(places.times)
        ax.fill_between(x, values, step="mid", color=CLASSES[0], alpha=0.35, linewidth=0)
        ax.step(x, values, where="mid", color=CLASSES[0])
        ax.set(xlabel=places.along)
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
    ax.set(xlabel=places.along)
    if places.channels is None:
        ax.set(ylabel="row")
        return image
    step = -(-len(places.channels) // _MOST_NAMES)
    ax.set_yticks(range(0, rows, step), list(places.channels)[::step], fontsize="x-small")
    ax.set(ylabel="channel")
    return image


def _aspect(places: Places, values: NDArray[Any]) -> str:
    """Return "equal" for images, whose cells are squares, "auto" for channels by time."""
    sides = sorted(values.shape)
    return "equal" if places.channels is None and places.times is None and sides[1] <= 3 * sides[0] else "auto"

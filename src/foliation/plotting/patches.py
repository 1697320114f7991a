"""What a forest looks for: the atoms with the largest gain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from foliation.analysis.atlas import Chosen, atom_label, chosen_atoms
from foliation.data.arrays import Floats
from foliation.model.fitted import FittedForest
from foliation.plotting.grid import Places, Times, draw_values, fullest_slice, thickened
from foliation.plotting.style import (
    CLASSES,
    SIGNS,
    SPARE,
    counted,
    in_lines,
    integer_ticks,
    literal,
    panels,
    root_figure,
)
from foliation.plotting.validation import check_forest
from foliation.printable import quoted
from foliation.validation import check_count, is_one_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PatchAtlas:
    """Atoms drawn on the grid, each in a panel: plus in one color, minus in the other, faint where weights are small.

    Cells that would be too thin to see are drawn wider; the title names the place of the atom.

    Parameters
    ----------
    atoms : list of Chosen
        The atoms, the most important first.
    labels : list of str
        The place of each atom in words.
    places : Places
        Names of the places of the grid.
    views : tuple of str
        Names of the views that atoms are sums over; one empty name if there are none.

    Attributes
    ----------
    figure_, axes_
        Set by ``plot``.
    """

    def __init__(self, atoms: list[Chosen], labels: list[str], places: Places, views: tuple[str, ...] = ("",)) -> None:
        self.atoms, self.labels, self.places, self.views = atoms, labels, places, views

    @classmethod
    def from_estimator(
        cls,
        forest: FittedForest,
        *,
        n_atoms: int = 12,
        by: Literal["gain", "count"] = "gain",
        channels: Sequence[str] | None = None,
        times: Times | None = None,
        unit: str = "",
        ax: Axes | None = None,
    ) -> PatchAtlas:
        """Draw the most important atoms of a fitted forest.

        Parameters
        ----------
        forest : a fitted forest
        n_atoms : int, default=12
        by : {"gain", "count"}, default="gain"
            Whether atoms with the largest gain come first, or those in the most splits.
        channels, times, unit
            As in ``ImportanceMap``.
        ax : matplotlib axes, optional

        Returns
        -------
        PatchAtlas
        """
        model = check_forest(forest)
        check_count("n_atoms", n_atoms, 1)
        if not is_one_of(by, ("gain", "count")):
            raise ValueError(f'by={quoted(by)}: expected "gain" or "count"')
        atoms = chosen_atoms(model, n_atoms, by)
        if not atoms:
            raise ValueError("no tree of this forest has a split, so there is no atom to draw")
        places = Places.of_forest(forest, channels, times, unit)
        labels = [atom_label(model, atom, places) for atom in atoms]
        return cls(atoms, labels, places, ("",) if model.views is None else model.views.names).plot(ax)

    def plot(self, ax: Axes | None = None) -> PatchAtlas:
        """Draw on ``ax``, or in a new figure."""
        size = (2.9, 1.7) if len(self.places.shape) == 1 else (3.0, 2.4) if self.places.named else (2.3, 2.4)
        n_letters = round(15 * size[0])  # of a line as wide as a panel
        self.axes_ = panels(ax, len(self.atoms), size=size, n_columns=4)
        for atom, label, axes in zip(self.atoms, self.labels, self.axes_, strict=True):
            slice_note = self._draw(axes, atom)
            lines = [*in_lines(label, n_letters), f"{atom.gain:.2%} of the gain, {counted(atom.n_splits, 'split')}"]
            axes.set_title(literal("\n".join([*lines, slice_note] if slice_note else lines)), fontsize="small")
        self.figure_ = root_figure(self.axes_[0])
        return self

    def _draw(self, axes: Axes, atom: Chosen) -> str:
        """Draw an atom; return which slice is drawn if it lies in a volume."""
        cells = np.zeros((len(self.views), *self.places.cell_shape))
        cells.flat[atom.ids] = atom.weights
        view = int(np.abs(cells).reshape(len(cells), -1).max(axis=1).argmax())
        places = self.places.of_view(self.views[view])
        values, slice_name = fullest_slice(cells[view][..., : places.shape[-1]])
        values = thickened(values)
        if values.ndim == 1:
            _draw_bars(axes, values, places)
            return ""
        top = float(np.abs(values).max()) or 1.0
        draw_values(axes, values, places, colors={"cmap": SIGNS, "vmin": -SPARE * top, "vmax": SPARE * top})
        if not places.of_channels:
            axes.set(xlabel="", ylabel="")
        return f"{slice_name} is drawn" if slice_name else ""


def _draw_bars(axes: Axes, values: Floats, places: Places) -> None:
    """Draw the weights of an atom on a line."""
    edges, top = places.edges(), 1.1 * float(np.abs(values).max()) or 1.0
    colors = np.where(values < 0, CLASSES[1], CLASSES[0])
    axes.bar(edges[:-1], values, width=np.diff(edges), align="edge", color=colors)
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.set(xlabel=literal(places.along), ylabel="weight", xlim=(edges[0], edges[-1]), ylim=(-top, top))
    if places.times is None:
        integer_ticks(axes.xaxis)

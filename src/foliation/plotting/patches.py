"""What a forest looks for: the atoms with the most gain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import check_is_fitted
from foliation.atlas import Chosen, atom_label, chosen_atoms
from foliation.plotting.grid import Places, draw_values, fullest_slice, thickened
from foliation.plotting.style import CLASSES, SIGNS, SPARE, counted, in_lines, panels


class PatchAtlas:
    """Atoms drawn on the grid, each in a panel: plus in one colour, minus in the other, weak where weights are small.

    Cells that would be too thin to see are drawn wider; the title says where the atom lies.

    Parameters
    ----------
    atoms : list of Chosen
        The atoms, the most important first.
    labels : list of str
        Where each lies.
    places : Places
        What the places of the grid are called.
    n_views : int
        Views of the grid that atoms may be sums over; 1 if there are none.

    Attributes
    ----------
    figure_, axes_
        Set by ``plot``.
    """

    def __init__(self, atoms: list[Chosen], labels: list[str], places: Places, n_views: int = 1) -> None:
        self.atoms, self.labels, self.places, self.n_views = atoms, labels, places, n_views

    @classmethod
    def from_estimator(
        cls,
        forest: Any,
        *,
        n_atoms: int = 12,
        by: Literal["gain", "count"] = "gain",
        channels: Sequence[str] | None = None,
        times: Sequence[float] | NDArray[Any] | None = None,
        unit: str = "",
        ax: Any = None,
    ) -> PatchAtlas:
        """Draw the atoms of a fitted forest that matter most.

        Parameters
        ----------
        forest : a fitted forest
        n_atoms : int, default=12
        by : {"gain", "count"}, default="gain"
            Whether atoms with the most gain come first, or those in the most splits.
        channels, times, unit
            As in ``ImportanceMap``.
        ax : matplotlib axes, optional

        Returns
        -------
        PatchAtlas
        """
        check_is_fitted(forest)
        if by not in ("gain", "count"):
            raise ValueError(f'by={by!r} is unknown; it must be "gain" or "count"')
        atoms = chosen_atoms(forest, n_atoms, by)
        if not atoms:
            raise ValueError("no tree of this forest has a split, so there is no atom to draw")
        views = forest._know()[2]
        places = Places(forest.grid_shape_, channels, times, unit)
        labels = [atom_label(forest, atom, places) for atom in atoms]
        return cls(atoms, labels, places, 1 if views is None else len(views.names)).plot(ax)

    def plot(self, ax: Any = None) -> PatchAtlas:
        """Draw on ``ax``, or in a new figure."""
        size = (2.9, 1.7) if len(self.places.shape) == 1 else (3.0, 2.4) if self.places.named else (2.3, 2.4)
        self.axes_ = panels(ax, len(self.atoms), size=size, n_columns=4)
        for atom, label, axes in zip(self.atoms, self.labels, self.axes_, strict=True):
            self._draw(axes, atom, label)
            axes.set_title(
                f"{in_lines(label)}\n{atom.gain:.2%} of the gain, {counted(atom.n_splits, 'split')}", fontsize="small"
            )
        self.figure_ = self.axes_[0].figure
        return self

    def _draw(self, axes: Any, atom: Chosen, label: str) -> None:
        cells = np.zeros((self.n_views, *self.places.shape))
        cells.flat[atom.ids] = atom.weights
        places = self.places.of_view(label)
        values = cells[np.abs(cells).reshape(self.n_views, -1).max(axis=1).argmax()][..., : places.shape[-1]]
        values = thickened(fullest_slice(values))
        top = float(np.abs(values).max()) or 1.0
        if values.ndim == 1:
            colors = np.where(values < 0, CLASSES[1], CLASSES[0])
            begin, end = places.extent()
            x = np.linspace(begin, end, len(values), endpoint=False) + (end - begin) / (2 * len(values))
            axes.bar(x, values, width=(end - begin) / len(values), color=colors)
            axes.axhline(0, color="#999999", linewidth=0.8)
            axes.set(xlabel=places.along, xlim=(begin, end), ylim=(-1.1 * top, 1.1 * top))
            return
        draw_values(axes, values, places, cmap=SIGNS, vmin=-SPARE * top, vmax=SPARE * top)
        if self.places.channels is None:
            axes.set(xlabel="", ylabel="")

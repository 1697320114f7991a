"""Views as nodes of an ONNX graph: one function for each view of ``core/views``, registered under its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from foliation.data.arrays import Array, Floats
from foliation.projections.views import Views, view_outline

MOST_BYTES = 2**31 - 1  # of a tensor, and of a file
_END = 2**62  # of an axis, however long


class Graph(Protocol):
    """What a view may add to a graph; both methods return the name of what they add."""

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str: ...

    def constant(self, array: Array) -> str: ...


# (graph, rows of shape (n, *grid), views) -> the view, as large as the grid or longer along the last axis. Cells beyond
# the end of the view may hold anything: no atom reads them.
ViewNodes = Callable[[Graph, str, Views], str]

FORMS: dict[str, ViewNodes] = {}  # by the name of the view


def onnx_form(name: str) -> Callable[[ViewNodes], ViewNodes]:
    """Register the form of the view of this name."""

    def register(nodes: ViewNodes) -> ViewNodes:
        FORMS[name] = nodes
        return nodes

    return register


def view_nodes(graph: Graph, rows: str, views: Views, name: str) -> str:
    """Add the view of this name to the graph; raise ValueError if it has no form in ONNX."""
    if name not in FORMS:
        raise ValueError(f'view "{name}" has no form in ONNX; expected one of {", ".join(FORMS)}')
    return FORMS[name](graph, rows, views)


def shifted(graph: Graph, rows: str, axis: int, circle: bool) -> str:
    """Return the next cells along an axis; the last cell is followed by itself, on a circle by the first one."""
    along = graph.constant(np.array([axis]))
    start, end = (graph.constant(np.array([bound])) for bound in ((0, 1) if circle else (-1, _END)))
    after_last = graph.add("Slice", rows, start, end, along)
    second, last = (graph.constant(np.array([bound])) for bound in (1, _END))
    return graph.add("Concat", graph.add("Slice", rows, second, last, along), after_last, axis=axis)


@onnx_form("raw")
def raw(graph: Graph, rows: str, views: Views) -> str:
    return rows


@onnx_form("difference")
def difference(graph: Graph, rows: str, views: Views) -> str:
    return graph.add("Sub", shifted(graph, rows, -1, views.circle), rows)


@onnx_form("east")
def east(graph: Graph, rows: str, views: Views) -> str:
    return graph.add("Relu", graph.add("Sub", shifted(graph, rows, -1, views.circle), rows))


@onnx_form("west")
def west(graph: Graph, rows: str, views: Views) -> str:
    return graph.add("Relu", graph.add("Sub", rows, shifted(graph, rows, -1, views.circle)))


@onnx_form("south")
def south(graph: Graph, rows: str, views: Views) -> str:
    return graph.add("Relu", graph.add("Sub", shifted(graph, rows, -2, views.tube), rows))


@onnx_form("north")
def north(graph: Graph, rows: str, views: Views) -> str:
    return graph.add("Relu", graph.add("Sub", rows, shifted(graph, rows, -2, views.tube)))


@onnx_form("relative")
def relative(graph: Graph, rows: str, views: Views) -> str:
    return graph.add("Sub", rows, graph.add("ReduceMean", rows, axes=[-2], keepdims=1))


@onnx_form("spectrum")
def spectrum(graph: Graph, rows: str, views: Views) -> str:
    side = views.shape[-1]
    waves = [graph.add("MatMul", rows, graph.constant(part)) for part in waves_of(side)]
    squares = [graph.add("Mul", wave, wave) for wave in waves]
    before = [0] * (len(views.shape) + 1)
    after = [*before[:-1], side - side // 2]
    magnitudes = graph.add("Sqrt", graph.add("Add", *squares))
    return graph.add("Pad", magnitudes, graph.constant(np.array([*before, *after])))


@onnx_form("relative_spectrum")
def relative_spectrum(graph: Graph, rows: str, views: Views) -> str:
    return spectrum(graph, relative(graph, rows, views), views)


def waves_of(side: int) -> tuple[Floats, Floats]:
    """Return cosines and sines of frequencies 1 to side // 2, of series without their mean."""
    angles = np.outer(np.arange(side), np.arange(1, side // 2 + 1)) * 1.0
    angles *= 2.0 * np.pi
    angles /= side
    cosines = np.cos(angles)
    sines = np.sin(angles, out=angles)
    for wave in (cosines, sines):
        wave -= wave.mean(axis=0)
    return cosines, sines


def wave_bytes(views: Views) -> int:
    """Return how many bytes the waves of all spectra among some views take."""
    n_spectra = sum(view_outline(name).frequencies for name in views.names)
    return 16 * n_spectra * views.shape[-1] ** 2 // 2

"""Forms of views in ONNX; test_onnx.py compares what they compute with the core."""

from __future__ import annotations

import pytest

from foliation import _core
from foliation.io.onnx_views import FORMS, Graph, onnx_form, view_nodes
from foliation.projections.views import Views

NAMES = [outline.name for outline in _core.view_outlines(_core.SeriesGrid(8, 8, False, 8, False))]


class Names:
    """A graph that only counts what is added."""

    def __init__(self) -> None:
        self.n_added = 0

    def add(self, kind: str, *inputs: str, **attributes: object) -> str:
        self.n_added += 1
        return f"{kind}_{self.n_added}"

    def constant(self, array: object) -> str:
        return "constant"


def test_every_view_of_the_core_has_a_form() -> None:
    assert sorted(FORMS) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_form_returns_the_node_it_adds_last(name: str) -> None:
    graph = Names()
    found = view_nodes(graph, "rows", Views((name,), (8, 8), False), name)
    assert found == "rows" if name == "raw" else found.endswith(f"_{graph.n_added}")


def test_a_view_without_a_form_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(FORMS, "east")
    with pytest.raises(ValueError, match='view "east" has no form in ONNX; expected one of raw, '):
        view_nodes(Names(), "rows", Views(("east",), (8, 8), False), "east")


def test_forms_register_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foliation.io.onnx_views.FORMS", {})

    @onnx_form("twice")
    def twice(graph: Graph, rows: str, views: Views) -> str:
        return graph.add("Add", rows, rows)

    assert view_nodes(Names(), "rows", Views(("twice",), (8,), False), "twice") == "Add_1"

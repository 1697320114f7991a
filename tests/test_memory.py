"""How much memory is free, and what does not fit."""

from __future__ import annotations

import pytest

from foliation import memory


def test_what_fits_is_not_refused() -> None:
    memory.check_memory("a little", 1000.0, "ask for less")


def test_what_does_not_fit_is_refused_with_sizes_and_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 2.5e6)
    with pytest.raises(MemoryError, match=r"a table would take 3\.0 GB, but 2 MB are free; take fewer rows"):
        memory.check_memory("a table", 3e9, "take fewer rows")


def test_the_smaller_of_machine_and_container_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_free_in_machine", lambda: 5.0)
    monkeypatch.setattr(memory, "_free_in_container", lambda: 3.0)
    assert memory.available_bytes() == 3.0


def test_this_machine_has_memory() -> None:
    assert memory.available_bytes() > 1e6

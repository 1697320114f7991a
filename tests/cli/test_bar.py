"""The progress bar: where nothing can move, each step is a line."""

from __future__ import annotations

import io

from rich.console import Console

from foliation.cli.bar import progress_bar


def test_steps_are_lines_where_the_output_is_no_terminal() -> None:
    out = io.StringIO()
    with progress_bar(Console(file=out, force_terminal=False, width=100)) as tick:
        tick(1, 3, "first")
        tick(3, 3, "[last]")
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert lines[:2] == ["1/3 first", "3/3 [last]"]  # brackets are text, not markup


def test_a_terminal_shows_a_bar_and_no_lines() -> None:
    out = io.StringIO()
    with progress_bar(Console(file=out, force_terminal=True, width=100)) as tick:
        tick(2, 3, "second")
    assert "2/3 second" not in out.getvalue() and "2/3" in out.getvalue()

"""Markdown: tables, and numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines)


def without_gaps(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Leave out the columns in which no row has anything."""
    kept = [column for column in range(len(header)) if any(row[column] != "-" for row in rows)]
    return [header[column] for column in kept], [[row[column] for column in kept] for row in rows]


def number(value: float | None) -> str:
    """Write three digits, without an exponent where a person would use none."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"

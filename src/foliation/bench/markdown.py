"""Pieces of Markdown: tables, and numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from foliation.bench.summary import ErrorRate, Spread


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines)


def without_gaps(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Leave out the columns in which no row has anything."""
    kept = [at for at in range(len(header)) if any(row[at] != "-" for row in rows)]
    return [header[at] for at in kept], [[row[at] for at in kept] for row in rows]


def number(value: float | None) -> str:
    """Write three digits, without an exponent where a person would use none."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def with_spread(found: Spread | None, unit: str = "") -> str:
    if found is None:
        return "-"
    if number(found.low) == number(found.high):
        return number(found.median) + unit
    return f"{number(found.median)}{unit} ({number(found.low)}..{number(found.high)})"


def with_interval(found: ErrorRate | None) -> str:
    return "-" if found is None else f"{found.mean:.4f} ({found.low:.4f}..{found.high:.4f})"


def megabytes(found: Spread | None) -> str:
    return "-" if found is None else number(found.median / 1e6)

"""Summaries as they stand in tables."""

from __future__ import annotations

from foliation_benchmarks.summary import ErrorRate, Spread
from foliation_experiments.harness.markdown import number


def with_spread(spread: Spread | None, unit: str = "") -> str:
    if spread is None:
        return "-"
    if number(spread.low) == number(spread.high):
        return number(spread.median) + unit
    return f"{number(spread.median)}{unit} ({number(spread.low)}..{number(spread.high)})"


def with_interval(rate: ErrorRate | None) -> str:
    return "-" if rate is None else f"{rate.mean:.4f} ({rate.low:.4f}..{rate.high:.4f})"


def megabytes(spread: Spread | None) -> str:
    return "-" if spread is None else number(spread.median / 1e6)

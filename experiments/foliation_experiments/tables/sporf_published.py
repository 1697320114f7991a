"""Errors of the SPORF paper's authors on tables, from the file that lies beside the data."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from foliation_experiments.harness.data import data_file

NAMES = {"RF, tuned": "rf", "SPORF, tuned": "rerf", "XGB 100": "xgb"}  # theirs by ours


class Published(NamedTuple):
    """A mean error, and its standard deviation over folds where it is known."""

    error: float
    spread: float | None

    def __str__(self) -> str:
        return f"{self.error:.3f}" + (f" ({self.spread:.3f})" if self.spread is not None else "")


def published(method: str, problem: str) -> Published | None:
    line = _lines(data_file("tabular/sporf_paper_errors.csv")).get(problem)
    if line is None:
        return None
    spread = line.get(f"{NAMES[method]}_sd")
    return Published(float(line[f"{NAMES[method]}_err"]), float(spread) if spread else None)


@cache
def _lines(path: Path) -> dict[str, dict[str, str]]:
    with path.open(newline="") as file:
        return {line["dataset"]: line for line in csv.DictReader(file)}

"""Runs on disk: one line each, appended as they finish, so that an interruption loses nothing."""

from __future__ import annotations

import csv
import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from foliation_experiments.harness.experiment import Run
from foliation_experiments.harness.table import Row, finished

_IDENTITY = ("part", "problem", "method", "at", "seed")
_TEXT = ("part", "problem", "method", "commit", "version", "how", "failed", "skipped")
Key = tuple[str | float, ...]


@dataclass
class Results:
    """The runs of one experiment and the file that holds them."""

    path: Path
    rows: list[Row] = field(default_factory=list)
    columns: list[str] = field(default_factory=lambda: [*_IDENTITY, "seconds", "commit"])

    def add(self, row: Row) -> None:
        """Append one run; the file is rewritten if the run has a new column."""
        self.rows.append(row)
        new = [name for name in row if name not in self.columns]
        if new:
            self.columns += new
            self.rewrite()
            return
        with self.path.open("a", newline="") as file:
            csv.DictWriter(file, self.columns).writerow(row)

    def rewrite(self) -> None:
        draft = self.path.with_suffix(".part")
        with draft.open("w", newline="") as file:
            writer = csv.DictWriter(file, self.columns)
            writer.writeheader()
            writer.writerows(self.rows)
        draft.replace(self.path)

    def missing(self, runs: Sequence[Run]) -> list[Run]:
        """Return the runs that are not finished."""
        keys = {_key(row) for row in self.rows if finished(row)}
        return [run for run in runs if _key(identity(run)) not in keys]

    def among(self, runs: Sequence[Run]) -> list[Row]:
        """Return the rows of these runs in their order; the file may hold others, of methods given up."""
        rows = {_key(row): row for row in self.rows}  # a run that was repeated counts once, by its last line
        keys = [_key(identity(run)) for run in runs]
        return [rows[key] for key in keys if key in rows]


def _key(row: Row) -> Key:
    return tuple(row[name] for name in _IDENTITY)


def identity(run: Run) -> Row:
    return {name: getattr(run, name) for name in _IDENTITY}


def read(path: Path) -> Results:
    """Return what a file holds; a last line that was cut off is left out."""
    if not path.exists():
        return Results(path)
    with path.open(newline="") as file:
        lines = [line for line in file if line.endswith("\n")]
    reader = csv.DictReader(lines)
    rows = [{name: _parsed(name, text) for name, text in line.items() if text != ""} for line in reader]
    return Results(path, rows, list(reader.fieldnames or Results(path).columns))


def _parsed(name: str, text: str) -> str | float:
    if name in _TEXT:
        return text
    number = float(text)
    return int(number) if name in ("at", "seed") and number.is_integer() else number


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other commands from writing into a folder at the same time."""
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"another command writes into {folder}: wait for it, or give another --output") from None
        yield

"""The page of an experiment and its figures, from the runs that are finished."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from foliation_experiments.harness import settings
from foliation_experiments.harness.experiment import Experiment, Run
from foliation_experiments.harness.results import Results
from foliation_experiments.harness.table import Table


class Report(NamedTuple):
    """Where the page is, and the runs that it was made of."""

    page: Path
    table: Table


def write(experiment: Experiment, runs: Sequence[Run], stored: Results) -> Report:
    """Write the page and the figures, as PNG and SVG, beside the runs."""
    folder = stored.path.parent
    table = Table(stored.among(runs), runs[0].scale, settings.read(folder))
    figures = experiment.figures(table)
    for stem, figure in figures.items():
        for suffix in ("png", "svg"):
            figure.savefig(folder / f"{stem}.{suffix}", dpi=150)
    parts = [experiment.page(table)]
    if not experiment.own_heading:
        images = [f"![{stem.replace('_', ' ')}]({stem}.png)" for stem in figures]
        head = [f"# {experiment.name}", experiment.about, _origin(table.settings), _completeness(runs, stored)]
        parts = [*head, *images, *parts]
    page = folder / f"{experiment.name}.md"
    page.write_text("\n\n".join(part for part in parts if part) + "\n")
    return Report(page, table)


def _origin(made: dict[str, Any]) -> str:
    """Write the command, the versions and the commits that the runs were made with."""
    libraries = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    data = f" --data {made['file'].split(' (SHA-256')[0]}" if made.get("file") else ""
    command = f"`foliation reproduce {made['experiment']} --scale {made['scale']}{data}`"
    return f"Made by {command} with {libraries}; commit {', '.join(made['commits'])}."


def _completeness(runs: Sequence[Run], stored: Results) -> str:
    """Write which methods have missing runs, if any."""
    missing = stored.missing(runs)
    if not missing:
        return ""
    methods = "; ".join(dict.fromkeys(run.method for run in missing))
    return f"**Not finished: {len(missing)} of {len(runs)} runs are missing** ({methods})."

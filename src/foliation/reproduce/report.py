"""The page of an experiment and its figures, from the runs that are finished."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from foliation.reproduce.experiment import Experiment, Run
from foliation.reproduce.results import Results
from foliation.reproduce.table import Table


def write(experiment: Experiment, runs: Sequence[Run], found: Results) -> Path:
    """Write the page and the figures, as PNG and SVG, beside the runs; return where the page is."""
    folder = found.path.parent
    table = Table(found.among(runs), runs[0].scale)
    pictures = experiment.figures(table)
    for stem, figure in pictures.items():
        for kind in ("png", "svg"):
            figure.savefig(folder / f"{stem}.{kind}", dpi=150)
    head = [f"# {experiment.name}", experiment.about, _origin(folder), _completeness(runs, found)]
    images = [f"![{stem.replace('_', ' ')}]({stem}.png)" for stem in pictures]
    page = folder / f"{experiment.name}.md"
    page.write_text("\n\n".join(part for part in (*head, *images, experiment.page(table)) if part) + "\n")
    return page


def _origin(folder: Path) -> str:
    """Say by what the runs were made."""
    made = json.loads((folder / "settings.json").read_text())
    libraries = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    data = f" --data {made['file'].split(' (SHA-256')[0]}" if made.get("file") else ""
    command = f"`foliation reproduce {made['experiment']} --scale {made['scale']}{data}`"
    return f"Made by {command} with {libraries}; commit {', '.join(made['commits'])}."


def _completeness(runs: Sequence[Run], found: Results) -> str:
    """Say which methods have runs that are missing, if any."""
    missing = found.missing(runs)
    if not missing:
        return ""
    methods = "; ".join(dict.fromkeys(run.method for run in missing))
    return f"**Not finished: {len(missing)} of {len(runs)} runs are missing** ({methods})."

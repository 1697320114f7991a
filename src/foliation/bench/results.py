"""What was measured, on the disc after every run, so that a stopped benchmark can go on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foliation.bench.worker.contract import Outcome

Key = tuple[str, str, int]  # workload, contender, round


@dataclass
class Results:
    """All runs of one benchmark, with the machine and the commit they were made on."""

    header: dict[str, Any]
    runs: dict[Key, Outcome] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)  # environment or workload: reason
    path: Path | None = None

    def add(self, key: Key, outcome: Outcome) -> None:
        self.runs[key] = outcome
        self.save()

    def rounds(self, workload: str, contender: str) -> dict[int, Outcome]:
        """Return the successful runs of a contender on a workload, by round."""
        return {
            key[2]: run
            for key, run in sorted(self.runs.items(), key=lambda item: item[0])
            if key[:2] == (workload, contender) and "failed" not in run
        }

    def failures(self) -> dict[Key, str]:
        return {key: run["failed"] for key, run in self.runs.items() if "failed" in run}

    def save(self) -> None:
        if self.path is None:
            return
        runs = [{"workload": w, "contender": c, "round": r, **run} for (w, c, r), run in self.runs.items()]
        text = json.dumps({**self.header, "skipped": self.skipped, "runs": runs}, indent=1)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".part")
        draft.write_text(text)
        draft.replace(self.path)


def load(path: Path) -> Results:
    """Read what an earlier benchmark left."""
    header = json.loads(path.read_text())
    runs, skipped = header.pop("runs"), header.pop("skipped")
    keyed = {(run.pop("workload"), run.pop("contender"), run.pop("round")): run for run in runs}
    return Results(header, keyed, skipped, path)

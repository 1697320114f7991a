"""``python -m worker task.json outcome.json``: read a task, measure, write the outcome."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .contract import Task
from .measure import measure


def main(told: str, answer: str) -> None:
    task = Task.from_json(json.loads(Path(told).read_text()))
    Path(answer).write_text(json.dumps(measure(task)))


if __name__ == "__main__":
    main(*sys.argv[1:3])

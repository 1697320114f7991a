"""Write into ``tests/fuzz/corpus`` few inputs that cover what all that were learned cover: ``make fuzz-corpus``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzzing import CORE, HERE, LIMITS, command_of, folders_of

MOST_BYTES = 40_000  # of a target's corpus; the largest files are left out


def minimize(target: str) -> None:
    command, environment = command_of(target)
    with tempfile.TemporaryDirectory() as folder:
        merge = ["-set_cover_merge=1", "-use_counters=0", *LIMITS]
        subprocess.run(
            [*command, *merge, folder, *map(str, folders_of(target))], env=os.environ | environment, check=True
        )
        corpus = HERE / "corpus" / target
        shutil.rmtree(corpus, ignore_errors=True)
        corpus.mkdir(parents=True)
        left = MOST_BYTES
        for path in sorted(Path(folder).iterdir(), key=lambda path: path.stat().st_size):
            left -= path.stat().st_size
            if left >= 0:
                shutil.copy(path, corpus)


if __name__ == "__main__":
    for name in sys.argv[1:] or [*CORE, "data"]:  # model files are seeds by themselves
        minimize(name)

"""Load model files from bytes and ask the forests everything. Needs atheris; see docs/fuzzing.md."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.append(str(Path(__file__).parents[1] / "support"))

with atheris.instrument_imports(include=["foliation"]):
    import fuzzed

import mutated
import numpy as np


def mutate(content: bytes, max_size: int, seed: int) -> bytes:
    """Return a model file with something changed; where there is none, bytes changed as the fuzzer likes."""
    rng = np.random.default_rng(seed)
    if rng.random() < 0.05:
        return bytes(atheris.Mutate(content, max_size))
    try:
        changed = mutated.mutant(content, rng)
    except mutated.NOT_A_FILE:
        return bytes(atheris.Mutate(content, max_size))
    return changed if len(changed) <= max_size else content


if __name__ == "__main__":
    atheris.Setup(sys.argv, fuzzed.load, custom_mutator=mutate)
    atheris.Fuzz()

"""Data files of the command line from bytes: csv, ts, npy and npz. Needs atheris; see docs/fuzzing.md."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.append(str(Path(__file__).parents[1] / "support"))

with atheris.instrument_imports(include=["foliation", "numpy.lib"]):
    import fuzzed

if __name__ == "__main__":
    atheris.Setup(sys.argv, fuzzed.read_data)
    atheris.Fuzz()

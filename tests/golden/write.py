"""Write one model file of each kind for this release, with what the forests predict for some rows.

Run it once for each release, ``PYTHONPATH=tests/support python tests/golden/write.py``, and never again: later releases
must read the files as they are.
"""

from __future__ import annotations

from typing import Any

import mutated
import numpy as np
from golden import FOLDER, answers

import foliation as fo

ROWS = np.random.default_rng(1).normal(size=(20, *mutated.X.shape[1:])).round(3)


def main() -> None:
    folder = FOLDER / fo.__version__
    folder.mkdir()
    expected: dict[str, Any] = {}
    for name, make in mutated.FORESTS.items():
        forest = make()
        forest.save(folder / f"{name}.fol")
        expected[name] = answers(forest, ROWS)
    np.savez_compressed(folder / "expected.npz", rows=ROWS, **expected)


if __name__ == "__main__":
    main()

"""Print the fingerprints of fits and of predictions by golden files, to compare them with another machine's."""

from __future__ import annotations

import hashlib
import platform
import sys

import fits
import golden
import numpy as np

import foliation as fo


def main() -> None:
    n_numbers = 0
    for path in golden.FILES:
        forest = fo.load(path)
        golden.assert_predicts_as_written(path, forest)
        with np.load(path.parent / "expected.npz") as expected:
            predicted = golden.answers(forest, expected["rows"])
        n_numbers += predicted.size
        print(f"golden {path.parent.name}/{path.stem} {hashlib.sha256(predicted.tobytes()).hexdigest()}")
    for name in fits.NAMES:
        forest = fits.fit(name)
        n_numbers += sum(array.size for array in fits.held(forest))
        print(f"fit {name} {fits.fingerprint(forest)}")
    machine, n_files = platform.machine(), len(golden.FILES)
    print(f"{machine}: {n_files} golden files, {len(fits.NAMES)} fits, {n_numbers} numbers", file=sys.stderr)


if __name__ == "__main__":
    main()

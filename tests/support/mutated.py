"""Model files that somebody changed: damaged at random, or with a right checksum, as an attacker would write them.

As a program it tries as many as it is told, read and mapped in turn, and says what became of them, how long the slowest
took, and how much memory the greediest: ``python tests/support/mutated.py 100000``.
"""

from __future__ import annotations

import faulthandler
import json
import pickle
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from model_files import FRONT, sealed

import foliation as fo
from foliation.analysis.description import facts

MOST_BYTES = 32_000_000  # of memory for a file of ten thousand bytes or so; NumPy and SciPy take some of it once
_HANGS = 300  # seconds after which a file has hung
_MEMORY = Path("/proc/self")

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((30, 6, 5)), np.arange(30) % 3
FLAT = X.reshape(30, 30)
RING = np.roll(np.eye(30), 1, axis=1)

FORESTS: dict[str, Callable[[], Any]] = {
    "axis": lambda: fo.ForestClassifier(2, projections="axis", random_state=0, max_depth=3).fit(FLAT, Y),
    "sparse": lambda: fo.ForestClassifier(9, random_state=0, oob_score=True).fit(FLAT, Y.astype(str)),
    "patches": lambda: fo.ForestClassifier(2, projections=fo.Patches(contrast=0.5), random_state=0).fit(X, Y),
    "free": lambda: fo.ForestRegressor(
        2, projections=fo.Patches(contiguous=(False, True), weights="signs"), honest=True, random_state=0
    ).fit(X, X[:, 0, 0]),
    "views": lambda: fo.ForestClassifier(2, projections="series", random_state=0).fit(X, Y),
    "channels": lambda: fo.ForestRegressor(2, projections="channels", random_state=0).fit(X, X[:, 0, 0]),
    "kernels": lambda: fo.ForestClassifier(
        2, projections=fo.Kernels(np.ones((2, 3, 3)), wrap=True), class_weight={0: 1.0, 1: 2.0, 2: 1.0}, random_state=0
    ).fit(X, Y),
    "graph": lambda: fo.ForestClassifier(
        2, projections=fo.Neighborhoods(RING, size=(1, 3)), max_samples=fo.subsample_exponent(0.9), random_state=0
    ).fit(FLAT, np.stack([Y, Y % 2], axis=1)),
    "mixture": lambda: fo.ForestRegressor(
        2, projections=fo.Mixture([fo.Axis(), fo.Atoms(RING)]), random_state=np.random.RandomState(0)
    ).fit(FLAT, FLAT[:, :2]),
    "geodesic": lambda: fo.GeodesicForest(2, screen=0.5, min_samples_split=4, random_state=0).fit(FLAT),
}
_NUMBERS = (0, 1, -1, 2, 7, 30, 255, 2**15, 2**31 - 1, 2**31, -(2**31), 2**62, 2**64, 1e308, -1e-300)
_VALUES: tuple[Any, ...] = (
    *_NUMBERS,
    None,
    True,
    "",
    "x",
    [],
    {},
    [0],
    {"array": 0},
    {"float": "nan"},
    {"tuple": []},
    {"object": ["Axis", {"dict": []}]},
)


def mutant(file: bytes, rng: np.random.Generator) -> bytes:
    """Return a file with something changed; most have a checksum that fits."""
    kind = rng.integers(10)
    if kind == 0:
        return file[: rng.integers(len(file))]
    if kind == 1:
        return _overwritten(file, rng)
    header_size = FRONT.unpack_from(file)[5]
    header, body = file[FRONT.size : FRONT.size + header_size], file[FRONT.size + header_size :]
    if kind < 6:
        return sealed(changed_header(header, rng), body)
    return sealed(header, _overwritten(body, rng))


def _overwritten(content: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        width = int(rng.choice((1, 2, 4, 8)))
        at = int(rng.integers(max(1, len(changed) - width))) // width * width
        values = (rng.bytes(width), bytes(width), b"\xff" * width, b"\xff" * (width - 1) + b"\x7f")
        changed[at : at + width] = values[int(rng.integers(len(values)))]
    return bytes(changed)


def changed_header(header: bytes, rng: np.random.Generator) -> bytes:
    """Return the header with some of its values replaced, removed or exchanged."""
    tree = json.loads(header)
    for _ in range(int(rng.integers(1, 3))):
        places = list(_places(tree))
        owner, key = places[int(rng.integers(len(places)))]
        if rng.random() < 0.15:
            del owner[key]
        elif rng.random() < 0.3:
            other, where = places[int(rng.integers(len(places)))]
            owner[key] = json.loads(json.dumps(other[where])) if _still_there(other, where) else 0
        else:
            owner[key] = _VALUES[int(rng.integers(len(_VALUES)))]
    return json.dumps(tree).encode().ljust(len(header))


def _still_there(owner: Any, key: Any) -> bool:
    return key in owner if isinstance(owner, dict) else key < len(owner)


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    for key, inside in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(inside, dict | list):
            yield from _places(inside)


class Attempt(NamedTuple):
    """How loading a file ended, and what it took."""

    end: str
    seconds: float
    n_bytes: int  # of memory, at the most


def attempt(path: Path, content: bytes, *, mmap: bool) -> Attempt:
    """Load a file, and use what comes of it."""
    path.write_bytes(content)
    _MEMORY.joinpath("clear_refs").write_text("5")  # the most so far is forgotten
    held, begin, forest, end = _memory("VmRSS"), time.perf_counter(), None, "loaded"
    try:
        forest = fo.load(path, mmap=mmap)
    except (ValueError, OSError) as error:
        end = type(error).__name__
    found = Attempt(end, time.perf_counter() - begin, _memory("VmHWM") - held)
    if forest is not None:
        use(forest)
    return found


def _memory(name: str) -> int:
    """Return how much memory this process has, or had at the most, in bytes; only Linux says so."""
    (line,) = (line for line in _MEMORY.joinpath("status").read_text().splitlines() if line.startswith(name))
    return 1024 * int(line.split()[1])


def use(forest: Any) -> None:
    """Ask a forest for all that reads its arrays; a strange one may refuse, but not break."""
    rows = np.zeros((3, *forest.model_.grid.shape)) if forest.n_features_in_ < 10_000 else None
    questions: list[Callable[[], Any]] = [
        lambda: forest.importance(),
        lambda: str(forest.tree(0)),
        lambda: forest.proximity(),
        lambda: facts(forest.model_, type(forest).__name__),
        lambda: pickle.loads(pickle.dumps(forest)),
    ]
    if rows is not None:
        questions += [lambda: forest.apply(rows), lambda: forest.kneighbors(rows, n_neighbors=2)]
        questions += [lambda: forest.predict(rows), lambda: forest.leaf_weights(rows)] if forest.n_outputs_ else []
    for ask in questions:
        with suppress(ValueError, MemoryError):
            ask()


def main(count: int) -> None:
    rng = np.random.default_rng(0)
    ends: Counter[str] = Counter()
    seconds, n_bytes = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.fol"
        files = []
        for make in FORESTS.values():
            make().save(path)
            files.append(path.read_bytes())
        for number in range(count):
            faulthandler.dump_traceback_later(_HANGS, exit=True)
            found = attempt(path, mutant(files[number % len(files)], rng), mmap=number % 2 == 1)
            ends[found.end] += 1
            seconds, n_bytes = max(seconds, found.seconds), max(n_bytes, found.n_bytes)
            if (number + 1) % 10_000 == 0 or number + 1 == count:
                print(
                    f"{number + 1} files: {dict(ends)}, {seconds:.2f} s and {n_bytes / 1e6:.1f} MB at the most",
                    flush=True,
                )
    if n_bytes > MOST_BYTES:
        raise SystemExit(f"a file took more than {MOST_BYTES / 1e6:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""Model files that somebody changed: damaged at random, or with a right checksum, as an attacker would write them.

As a program it tries as many as it is told, read and mapped in turn, and says what became of them, and how long loading
them and the questions to them took, and how much memory: ``python tests/support/mutated.py 100000``.
"""

from __future__ import annotations

import faulthandler
import json
import math
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from consumers import REFUSALS, consumers, drawn_question, slow_consumers
from model_files import FRONT, sealed

import foliation as fo
from foliation.data.arrays import Array
from foliation.io.claims import FLOOR, RATE

MOST_BYTES = 32_000_000  # of memory for a file of ten thousand bytes or so; NumPy and SciPy take some of it once
MOST_SECONDS = 10  # of CPU time, for loading a file and for each question; none takes more than a few
_ALIGNED = 64  # bytes from one array to the next are a multiple of it
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


# From content that cannot be taken apart, such as a file that was changed before.
NOT_A_FILE = (struct.error, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)


def mutant(file: bytes, rng: np.random.Generator) -> bytes:
    """Return a file with something changed; most have a checksum that fits."""
    kind = rng.integers(10)
    if kind == 0:
        return file[: rng.integers(len(file))]
    if kind == 1:
        return _overwritten(file, rng)
    _, major, minor, _, _, header_size = FRONT.unpack_from(file)
    version = major, minor
    header, body = file[FRONT.size : FRONT.size + header_size], file[FRONT.size + header_size :]
    if kind < 5:
        return _with_header(_changed_header(header, rng), header_size, body, version)
    if kind < 9:
        return sealed(header, _changed_array(header, body, rng), version)
    return sealed(header, _overwritten(body, rng), version)


def _changed_array(header: bytes, body: bytes, rng: np.random.Generator) -> bytes:
    """Return the arrays with a few numbers of one of them replaced by others of its type."""
    entries = json.loads(header)["arrays"]
    entry = entries[int(rng.integers(len(entries)))]
    changed = bytearray(body)
    begin = entry["at"] - FRONT.size - len(header)
    array = np.frombuffer(changed, entry["type"], count=math.prod(entry["shape"]), offset=begin)
    for _ in range(int(rng.integers(1, 4)) if array.size else 0):
        at = int(rng.integers(array.size))
        array[at] = _other_number(array, at, rng)
    return bytes(changed)


def _other_number(array: Array, at: int, rng: np.random.Generator) -> Any:
    """Return a number of the array's type: one nearby, another of the array, an extreme one, or any bits."""
    kind, own = rng.integers(4), array.dtype
    if kind == 0:
        with np.errstate(all="ignore"):
            return (array[at] + np.array(rng.choice((-2, -1, 1, 2))).astype(own)).astype(own)
    if kind == 1:
        return array[int(rng.integers(array.size))]
    if kind == 2 and own.kind in "iuf":
        limits = np.iinfo(own) if own.kind in "iu" else np.finfo(own)
        return own.type(rng.choice((0, 1, limits.min, limits.max, limits.max // 2)))
    return np.frombuffer(rng.bytes(own.itemsize), own)[0]


def _overwritten(content: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        width = int(rng.choice((1, 2, 4, 8)))
        at = int(rng.integers(max(1, len(changed) - width))) // width * width
        values = (rng.bytes(width), bytes(width), b"\xff" * width, b"\xff" * (width - 1) + b"\x7f")
        changed[at : at + width] = values[int(rng.integers(len(values)))]
    return bytes(changed)


def _changed_header(header: bytes, rng: np.random.Generator) -> Any:
    """Return the header with some of its values replaced, removed or exchanged."""
    tree = json.loads(header)
    for _ in range(int(rng.integers(1, 3))):
        model = tree.get("model")  # most other values are of arrays
        root = model if isinstance(model, dict) and model and rng.random() < 0.8 else tree
        places = list(_places(root))
        owner, key = places[int(rng.integers(len(places)))]
        if isinstance(owner[key], int | float) and rng.random() < 0.5:
            owner[key] = _NUMBERS[int(rng.integers(len(_NUMBERS)))]
        elif rng.random() < 0.15:
            del owner[key]
        elif rng.random() < 0.3:
            other, where = places[int(rng.integers(len(places)))]
            owner[key] = json.loads(json.dumps(other[where])) if _still_there(other, where) else 0
        else:
            owner[key] = _VALUES[int(rng.integers(len(_VALUES)))]
    return tree


def _with_header(tree: Any, header_size: int, body: bytes, version: tuple[int, int]) -> bytes:
    """Return a file with another header; arrays move if it is longer, so that it is not refused for its length."""
    text, shift = _compact(tree), 0
    if len(text) > header_size:
        shift = _ALIGNED * ((len(text) - header_size) // _ALIGNED + 2)
        entries = tree.get("arrays")
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict) and type(entry.get("at")) is int:
                entry["at"] += shift
        text = _compact(tree)
    return sealed(text.ljust(header_size + shift), body, version)


def _compact(tree: Any) -> bytes:
    return json.dumps(tree, separators=(",", ":")).encode()


def _still_there(owner: Any, key: Any) -> bool:
    return key in owner if isinstance(owner, dict) else key < len(owner)


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    for key, inside in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(inside, dict | list):
            yield from _places(inside)


class Use(NamedTuple):
    """What the questions to a forest took: the longest, and the greediest."""

    seconds: float = 0.0  # of CPU time
    n_bytes: int = 0  # of memory, at the most
    question: str = ""  # that took the most of either

    def joined(self, other: Use) -> Use:
        """Return the most of both."""
        most = max(self.seconds, other.seconds), max(self.n_bytes, other.n_bytes)
        return self if most == self[:2] else Use(*most, other.question)


class Attempt(NamedTuple):
    """How loading a file ended, and what it took."""

    end: str
    seconds: float  # of CPU time
    n_bytes: int  # of memory, at the most
    use: Use = Use()


def attempt(
    path: Path, content: bytes, *, mmap: bool, questions: slice = slice(None), with_slow: bool = False
) -> Attempt:
    """Load a file. Ask the forest all fast questions, or some, and perhaps a slow one, as the bytes of the file say."""
    path.write_bytes(content)
    forest, end, measure = None, "loaded", _Measure()
    try:
        forest = fo.load(path, mmap=mmap)
    except (ValueError, MemoryError) as error:
        end = type(error).__name__
    seconds, n_bytes = measure.taken()
    if forest is None:
        return Attempt(end, seconds, n_bytes)
    used = use(dict(list(consumers(forest).items())[questions]))
    if with_slow:
        used = used.joined(use(drawn_question(content, slow_consumers(forest, path))))
    return Attempt(end, seconds, n_bytes, used)


class _Measure:
    """The CPU time and the memory that something takes from here on; only Linux says how much memory."""

    def __init__(self) -> None:
        _MEMORY.joinpath("clear_refs").write_text("5")  # the most so far is forgotten
        self.held, self.begin = _memory("VmRSS"), time.process_time()

    def taken(self) -> tuple[float, int]:
        return time.process_time() - self.begin, _memory("VmHWM") - self.held


def _memory(name: str) -> int:
    """Return how much memory this process has, or had at the most, in bytes."""
    (line,) = (line for line in _MEMORY.joinpath("status").read_text().splitlines() if line.startswith(name))
    return 1024 * int(line.split()[1])


def most_bytes_of_use(file_size: int) -> int:
    """Return the memory that a question to the forest of such a file may take: 40 bytes for all that it may claim."""
    return MOST_BYTES + 40 * max(FLOOR, RATE * file_size)


def check(found: Attempt, file_size: int, slack: int = 1) -> None:
    """Raise AssertionError if loading a file, or a question to its forest, took too much time or memory."""
    assert max(found.seconds, found.use.seconds) < slack * MOST_SECONDS, found
    assert found.n_bytes < slack * MOST_BYTES, found
    assert found.use.n_bytes < slack * most_bytes_of_use(file_size), found


def use(questions: Mapping[str, Callable[[], object]]) -> Use:
    """Ask questions; a strange forest may refuse, but not break."""
    most = Use()
    for question, ask in questions.items():
        measure = _Measure()
        with suppress(*REFUSALS):
            ask()
        most = most.joined(Use(*measure.taken(), question))
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    return most


def main(count: int) -> None:
    rng = np.random.default_rng(0)
    ends: Counter[str] = Counter()
    seconds, n_bytes, most = 0.0, 0, Use()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.fol"
        files = []
        for make in FORESTS.values():
            make().save(path)
            files.append(path.read_bytes())
        for number in range(count):
            faulthandler.dump_traceback_later(_HANGS, exit=True)
            content = mutant(files[number % len(files)], rng)
            found = attempt(path, content, mmap=number % 2 == 1, with_slow=True)
            check(found, len(content))
            ends[found.end] += 1
            seconds, n_bytes = max(seconds, found.seconds), max(n_bytes, found.n_bytes)
            most = most.joined(found.use)
            if (number + 1) % 10_000 == 0 or number + 1 == count:
                print(
                    f"{number + 1} files: {dict(ends)}; at the most {seconds:.2f} s, {n_bytes / 1e6:.1f} MB to load, "
                    f"{most.seconds:.2f} s, {most.n_bytes / 1e6:.1f} MB to ask",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]))

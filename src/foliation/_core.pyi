"""The C++ core; ``bindings/`` has a file for each of its parts."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[Any]  # (n, p), of a number type that the core knows
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Hashes = NDArray[np.uint64]

# ---- machine ----

class Isa(Enum):
    baseline = 0
    avx2 = 1
    avx512 = 2

def newest_isa() -> Isa: ...

class Machine:
    def __init__(self, n_threads: int) -> None: ...
    @property
    def isa(self) -> Isa: ...
    @property
    def n_threads(self) -> int: ...

def chain(key: int, part: int, /) -> int: ...
def root_key(seed: int, tree: int, /) -> int: ...

# ---- projections ----

class Weights(Enum):
    ones = 0
    signs = 1
    uniform = 2
    normal = 3
    gaussian = 4

class Border(Enum):
    pad = 0
    inside = 1

class PatchAxis:
    def __init__(self, *, side: int, min_size: int, max_size: int, wrap: bool, contiguous: bool) -> None: ...

class GridPlace:
    def __init__(self, *, first: int, pitch: int) -> None: ...

class Family: ...

class _Families:
    """A function for each family, named as it is; arguments are those of its ``make`` in ``core/projections``."""

    def __getattr__(self, name: str) -> Callable[..., Family]: ...

families: _Families

class BoxAxis:
    @property
    def start(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def chosen(self) -> Ints: ...

class BoxAtom:
    @property
    def boxes(self) -> list[list[BoxAxis]]: ...
    @property
    def weighted(self) -> bool: ...

class Dictionary:
    def __init__(self, members: Sequence[Family], cumulative: Floats, n_features: int, /) -> None: ...
    def draw(self, key: int, count: int, /) -> tuple[Longs, Ints]: ...
    def draw_with_numbers(self, key: int, count: int, /) -> tuple[Longs, Ints, Hashes]: ...
    def expand(self, words: Ints, /) -> tuple[Ints, Floats]: ...
    def expand_all(self, start: Longs, words: Ints) -> tuple[Longs, Ints, Floats]: ...
    def boxes(self, words: Ints, /) -> BoxAtom: ...
    @property
    def first_features(self) -> Longs: ...
    def unsigned_atoms(self, start: Longs, words: Ints) -> tuple[Longs, Longs]: ...
    def most_terms(self, start: Longs, words: Ints) -> float: ...

# ---- data ----

class Scan:
    @property
    def finite(self) -> bool: ...
    @property
    def whole(self) -> bool: ...
    @property
    def max_abs(self) -> float: ...

class DigestedScan:
    @property
    def scan(self) -> Scan: ...
    @property
    def digests(self) -> Hashes: ...

def scan(rows: Rows, machine: Machine) -> Scan: ...
def scan_and_digest(rows: Rows, machine: Machine) -> DigestedScan: ...
def first_bad_column(rows: Rows, /) -> int: ...

class Targets:
    def __init__(self, *, classes: Ints, values: Floats, class_start: Ints, n_outputs: int, n_columns: int) -> None: ...

class Samples:
    @property
    def rows(self) -> Ints: ...
    @property
    def weights(self) -> Floats: ...

class Sampling:
    def __init__(
        self,
        *,
        seed: int,
        n_rows: int,
        n_draws: int,
        bootstrap: bool,
        balanced_subsample: bool,
        structure_share: float,
        estimate_out_of_bag: bool,
        weights: Floats,
        groups: Ints,
    ) -> None: ...
    def rows(self, tree: int, /) -> Longs: ...
    def membership(self, n_trees: int, out_of_bag: bool, n_threads: int, /) -> Hashes: ...
    def structure_samples(self, tree: int, targets: Targets) -> Samples: ...
    def estimation_samples(self, tree: int, targets: Targets) -> Samples: ...

# ---- views ----

class SeriesGrid:
    def __init__(self, n_series: int, side: int, circle: bool, height: int, tube: bool, /) -> None: ...

class ViewOutline:
    @property
    def name(self) -> str: ...
    @property
    def length(self) -> int: ...
    @property
    def circle(self) -> bool: ...
    @property
    def label(self) -> str: ...
    @property
    def keeps_whole(self) -> bool: ...
    @property
    def frequencies(self) -> bool: ...

def view_outlines(grid: SeriesGrid) -> list[ViewOutline]: ...

class SeriesViews:
    def __init__(self, names: Sequence[str], grid: SeriesGrid, /) -> None: ...
    def rows(self, rows: Rows, scales: Floats, n_threads: int, /) -> Floats: ...
    def whole_rows(self, rows: Rows, scales: Floats, n_threads: int, /) -> NDArray[np.int16]: ...

# ---- growth ----

class Splitter(Enum):
    auto = 0
    exact = 1
    histogram = 2
    random = 3

class HonestPrior(Enum):
    ancestor = 0
    uniform = 1
    empirical = 2
    ignore = 3

class Limits:
    def __init__(
        self,
        *,
        max_depth: int,
        min_samples_split: int,
        min_samples_leaf: int,
        min_weight_fraction_leaf: float,
        min_balance: float,
        max_leaf_nodes: int,
        min_impurity_decrease: float,
    ) -> None: ...

class CriterionNames:
    """The names of all criteria, by what they read; ``of_clusters`` read the projected values instead of targets."""

    @property
    def of_classes(self) -> list[str]: ...
    @property
    def of_numbers(self) -> list[str]: ...
    @property
    def of_clusters(self) -> list[str]: ...

def criterion_names() -> CriterionNames: ...

class Rules:
    def __init__(
        self,
        *,
        criterion: str,
        variance_floor: float,
        prior: HonestPrior,
        splitter: Splitter,
        n_candidates: int,
        extra_candidates: int,
        limits: Limits,
    ) -> None: ...

class Scale:
    def __init__(self, max_abs: float, whole: bool) -> None: ...

class Plan:
    def __init__(
        self, dictionary: Dictionary, scale: Scale, targets: Targets, sampling: Sampling, rules: Rules
    ) -> None: ...

class GrownTrees:
    """The arrays of ``foliation.model.trees.Trees``."""

def grow(
    plan: Plan, rows: Rows, range: tuple[int, int], machine: Machine, tick: Callable[[int], bool] | None
) -> GrownTrees: ...

# ---- trees ----

class Trees:
    """All trees, by the arrays of ``foliation.model.trees.Trees``."""

    def __init__(self, **arrays: NDArray[Any]) -> None: ...
    def __len__(self) -> int: ...

class BorrowedLeaves:
    @property
    def leaf(self) -> Longs: ...
    @property
    def node(self) -> Longs: ...
    @property
    def start(self) -> Longs: ...
    @property
    def source(self) -> Longs: ...

class Importance(Enum):
    count = 0
    gain = 1

def check_trees(trees: Trees, dictionary: Dictionary, n_columns: int, class_start: Ints) -> None: ...
def most_terms(trees: Trees, dictionary: Dictionary) -> float: ...
def borrowed_leaves(trees: Trees, prior: HonestPrior) -> BorrowedLeaves: ...
def importance(dictionary: Dictionary, trees: Trees, kind: Importance) -> Floats: ...
def node_depths(trees: Trees, tree: int | None = None) -> tuple[Longs, Longs]: ...
def path_to_leaf(trees: Trees, tree: int, leaf: int) -> tuple[Ints, Ints]: ...
def leaves_below(trees: Trees, tree: int, node: int) -> Ints: ...
def atoms_of(trees: Trees, splits: Longs) -> tuple[Longs, Ints]: ...
def distinct_atoms(trees: Trees) -> tuple[Longs, Longs, Ints]: ...

class Router:
    def __init__(self, dictionary: Dictionary, trees: Trees, max_abs: float) -> None: ...
    def apply(self, rows: Rows, machine: Machine, /) -> Ints: ...
    def predict(self, rows: Rows, n_columns: int, machine: Machine, /) -> Floats: ...
    def predict_oob(self, rows: Rows, sampling: Sampling, n_columns: int, machine: Machine, /) -> Floats: ...

# ---- rows that share leaves ----

class _Compared:
    def near(
        self, leaves: Ints, bits: Hashes, rows: tuple[int, int], least: float, n_threads: int, /
    ) -> tuple[Longs, Ints, Floats]: ...
    def nearest(self, leaves: Ints, bits: Hashes, k: int, own: Longs, n_threads: int, /) -> tuple[Floats, Longs]: ...

class LeafIndex(_Compared):
    def __init__(self, leaves: Ints, bits: Hashes, leaf_start: Longs, n_threads: int, /) -> None: ...
    def n_pairs(self, leaves: Ints, bits: Hashes, /) -> float: ...

class DepthAffinity(_Compared):
    def __init__(self, leaves: Ints, bits: Hashes, trees: Trees, /) -> None: ...

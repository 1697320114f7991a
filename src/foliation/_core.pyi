"""The C++ core. Enumerations are passed by number; their order is that of the headers in ``core/``."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

def newest_isa() -> int: ...
def chain(key: int, part: int, /) -> int: ...
def root_key(seed: int, tree: int, /) -> int: ...

class Family: ...

class _Families:
    """A function for each family, named as it is; arguments are those of its ``make`` in ``core/projections``."""

    def __getattr__(self, name: str) -> Callable[..., Family]: ...

families: _Families

class Dictionary:
    def __init__(self, members: list[Family], cumulative: Floats, n_features: int, /) -> None: ...
    def draw(self, key: int, count: int, /) -> tuple[Longs, Ints]: ...
    def draw_with_numbers(self, key: int, count: int, /) -> tuple[Longs, Ints, NDArray[np.uint64]]: ...
    def expand(self, words: Ints, /) -> tuple[Ints, Floats]: ...

class Sampling:
    def __init__(
        self,
        seed: int,
        n_rows: int,
        n_draws: int,
        bootstrap: bool,
        balanced_subsample: bool,
        grow_share: float,
        fill_out_of_bag: bool,
        weights: Floats,
        groups: Ints,
        /,
    ) -> None: ...
    def rows(self, tree: int, /) -> Longs: ...
    def membership(self, n_trees: int, out_of_bag: bool, n_threads: int, /) -> NDArray[np.uint64]: ...
    def plan(
        self, tree: int, classes: Ints, n_outputs: int, n_columns: int, /
    ) -> tuple[Ints, Floats, Ints, Floats]: ...

class SeriesGrid:
    def __init__(self, n_series: int, side: int, circle: bool, height: int, tube: bool, /) -> None: ...

def view_outlines(grid: SeriesGrid, /) -> list[tuple[str, int, bool]]: ...

class SeriesViews:
    def __init__(self, names: list[str], grid: SeriesGrid, /) -> None: ...
    def rows(self, rows: NDArray[Any], scales: Floats, n_threads: int, /) -> Floats: ...
    def whole_rows(self, rows: NDArray[Any], scales: Floats, n_threads: int, /) -> NDArray[np.int16]: ...

def scan(rows: NDArray[Any], isa: int, n_threads: int, /) -> tuple[bool, bool, float]: ...
def first_bad_column(rows: NDArray[Any], /) -> int: ...
def fit(
    dictionary: Dictionary,
    rows: NDArray[Any],
    magnitude: tuple[bool, float],
    targets: dict[str, Any],
    sampling: Sampling,
    tree_range: tuple[int, int],
    rules: dict[str, Any],
    tick: Callable[[int], bool] | None,
) -> dict[str, NDArray[Any]]: ...
def apply(
    dictionary: Dictionary,
    max_abs: float,
    arrays: dict[str, NDArray[Any]],
    rows: NDArray[Any],
    isa_and_threads: tuple[int, int],
    /,
) -> Ints: ...
def predict(
    dictionary: Dictionary,
    max_abs: float,
    arrays: dict[str, NDArray[Any]],
    rows: NDArray[Any],
    isa_and_threads: tuple[int, int],
    n_columns: int,
    /,
) -> Floats: ...
def predict_oob(
    dictionary: Dictionary,
    max_abs: float,
    arrays: dict[str, NDArray[Any]],
    rows: NDArray[Any],
    isa_and_threads: tuple[int, int],
    n_columns: int,
    sampling: Sampling,
    /,
) -> Floats: ...
def check_forest(
    dictionary: Dictionary, arrays: dict[str, NDArray[Any]], n_columns: int, class_start: Ints, /
) -> None: ...
def borrowed_leaves(arrays: dict[str, NDArray[Any]], prior: int, /) -> tuple[Longs, Longs, Longs, Longs]: ...

class LeafIndex:
    """Rows by the leaves they reach; leaves are (trees, rows), bits are those of ``Sampling.membership`` or empty."""

    def __init__(self, leaves: Ints, bits: NDArray[np.uint64], leaf_start: Longs, n_threads: int, /) -> None: ...
    def n_pairs(self, leaves: Ints, bits: NDArray[np.uint64], /) -> float: ...
    def near(
        self,
        leaves: Ints,
        bits: NDArray[np.uint64],
        rows: tuple[int, int],
        least: float,
        n_threads: int,
        /,
    ) -> tuple[Longs, Ints, Floats]: ...
    def nearest(
        self, leaves: Ints, bits: NDArray[np.uint64], k: int, self_ids: Longs, n_threads: int, /
    ) -> tuple[Floats, Longs]: ...

def importance(dictionary: Dictionary, arrays: dict[str, NDArray[Any]], kind: int, /) -> Floats: ...

"""Strategies of hypothesis for forests that fit drawn data: families of projections, and all other parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from drawn_data import ROWS, SEEDS, SHAPES, Array, Shape, groups, labels, layouts, numbers, rows, weights
from hypothesis import strategies as st
from reference_clusters import CLUSTERS

import foliation as fo

Settings = dict[str, Any]


@dataclass(frozen=True)
class Problem:
    """An unfitted forest and what it is to be fitted on."""

    forest: Any
    X: Array
    y: Array | None
    weights: Array | None = None
    groups: Array | None = None

    def fitted(self, forest: Any = None) -> Any:
        """Fit the forest, or another one, on the data."""
        forest = self.forest if forest is None else forest
        if self.y is None:
            return forest.fit(self.X)
        return forest.fit(self.X, self.y, sample_weight=self.weights, groups=self.groups)

    @property
    def n_units(self) -> int:
        return len(self.X) if self.groups is None else len(np.unique(self.groups))


# ---- projections ----


@st.composite
def _patches(draw: st.DrawFn, shape: Shape) -> Any:
    contiguous = [draw(st.booleans()) or len(shape) == 1 for _ in shape]
    sizes = [sorted(draw(st.lists(st.integers(1, side), min_size=2, max_size=2))) for side in shape]
    return fo.Patches(
        min_size=[low for low, _ in sizes],
        max_size=[high for _, high in sizes],
        wrap=[ordered and draw(st.booleans()) for ordered in contiguous],
        contiguous=contiguous,
        border=draw(st.sampled_from(["pad", "inside"])),
        weights=draw(st.sampled_from(["ones", "ones", "signs", "uniform", "gaussian"])),
        contrast=draw(st.sampled_from([0.0, 0.5, 1.0])),
    )


@st.composite
def _views(draw: st.DrawFn, shape: Shape) -> Any:
    side = shape[-1]
    names = ["raw", *(["difference", "spectrum"] if side > 1 else [])]
    if len(shape) > 1 and side > 1:
        names += ["east", "west"]
    if len(shape) > 1 and shape[-2] > 1:
        names += ["relative", "south", "north", *(["relative_spectrum"] if side > 1 else [])]
    chosen = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    return fo.Patches(views=chosen, max_size=[min(2, side) for side in shape], contrast=draw(st.sampled_from([0, 0.5])))


@st.composite
def _kernels(draw: st.DrawFn, shape: Shape) -> Any:
    size = [draw(st.integers(1, min(3, side))) for side in shape]
    bank = np.random.default_rng(draw(SEEDS)).integers(-3, 4, size=(draw(st.integers(1, 3)), *size)).astype(float)
    bank.reshape(len(bank), -1)[:, 0] = 1.0
    return fo.Kernels(bank, wrap=draw(st.booleans()), border=draw(st.sampled_from(["pad", "inside"])))


@st.composite
def _neighborhoods(draw: st.DrawFn, shape: Shape) -> Any:
    p = math.prod(shape)
    graph = sp.csr_array(np.eye(p, k=1))
    few = st.lists(st.integers(1, min(4, p)), min_size=2, max_size=2).map(sorted)
    reach: Settings = {"hops": (0, draw(st.integers(0, 3)))} if draw(st.booleans()) else {"size": tuple(draw(few))}
    return fo.Neighborhoods(graph, weights=draw(st.sampled_from(["ones", "signs", "uniform", "gaussian"])), **reach)


@st.composite
def _atoms(draw: st.DrawFn, shape: Shape) -> Any:
    rng = np.random.default_rng(draw(SEEDS))
    matrix = rng.integers(-2, 3, size=(draw(st.integers(1, 5)), math.prod(shape))).astype(float)
    matrix[:, 0] = 1.0
    p = rng.dirichlet(np.ones(len(matrix))) if draw(st.booleans()) else None
    return fo.Atoms(sp.csr_array(matrix) if draw(st.booleans()) else matrix, p=p)


@st.composite
def _sparse(draw: st.DrawFn, shape: Shape) -> Any:
    p = math.prod(shape)
    how: Settings = draw(st.sampled_from([{"nonzeros": 1.5}, {"nonzeros": 4.0}, {"density": 0.2}]))
    some = draw(st.none() | st.lists(st.integers(0, p - 1), min_size=1, max_size=4, unique=True))
    return fo.Sparse(weights=draw(st.sampled_from(["signs", "normal", "uniform", "ones"])), features=some, **how)


def _families(shape: Shape) -> st.SearchStrategy[Any]:
    graphs = [_neighborhoods(shape)] if math.prod(shape) > 1 else []
    return st.one_of(st.just(fo.Axis()), _sparse(shape), _patches(shape), _kernels(shape), _atoms(shape), *graphs)


def projections(shape: Shape) -> st.SearchStrategy[Any]:
    """Any family with any parameters, a mixture, views, a preset, or the name of a family."""
    names = ["axis", "sparse", "patches", "series", *(["image", "channels"] if len(shape) > 1 else [])]
    mixture = st.lists(_families(shape), min_size=1, max_size=3).map(fo.Mixture)
    return st.one_of(st.none(), st.sampled_from(names), _families(shape), mixture, _views(shape))


# ---- the other parameters ----


LIMITS: list[Settings] = [
    {},
    {"max_depth": 1},
    {"max_depth": 4},
    {"min_samples_split": 6},
    {"min_samples_split": 0.2},
    {"min_samples_leaf": 3},
    {"min_samples_leaf": 0.05},
    {"min_weight_fraction_leaf": 0.05},
    {"min_impurity_decrease": 0.01},
    {"min_balance": 0.1},
    {"min_balance": 0.5},
]


HONEST: tuple[bool | float, ...] = (True, 0.3, 0.8)


@st.composite
def _supervised(
    draw: st.DrawFn, n_units: int, kind: type, honest_shares: tuple[bool | float, ...], *, plain_max_samples: bool
) -> Settings:
    bootstrap = draw(st.sampled_from([True, False, "auto"]))
    sizes = [None, draw(st.integers(min(2, n_units), n_units)), *([0.7] if plain_max_samples and n_units > 2 else [])]
    honest = draw(st.sampled_from(honest_shares)) if n_units > 1 else False
    fill = "oob" if honest is True and bootstrap is True and draw(st.booleans()) else "sample"
    priors = ["ancestor", "empirical", "ignore", *(["uniform"] if kind is fo.ForestClassifier else [])]
    criteria = ["gini", "entropy"] if kind is fo.ForestClassifier else ["squared_error"]
    return {
        "n_estimators": draw(st.integers(1, 3)),
        "criterion": draw(st.sampled_from(criteria)),
        "splitter": draw(st.sampled_from(["auto", "exact", "histogram", "random"])),
        "bootstrap": bootstrap,
        "max_samples": draw(st.sampled_from(sizes)),
        "honest": honest,
        "honest_fill": fill,
        "honest_prior": draw(st.sampled_from(priors)),
        "max_features": draw(st.sampled_from([None, "sqrt", "log2", 1, 3, 0.3])),
        "random_state": draw(SEEDS),
        "n_jobs": draw(st.sampled_from([None, 2])),
    }


@st.composite
def _class_weight(draw: st.DrawFn, y: Array) -> Any:
    chosen = draw(st.sampled_from([None, None, "balanced", "balanced_subsample", "by class"]))
    if chosen != "by class" or y.ndim == 2:
        return None if chosen == "by class" else chosen
    return {label: 0.5 + number for number, label in enumerate(np.unique(y).tolist())}


@st.composite
def supervised(
    draw: st.DrawFn,
    *,
    exact: bool = False,
    projected: Any = None,
    kinds: tuple[type, ...] = (fo.ForestClassifier, fo.ForestRegressor),
    honest: tuple[bool | float, ...] = (False, False, *HONEST),
) -> Problem:
    """A classifier or a regressor with drawn parameters, on drawn rows, targets, weights and groups.

    ``exact`` draws rows of which all sums are exact, so that the order of summation cannot matter.
    """
    shape, n = draw(SHAPES), draw(ROWS)
    family = draw(projections(shape)) if projected is None else projected
    single = family in ("axis",) or isinstance(family, fo.Axis)
    X = draw(layouts())(draw(rows(n, shape, exact=exact and not single)))
    grouped = draw(groups(n)) if n > 3 and draw(st.integers(0, 4)) == 0 else None
    w = draw(weights(n, zeros=grouped is None))
    kind = draw(st.sampled_from(kinds))
    n_units = n if grouped is None else len(np.unique(grouped))
    plain = w is None and grouped is None
    settings = draw(_supervised(n_units, kind, honest, plain_max_samples=plain))
    settings |= draw(st.just({}) | st.sampled_from(LIMITS))
    y = draw(labels(n) if kind is fo.ForestClassifier else numbers(n))
    if kind is fo.ForestClassifier:
        settings["class_weight"] = draw(_class_weight(y))
        if settings["class_weight"] is not None and settings["max_samples"] == 0.7:
            settings["max_samples"] = None  # a share of the weights, which may pass the number of rows
    forest: Any = kind(projections=family, **settings)
    return Problem(forest, X, y, w, grouped)


@st.composite
def geodesic(draw: st.DrawFn, *, exact: bool = False, criteria: tuple[str, ...] = CLUSTERS) -> Problem:
    """A geodesic forest with drawn parameters on drawn rows."""
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple))
    n = draw(st.integers(15, 40) | st.integers(2, 40))
    X = draw(layouts())(draw(rows(n, shape, exact=exact)))
    forest = fo.GeodesicForest(
        draw(st.integers(1, 2)),
        criterion=draw(st.sampled_from(criteria)),
        projections=draw(projections(shape)),
        splitter=draw(st.sampled_from(["auto", "exact"])),
        max_features=draw(st.sampled_from(["sqrt", None, 2])),
        min_samples_split=draw(st.sampled_from([None, 2, 6])),
        min_samples_leaf=draw(st.sampled_from([1, 2, 4])),
        patience=draw(st.sampled_from([0.0, 1.0, 5.0])),
        bootstrap=draw(st.booleans()),
        n_neighbors=draw(st.integers(1, 3)),
        random_state=draw(SEEDS),
    )
    return Problem(forest, X, None)

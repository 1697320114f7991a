"""Arrays in any layout give the bits of plain ones: what is not aligned is copied, and the core refuses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import foliation as fo
from foliation import _core
from foliation.data.rows import native

Numbers = NDArray[Any]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 4))
Y = X[:, 0] + X[:, 1]
WEIGHTS = RNG.uniform(0.5, 2.0, size=30)
GROUPS = np.arange(30) // 3


def field_of_packed_records(array: Numbers) -> Numbers:
    records = np.zeros(len(array), np.dtype([("flag", "u1"), ("x", array.dtype, array.shape[1:])]))
    records["x"] = array
    return records["x"]


def behind_one_byte(array: Numbers) -> Numbers:
    return np.frombuffer(b"." + array.tobytes(), dtype=array.dtype, offset=1).reshape(array.shape)


LAYOUTS: dict[str, Callable[[Numbers], Numbers]] = {
    "packed": field_of_packed_records,
    "offset": behind_one_byte,
    "swapped": lambda array: array.astype(array.dtype.newbyteorder()),
    "swapped offset": lambda array: behind_one_byte(array.astype(array.dtype.newbyteorder())),
    "reversed": lambda array: np.ascontiguousarray(array[::-1])[::-1],
    "every second": lambda array: np.repeat(array, 2, axis=0)[::2],
    "Fortran": np.asfortranarray,
    "read-only": lambda array: np.broadcast_to(array, array.shape),
}
UNALIGNED = ("packed", "offset", "swapped offset")

CALLS: dict[str, Callable[[Any, Callable[[Numbers], Numbers]], Any]] = {
    "predict": lambda forest, form: forest.predict(form(X)),
    "apply": lambda forest, form: forest.apply(form(X)),
    "score": lambda forest, form: forest.score(form(X), form(Y), sample_weight=form(WEIGHTS)),
    "proximity": lambda forest, form: forest.proximity(form(X), form(X[:7])).toarray(),
    "kneighbors": lambda forest, form: forest.kneighbors(form(X))[0],
    "transform": lambda forest, form: forest.transform(form(X)).toarray(),
    "leaf_weights": lambda forest, form: forest.leaf_weights(form(X)).toarray(),
}


def identity(array: Numbers) -> Numbers:
    return array


def grown(form: Callable[[Numbers], Numbers], **parameters: Any) -> fo.ForestRegressor:
    forest = fo.ForestRegressor(3, random_state=0, **parameters)
    return forest.fit(form(X), form(Y), sample_weight=form(WEIGHTS), groups=form(GROUPS))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "int16", "uint8", "int64", "bool"])
def test_rows_reach_the_core_aligned(layout: str, dtype: str) -> None:
    array = (10 * np.abs(X)).astype(dtype)
    given = LAYOUTS[layout](array)
    if layout in UNALIGNED and array.itemsize > 1:
        assert not given.flags.aligned
    held = native(given)
    assert held.flags.aligned and held.dtype.isnative
    np.testing.assert_array_equal(held, array)
    assert _core.scan(held, _core.Machine(1)).max_abs == array.max()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "projections", ["axis", fo.Sparse(), fo.Patches(max_size=2)], ids=["axis", "sparse", "patches"]
)
def test_fits(layout: str, projections: Any) -> None:
    found = grown(LAYOUTS[layout], projections=projections).predict(X)
    np.testing.assert_array_equal(found, grown(identity, projections=projections).predict(X))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("call", CALLS)
def test_calls_on_rows(layout: str, call: str) -> None:
    forest = grown(identity)
    np.testing.assert_array_equal(CALLS[call](forest, LAYOUTS[layout]), CALLS[call](forest, identity))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_other_estimators(layout: str) -> None:
    form = LAYOUTS[layout]
    classes = (Y > 0).astype(int)
    a = fo.ForestClassifier(3, random_state=0).fit(form(X), form(classes)).predict_proba(form(X))
    b = fo.ForestClassifier(3, random_state=0).fit(X, classes).predict_proba(X)
    np.testing.assert_array_equal(a, b)
    geodesic = [
        fo.GeodesicForest(3, random_state=0).fit(each(X)).proximity(each(X)).toarray() for each in (form, identity)
    ]
    np.testing.assert_array_equal(geodesic[0], geodesic[1])


# ---- the core itself ----


def sampling(weights: Numbers) -> _core.Sampling:
    return _core.Sampling(
        seed=0,
        n_rows=30,
        n_draws=30,
        bootstrap=True,
        balanced_subsample=False,
        structure_share=1.0,
        estimate_out_of_bag=False,
        weights=weights,
        groups=np.empty(0, np.int32),
    )


@pytest.mark.parametrize("unaligned", [field_of_packed_records, behind_one_byte])
def test_the_core_refuses_what_is_not_aligned(unaligned: Callable[[Numbers], Numbers]) -> None:
    machine = _core.Machine(1)
    with pytest.raises(ValueError, match="not aligned"):
        _core.scan(unaligned(X), machine)
    assert _core.scan(unaligned(X.astype(np.uint8)), machine).finite  # bytes always are


def test_the_core_refuses_vectors_that_are_not_aligned() -> None:
    with pytest.raises(ValueError, match="not aligned"):
        sampling(behind_one_byte(WEIGHTS))
    trees = grown(identity).model_.trees.arrays()
    for name, array in trees.items():
        if array.itemsize > 1:
            with pytest.raises(ValueError, match="not aligned"):
                _core.Trees(**{**trees, name: behind_one_byte(array)})


@pytest.mark.parametrize("array", [WEIGHTS.astype(np.float32), WEIGHTS[::-1], WEIGHTS.astype(">f8"), X, None, [1.0]])
def test_the_core_refuses_vectors_of_another_form(array: Any) -> None:
    with pytest.raises(TypeError, match="incompatible function arguments"):
        sampling(array)

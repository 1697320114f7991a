"""Small fits and predictions go around what takes longer than they do, and nobody can tell by the results."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from outcomes import outcome
from refusals import IMAGES, X, Y, classifier, regressor
from sklearn.base import clone

from foliation import Axis, ForestClassifier, Patches, _core
from foliation.data import rows
from foliation.estimators import forest as forest_module

NAMED = pd.DataFrame(X, columns=list("abcdef"))
WHOLE = (10 * X).round()
NAN = np.where(np.arange(6) == 3, np.nan, X)


def as_matrix(rows: NDArray[Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # NumPy still has this class
        return np.asmatrix(rows)


def both_ways(call: Callable[[], Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the outcome as it is, and with everything shown to scikit-learn's validation."""
    never = mock.Mock(return_value=False)
    with (
        mock.patch.object(rows, "_is_plain_target", never),
        mock.patch.object(forest_module, "is_plain", never),
    ):
        validated = outcome(call)
    return outcome(call), validated


def fitted_state(forest: Any) -> dict[str, Any]:
    """Return all that a model holds but its projections, which are objects of their own."""
    model = forest.model_
    names = [
        one.name for one in fields(model) if one.name not in ("projections", "targets", "sampling", "training", "trees")
    ]
    parts = {name: vars(getattr(model, name)) for name in ("targets", "sampling")}
    found: dict[str, Any] = {name: getattr(model, name) for name in names}
    return {**found, **parts, **model.trees.arrays()}


# ---- rows and targets that need no validation, and those that do ----

ROWS: dict[str, Any] = {
    "float64": X,
    "float32": X.astype(np.float32),
    "float16": X.astype(np.float16),
    "big endian": X.astype(">f8"),
    "int64": WHOLE.astype(np.int64),
    "int8": WHOLE.astype(np.int8),
    "uint8": np.abs(WHOLE).astype(np.uint8),
    "uint16": np.abs(WHOLE).astype(np.uint16),
    "bool": X > 0,
    "object": X.astype(object),
    "text": X.astype("U9"),
    "complex": X + 1j,
    "Fortran order": np.asfortranarray(X),
    "backwards": X[::-1, ::-1],
    "unaligned": np.frombuffer(b"." + X.tobytes(), np.uint8)[1:].view(np.float64).reshape(X.shape),
    "packed": np.zeros(20, [("x", "f8", 6), ("y", "i1")])["x"],
    "one row": X[:1],
    "images": IMAGES,
    "one image": IMAGES[:1],
    "wrong images": X.reshape(20, 3, 2),
    "no row": X[:0],
    "no feature": X[:, :0],
    "five features": X[:, :5],
    "one dimension": X[0],
    "list": X.tolist(),
    "matrix": as_matrix(X),
    "masked": np.ma.masked_array(X),
    "sparse": sp.csr_array(X),
    "frame": NAMED,
    "other names": NAMED.rename(columns={"a": "z"}),
    "NaN": NAN,
    "infinity": np.where(X > 2, np.inf, X).astype(np.float32),
    "too large": X * 1e300,
    "too large an integer": WHOLE.astype(np.int64) * 2**54,
}
FORESTS = {
    "rows": classifier().fit(X, Y),
    "images": classifier().fit(IMAGES, Y),
    "frame": classifier().fit(NAMED, Y),
    "one line": classifier(projections=Patches(shape=(1, 6))).fit(X, Y),
    "numbers": regressor().fit(X, X[:, 0]),
    "several outputs": classifier().fit(X, np.c_[Y, np.arange(20) % 3]),
}
TARGETS: dict[str, Any] = {
    "int64": Y,
    "bool": Y > 0,
    "text": np.where(Y, "yes", "no"),
    "objects": np.where(Y, "yes", "no").astype(object),
    "bytes": np.where(Y, b"yes", b"no"),
    "mixed": np.where(Y, "yes", None),  # type: ignore[call-overload]
    "float64": Y.astype(np.float64),
    "numbers": X[:, 0],
    "NaN": np.where(Y, np.nan, 1.0),
    "infinity": np.where(Y, np.inf, 1.0),
    "complex": Y + 1j,
    "dates": np.zeros(20, "datetime64[s]"),
    "a column": Y[:, None],
    "two columns": np.c_[Y, 1 - Y],
    "three dimensions": Y.reshape(20, 1, 1),
    "too few": Y[:19],
    "one class": np.zeros(20, int),
    "all different": np.arange(20),
    "half different": np.arange(20) // 2,
    "list": Y.tolist(),
    "series": pd.Series(Y),
    "sparse": sp.csr_array(Y[:, None]),
    "none": None,
}


@pytest.mark.parametrize("method", ["predict", "apply"])
@pytest.mark.parametrize("forest", FORESTS.values(), ids=FORESTS)
@pytest.mark.parametrize("given", ROWS.values(), ids=ROWS)
def test_predictions(given: Any, forest: Any, method: str) -> None:
    found, validated = both_ways(lambda: getattr(forest, method)(given))
    np.testing.assert_equal(found, validated)


@pytest.mark.parametrize("forest", [classifier(), regressor()], ids=["classifier", "regressor"])
@pytest.mark.parametrize("given", ROWS.values(), ids=ROWS)
def test_fits_on_rows(given: Any, forest: Any) -> None:
    y = np.zeros(np.shape(given)[:1] or 1, int) + np.arange(np.shape(given)[0]) % 2
    found, validated = both_ways(lambda: fitted_state(clone(forest).fit(given, y)))
    np.testing.assert_equal(found, validated)


@pytest.mark.parametrize("forest", [classifier(), regressor()], ids=["classifier", "regressor"])
@pytest.mark.parametrize("given", TARGETS.values(), ids=TARGETS)
def test_fits_on_targets(given: Any, forest: Any) -> None:
    found, validated = both_ways(lambda: fitted_state(clone(forest).fit(X, given)))
    np.testing.assert_equal(found, validated)


def test_plain_arrays_are_not_validated() -> None:
    with mock.patch.object(forest_module, "validate_data", side_effect=AssertionError):
        for plain in (X, X.astype(np.float32), WHOLE.astype(np.int64), X > 0, IMAGES, np.asfortranarray(X)):
            forest = classifier().fit(plain, Y)
            forest.predict(plain[:1])
            with pytest.raises(AssertionError):
                forest.predict(plain[:1].astype(object))


def test_a_fit_without_names_forgets_names() -> None:
    forest = classifier().fit(NAMED, Y).fit(X[:, :4], Y)
    assert not hasattr(forest, "feature_names_in_")
    assert forest.n_features_in_ == 4
    assert outcome(lambda: forest.predict(X[:1, :4])[0])[1] == []


# ---- what is known from the fit ----


def test_projections_are_worked_out_once() -> None:
    forest = classifier(projections=Patches(max_size=2)).fit(IMAGES, Y)
    expected, before = forest.predict_proba(IMAGES), dict(vars(forest))
    with mock.patch.object(Patches, "members", side_effect=AssertionError):
        np.testing.assert_array_equal(forest.predict_proba(IMAGES), expected)
    assert vars(forest) == before


@pytest.mark.parametrize("copied", [lambda forest: pickle.loads(pickle.dumps(forest)), copy.copy, copy.deepcopy])
def test_copies_work_them_out_again(copied: Callable[[Any], Any]) -> None:
    forest = classifier(projections=Patches(max_size=2)).fit(IMAGES, Y)
    other = copied(forest)
    assert copied is copy.copy or "dictionary" not in vars(other.model_)
    np.testing.assert_array_equal(other.predict_proba(IMAGES), forest.predict_proba(IMAGES))
    again = pickle.loads(pickle.dumps(other))
    np.testing.assert_equal(fitted_state(again), fitted_state(other))


def test_another_fit_works_them_out_again() -> None:
    forest = classifier(projections=Patches(max_size=2)).fit(IMAGES, Y)
    again = forest.set_params(projections=Axis()).fit(X[:, :4], Y)
    fresh = classifier(projections=Axis()).fit(X[:, :4], Y)
    np.testing.assert_array_equal(again.predict_proba(X[:, :4]), fresh.predict_proba(X[:, :4]))


# ---- threads, seeds, parameters ----


def test_one_block_of_rows_takes_one_thread() -> None:
    threads = classifier(n_jobs=3)._machine
    assert threads(256).n_threads == 1
    assert threads(257).n_threads == threads().n_threads == 3
    forest = classifier(n_jobs=-1).fit(X, Y)
    with mock.patch("joblib.effective_n_jobs", side_effect=AssertionError):
        forest.predict(X)


@pytest.mark.parametrize("n_rows", [1, 20])
def test_no_thread_at_all_is_refused(n_rows: int) -> None:
    forest = classifier().fit(X, Y).set_params(n_jobs=0)
    with pytest.raises(ValueError, match="n_jobs == 0"), mock.patch.object(_core, "Router") as predict:
        forest.predict(X[:n_rows])
    assert not predict.called


class Doubtful(ForestClassifier):
    """A classifier of a user, with a parameter more and most of ours left alone."""

    def __init__(self, doubt: float = 0.5, *, n_estimators: int = 3, random_state: Any = 0) -> None:
        super().__init__(n_estimators, random_state=random_state)
        self.doubt = doubt


def test_parameters_of_a_users_class() -> None:
    forest = Doubtful(0.25)
    assert forest.get_params() == {"doubt": 0.25, "n_estimators": 3, "random_state": 0}
    assert clone(forest).doubt == 0.25
    assert "criterion" in ForestClassifier().get_params()
    expected: NDArray[np.float64] = FORESTS["rows"].predict_proba(X)
    np.testing.assert_array_equal(forest.fit(X, Y).predict_proba(X), expected)

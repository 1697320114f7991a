"""A loaded forest is the one that was saved; what a file cannot hold is refused when it is saved."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mutated
import numpy as np
import pytest
from model_files import Header, header_of, rewrite
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score

import foliation as fo
from foliation.io.model_file import read_file
from foliation.io.schema import Stored

pytestmark = pytest.mark.filterwarnings("ignore:no feature departs")
NEW = np.random.default_rng(1).standard_normal((40, 6, 5))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.fol"


def rows_for(forest: Any) -> Any:
    return NEW.reshape(40, *forest.grid_shape_)


@pytest.mark.parametrize("mmap", [False, True], ids=["read", "mapped"])
@pytest.mark.parametrize("name", mutated.FORESTS)
def test_a_loaded_forest_is_the_same(name: str, mmap: bool, path: Path) -> None:
    forest = mutated.FORESTS[name]()
    forest.save(path)
    loaded = fo.load(path, mmap=mmap)
    assert type(loaded) is type(forest)
    rows = rows_for(forest)
    np.testing.assert_array_equal(forest.apply(rows), loaded.apply(rows))
    np.testing.assert_array_equal(forest.importance(), loaded.importance())
    assert (forest.proximity() != loaded.proximity()).nnz == 0
    np.testing.assert_array_equal(forest.kneighbors(rows)[1], loaded.kneighbors(rows)[1])
    assert str(forest.tree(1)) == str(loaded.tree(1))
    assert forest.__getstate__().keys() == loaded.__getstate__().keys()
    if hasattr(forest, "predict"):
        np.testing.assert_array_equal(forest.predict(rows), loaded.predict(rows))
        assert (forest.leaf_weights(rows) != loaded.leaf_weights(rows)).nnz == 0


@pytest.mark.parametrize("name", mutated.FORESTS)
def test_parameters_come_back(name: str, path: Path) -> None:
    forest = mutated.FORESTS[name]()
    forest.save(path)
    loaded = fo.load(path)
    if name != "mixture":  # its generator of random numbers says where it lies in memory
        assert repr(loaded) == repr(forest) == repr(clone(loaded))
    else:
        assert loaded.random_state.randint(1 << 30) == forest.random_state.randint(1 << 30)


def test_what_was_found_out_of_the_bag_comes_back(path: Path) -> None:
    forest = mutated.FORESTS["sparse"]()
    forest.save(path)
    loaded = fo.load(path)
    assert loaded.oob_score_ == forest.oob_score_
    np.testing.assert_array_equal(loaded.oob_decision_function_, forest.oob_decision_function_)
    assert loaded.classes_.tolist() == ["0", "1", "2"]
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    regression = fo.ForestRegressor(30, oob_score=True, random_state=0).fit(X, y)
    regression.save(path)
    again = fo.load(path)
    np.testing.assert_array_equal(again.oob_prediction_, regression.oob_prediction_)
    assert again.feature_names_in_.tolist() == list(X.columns)
    with pytest.raises(ValueError, match="names"):
        again.predict(X.rename(columns={"age": "years"}))


def test_trees_can_be_added_to_a_loaded_forest(path: Path) -> None:
    whole = fo.ForestClassifier(6, random_state=0).fit(mutated.FLAT, mutated.Y)
    part = fo.ForestClassifier(4, random_state=0, warm_start=True).fit(mutated.FLAT, mutated.Y)
    part.save(path)
    more = fo.load(path).set_params(n_estimators=6).fit(mutated.FLAT, mutated.Y)
    rows = rows_for(whole)
    np.testing.assert_array_equal(more.predict_proba(rows), whole.predict_proba(rows))


def test_a_mapped_forest_can_be_saved_over_its_own_file(path: Path) -> None:
    forest = mutated.FORESTS["patches"]()
    forest.save(path)
    mapped = fo.load(path, mmap=True)
    mapped.save(path)
    np.testing.assert_array_equal(fo.load(path).predict(NEW), forest.predict(NEW))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(mapped)).predict(NEW), forest.predict(NEW))


def test_the_same_forest_has_the_same_bytes(path: Path) -> None:
    mutated.FORESTS["views"]().save(path)
    first = path.read_bytes()
    mutated.FORESTS["views"]().save(path)
    assert path.read_bytes() == first


def test_code_and_unknown_classes_are_not_saved(path: Path) -> None:
    class Own(fo.ForestClassifier):
        pass

    forest = fo.ForestClassifier(20, oob_score=accuracy_score, random_state=0).fit(mutated.FLAT, mutated.Y)
    with pytest.raises(TypeError, match=r"oob_score=.*accuracy_score.*no code"):
        forest.save(path)
    with pytest.raises(TypeError, match="Own cannot be saved: expected one of"):
        Own(2).fit(mutated.FLAT, mutated.Y).save(path)
    with pytest.raises(ValueError, match="not fitted"):
        fo.ForestClassifier().save(path)
    for strange in ({"random_state": np.random.RandomState(np.random.PCG64(3))}, {"class_weight": {0: 10**30}}):
        with pytest.raises(TypeError, match="cannot be saved"):
            fo.ForestClassifier(2, **strange).fit(mutated.FLAT, mutated.Y * 0).save(path)
    assert not list(path.parent.iterdir())


INVALID: dict[str, tuple[Callable[[Header], object], str]] = {
    "no state": (lambda header: header["model"].pop("state"), "missing fields of the header"),
    "no name": (lambda header: header["model"].update(forest=3), "invalid name of the estimator"),
    "a list": (lambda header: header["model"].update(parameters=[]), "invalid parameters or state"),
    "an unknown estimator": (
        lambda header: header["model"].update(forest="Svm"),
        "unknown estimator 'Svm'; expected one",
    ),
    "an unknown parameter": (
        lambda header: header["model"]["parameters"].update(depth=3),
        "unknown parameter 'depth' of ForestClassifier",
    ),
    "an invalid parameter": (lambda header: header["model"]["parameters"].update(n_estimators=0), "'n_estimators'"),
    "an estimator of numbers": (lambda header: header["model"].update(forest="ForestRegressor"), "'class_weight'"),
}


@pytest.mark.parametrize("name", INVALID)
def test_a_file_that_makes_no_forest_is_refused(name: str, path: Path) -> None:
    change, message = INVALID[name]
    mutated.FORESTS["axis"]().save(path)
    rewrite(path, change)
    with pytest.raises(ValueError, match=rf"model\.fol is damaged: .*{message}"):
        fo.load(path)


def test_a_forest_that_does_not_fit_into_memory_says_so(path: Path) -> None:
    def make(_: Stored) -> Any:
        raise MemoryError

    mutated.FORESTS["axis"]().save(path)
    with pytest.raises(MemoryError, match=r"model\.fol holds a forest that does not fit into memory"):
        read_file(path, mapped=False, make=make)


def test_a_missing_parameter_has_its_default(path: Path) -> None:
    mutated.FORESTS["axis"]().save(path)
    rewrite(path, lambda header: header["model"]["parameters"].pop("max_depth"))
    assert fo.load(path).max_depth is None


def test_the_file_says_which_release_wrote_it(path: Path) -> None:
    mutated.FORESTS["axis"]().save(path)
    assert header_of(path)["model"]["foliation"] == fo.__version__


def test_a_file_is_small(path: Path) -> None:
    digits = load_digits()
    ours = fo.ForestClassifier(100, projections="axis", random_state=0).fit(digits.data, digits.target)
    theirs = RandomForestClassifier(100, random_state=0).fit(digits.data, digits.target)
    ours.save(path)
    assert path.stat().st_size < len(pickle.dumps(theirs)) / 2.5

"""Model files: what comes back, what is refused, and that nothing is ever half-written."""

from __future__ import annotations

import json
import pickle
import tracemalloc
from pathlib import Path
from typing import Any

import mutated
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits
from sklearn.metrics import accuracy_score

import foliation as fo

NEW = np.random.default_rng(1).standard_normal((40, 6, 5))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.fol"


def rows_for(forest: Any) -> Any:
    return NEW.reshape(40, *forest.model_.grid.shape)


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


@pytest.mark.parametrize("form", [sp.dok_array, sp.lil_array, sp.coo_matrix, sp.csc_matrix])
def test_sparse_matrices_of_all_forms_come_back(form: Any, path: Path) -> None:
    for projections in (fo.Neighborhoods(form(mutated.RING)), fo.Atoms(form(mutated.RING))):
        forest = fo.ForestClassifier(5, projections=projections, random_state=0).fit(mutated.FLAT, mutated.Y)
        forest.save(path)
        np.testing.assert_array_equal(fo.load(path).predict_proba(mutated.FLAT), forest.predict_proba(mutated.FLAT))


def test_a_file_is_written_whole_or_not_at_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forest = mutated.FORESTS["axis"]()
    forest.save(path)
    before = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        mutated.FORESTS["patches"]().save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_files_that_are_none_are_refused(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        fo.load(path)
    for content in (b"", b"short", pickle.dumps(mutated.FORESTS["axis"]()), bytes(1000)):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is not a model file of foliation"):
            fo.load(path)
    with pytest.raises(OSError, match=r"."):
        fo.load(path.parent)


def test_damage_is_noticed(path: Path) -> None:
    mutated.FORESTS["axis"]().save(path)
    whole = path.read_bytes()
    for length in (*range(0, len(whole), 97), len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"damaged|not a model file"):
            fo.load(path)
    for at in range(16, len(whole), 61):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        with pytest.raises(ValueError, match="damaged"):
            fo.load(path)
    path.write_bytes(whole[:8] + b"\x02" + whole[9:])
    with pytest.raises(ValueError, match=r"version 2\.1 of the format; expected version 1\.x"):
        fo.load(path)


def changed(path: Path, change: Any) -> None:
    """Change the header of a file, and make its checksum fit."""
    file = path.read_bytes()
    size = mutated.FRONT.unpack_from(file)[4]
    header = json.loads(file[mutated.FRONT.size : mutated.FRONT.size + size])
    change(header)
    text = json.dumps(header, separators=(",", ":")).encode()
    assert len(text) <= size
    path.write_bytes(mutated.sealed(text.ljust(size), file[mutated.FRONT.size + size :]))


def overwrite(path: Path, name: str, at: int, value: float) -> None:
    """Put a number into one of the arrays of the trees, and make the checksum fit."""
    file = bytearray(path.read_bytes())
    size = mutated.FRONT.unpack_from(file)[4]
    header = json.loads(file[mutated.FRONT.size : mutated.FRONT.size + size])
    number = dict(header["model"]["state"]["trees"]["dict"])[name]["array"]
    entry = header["arrays"][number]
    array = np.frombuffer(file, entry["type"], count=entry["shape"][0], offset=entry["at"])
    array[at] = value
    path.write_bytes(mutated.sealed(bytes(file[mutated.FRONT.size :][:size]), bytes(file[mutated.FRONT.size + size :])))


@pytest.mark.parametrize(
    ("name", "at", "value", "complaint"),
    [
        ("children", 0, 0, "a child is not one of the later splits in tree 0"),
        ("children", 0, 10_000, "a child is not one of the later splits in tree 0"),
        ("children", 0, -10_000, "a child is no leaf in tree 0"),
        ("threshold", 1, np.nan, "a threshold is not finite in tree 0"),
        ("gain", 0, np.inf, "a gain is not finite in tree 0"),
        ("gain_unit", 1, 0.0, "the unit of gains is no positive number in tree 1"),
        ("atom_words", 0, 30, "an atom is none of the projections in tree 0"),
        ("atom_words", 0, -1, "an atom is none of the projections in tree 0"),
        ("split_start", 0, 1, "offsets of splits do not fit"),
        ("leaf_start", 1, 2**60, "offsets of leaves do not fit"),
        ("value_start", 1, -5, "offsets of values do not fit"),
        ("value_column", 0, 3, "a column of a leaf's values is out of range in tree 0"),
        ("value", 0, 0.5, "shares of a leaf do not add up to one in tree 0"),
        ("value", 0, -1.0, "a share of a leaf is negative in tree 0"),
        ("leaf_weight", 0, np.nan, "the weight of a leaf is not a finite number from 0 on in tree 0"),
    ],
)
def test_hostile_arrays_are_refused(name: str, at: int, value: float, complaint: str, path: Path) -> None:
    mutated.FORESTS["axis"]().save(path)
    overwrite(path, name, at, value)
    with pytest.raises(ValueError, match=complaint):
        fo.load(path)


def test_a_huge_claim_takes_no_memory(path: Path) -> None:
    forest = fo.ForestClassifier(1, projections=fo.Patches(), max_depth=1, random_state=0).fit(mutated.X, mutated.Y)
    forest.save(path)

    def grow(header: Any) -> None:
        header["model"]["state"]["row_shape"] = {"tuple": [40_000, 50_000]}
        del header["model"]["parameters"]["verbose"]  # to make room: what is not there has its default

    changed(path, grow)
    tracemalloc.start()
    try:
        fo.load(path)  # a small forest of huge images is a forest
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()

    def exceed(header: Any) -> None:
        header["arrays"][0]["shape"] = [1 << 40]
        del header["model"]["parameters"]["warm_start"]

    changed(path, exceed)
    with pytest.raises(ValueError, match="invalid type, shape or offset of an array"):
        fo.load(path)


def test_deep_nesting_is_refused(path: Path) -> None:
    header = b'{"model":' + b"[" * 50_000 + b"]" * 50_000 + b',"arrays":[]}'
    path.write_bytes(mutated.sealed(header, b""))
    with pytest.raises(ValueError, match="damaged"):
        fo.load(path)


@pytest.mark.filterwarnings("ignore")
def test_mutated_files_never_break_anything(path: Path) -> None:
    files = []
    for make in mutated.FORESTS.values():
        make().save(path)
        files.append(path.read_bytes())
    rng = np.random.default_rng(1)
    found = [mutated.attempt(path, mutated.mutant(files[k % len(files)], rng), mmap=k % 2 == 1) for k in range(2000)]
    ends = [one.end for one in found]
    assert set(ends) <= {"ValueError", "OSError", "loaded"}
    assert ends.count("ValueError") > 1000
    assert max(one.n_bytes for one in found) < mutated.MOST_BYTES


def test_a_file_is_small(path: Path) -> None:
    digits = load_digits()
    from sklearn.ensemble import RandomForestClassifier

    ours = fo.ForestClassifier(100, projections="axis", random_state=0).fit(digits.data, digits.target)
    theirs = RandomForestClassifier(100, random_state=0).fit(digits.data, digits.target)
    ours.save(path)
    assert path.stat().st_size < len(pickle.dumps(theirs)) / 2.5

"""Model files age: old ones are brought to the present version, newer ones are read as far as they can be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mutated
import numpy as np
import pytest
from golden import FILES, assert_predicts_as_written
from model_files import Header, header_of, rewrite

import foliation as fo
from foliation.io import migrations, schema
from foliation.io.migrations import migrated

FIRST = [path for path in FILES if path.parent.name == "0.1.0"]


# ---- older files ----


def test_fields_that_only_some_forests_had_are_lifted_from_1_0() -> None:
    sampling = {"n_rows": 3, "grow_share": 0.5, "fill_out_of_bag": True}
    more = {"oob_score_": 0.75, "feature_names_in_": "names", "criterion_": "gini", "screened_": "mask"}
    assert migrated({"seed": 1, "sampling": sampling, "more": more}, {"criterion": "entropy"}, (1, 0))[0] == {
        "seed": 1,
        "sampling": {"n_rows": 3, "structure_share": 0.5, "estimate_out_of_bag": True},
        "feature_names": "names",
        "oob_score": 0.75,
        "criterion": "gini",
        "screened": "mask",
    }


def test_a_criterion_that_1_0_did_not_store_is_that_of_the_parameters() -> None:
    state, parameters = migrated({"sampling": {}, "more": {}}, {"criterion": "entropy"}, (1, 0))
    assert state["criterion"] == parameters["criterion"] == "entropy"
    assert state["feature_names"] is state["oob_score"] is state["screened"] is None


def test_unknown_fields_of_1_0_are_refused() -> None:
    with pytest.raises(ValueError, match="unexpected field 'extra'"):
        migrated({"sampling": {}, "more": {"extra": 1}}, {}, (1, 0))


@pytest.mark.parametrize("more", [7, [], "x", None])
def test_fields_of_1_0_that_are_no_record_are_refused(more: Any) -> None:
    with pytest.raises(ValueError, match="invalid type of the field 'more'"):
        migrated({"sampling": {}, "more": more}, {}, (1, 0))


def test_the_present_version_and_newer_ones_stay_as_they_are() -> None:
    state = {"seed": 1, "more": {"oob_score_": 0.5}}
    for version in ((1, 1), (1, 7)):
        assert migrated(state, {}, version)[0] is state


def test_steps_run_in_order_from_the_version_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def step(name: str) -> Callable[[Any, Any], Any]:
        return lambda state, parameters: (state | {"steps": [*state["steps"], name]}, parameters | {name: True})

    steps = {(1, 10): step("last"), (1, 0): step("first"), (1, 2): step("second")}
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    expected = {
        (1, 0): ["first", "second", "last"],
        (1, 1): ["second", "last"],
        (1, 3): ["last"],
        (1, 10): ["last"],
        (1, 11): [],
    }
    for version, names in expected.items():
        assert migrated({"steps": []}, {}, version) == ({"steps": names}, dict.fromkeys(names, True))


@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.stem)
def test_the_files_of_0_1_0_are_read_after_an_optional_field_is_added(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    completed: list[dict[str, Any]] = []
    model = schema._model

    def recorded(state: Any, learns: Any) -> Any:
        completed.append(state)
        return model(state, learns)

    monkeypatch.setattr(schema, "FIELDS", schema.FIELDS | {"bias": schema.Field(float, 2.5)})
    monkeypatch.setattr(schema, "_model", recorded)
    assert_predicts_as_written(path, fo.load(path))
    assert [state["bias"] for state in completed] == [2.5]


def rows_of(forest: Any) -> Any:
    """Return the rows that the forests of golden files were fitted on."""
    return mutated.X.reshape(30, *forest.grid_shape_)


def without_training_rows(path: Path, tmp_path: Path) -> Path:
    """Return a copy of a file without leaves and digests of the training rows, as large forests are stored."""
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    rewrite(copy, lambda header: header["model"]["state"].update(training=_kept(header)), (1, 0))
    return copy


def _kept(header: Header) -> Any:
    return {"dict": [item for item in header["model"]["state"]["training"]["dict"] if item[0] == "oob"]}


@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.stem)
def test_forests_of_0_1_0_know_their_rows_by_the_hash_of_that_release(path: Path, tmp_path: Path) -> None:
    forest = fo.load(without_training_rows(path, tmp_path))
    rows = rows_of(forest)
    changed = rows.copy()
    changed[17].flat[3] += 1e-9
    for other in (changed, rows[::-1]):
        with pytest.raises(ValueError, match=r"^X are not the rows that this forest was fitted on"):
            forest.remember(other)
    with pytest.raises(ValueError, match="leave out"):
        forest.transform(rows)
    assert forest.model_.row_hash == "crc32"
    np.testing.assert_array_equal(own_row(forest.remember(rows), rows), np.arange(30))
    np.testing.assert_array_equal(own_row(fo.load(path), rows), np.arange(30))


def own_row(forest: Any, rows: Any) -> Any:
    """Return which training row comes first in each row of ``transform``."""
    return forest.transform(rows, 3).indices.reshape(len(rows), 4)[:, 0]


def test_the_old_hash_stays_with_the_forests_that_have_it(tmp_path: Path) -> None:
    path = tmp_path / "again.fol"
    old = fo.load(next(path for path in FIRST if path.stem == "axis"))
    old.set_params(warm_start=True, n_estimators=3)
    with pytest.raises(ValueError, match="needs the same rows as in the first fit"):
        old.fit(mutated.FLAT[::-1], mutated.Y)
    old.fit(mutated.FLAT, mutated.Y).save(path)
    assert header_of(path)["model"]["state"]["row_hash"] == "crc32"
    np.testing.assert_array_equal(own_row(fo.load(path), mutated.FLAT), np.arange(30))
    old.set_params(warm_start=False).fit(mutated.FLAT, mutated.Y)
    assert old.model_.row_hash == "siphash-2-4"


def test_files_name_their_hash_and_unknown_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.fol"
    mutated.FORESTS["axis"]().save(path)
    assert header_of(path)["model"]["state"]["row_hash"] == "siphash-2-4"
    rewrite(path, lambda header: header["model"]["state"].update(row_hash="md5"))
    with pytest.raises(ValueError, match=r"unknown row_hash 'md5'; expected one of siphash-2-4, crc32$"):
        fo.load(path)


def test_a_field_without_a_default_would_make_old_files_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "FIELDS", schema.FIELDS | {"bias": schema.Field(float)})
    with pytest.raises(ValueError, match="missing field 'bias' of the model"):
        fo.load(FIRST[0])


def test_only_fields_that_1_0_had_or_its_migration_adds_are_without_a_default() -> None:
    lifted = {"criterion", "feature_names", "oob_score", "screened"}
    first = header_of(FIRST[0])["model"]["state"].keys() - {"more"}
    required = {name for name, one in schema.FIELDS.items() if one.default is schema._MISSING}
    assert required <= first | lifted


# ---- newer files ----


def add_to_dict(kind: str) -> Callable[[Header], object]:
    return lambda header: header["model"]["state"][kind]["dict"].append(["extra", 7])


UNKNOWN: dict[str, Any] = {
    "the state": lambda header: header["model"]["state"].update(extra={"tuple": [1, {"float": "nan"}]}),
    "the sampling": add_to_dict("sampling"),
    "the trees": add_to_dict("trees"),
    "the training rows": add_to_dict("training"),
    "the model": lambda header: header["model"].update(extra={"any": ["thing"]}),
    "the parameters": lambda header: header["model"]["parameters"].update(extra=[1, "two"]),
    "the projections": lambda header: header["model"]["state"]["projections"]["object"][1]["dict"].append(["extra", 7]),
    "the header": lambda header: header.update(extra=7),
    "an array": lambda header: header["arrays"][0].update(extra=7),
    "a new kind of value": lambda header: header["model"]["state"].update(extra={"date": "2030-01-01"}),
}


@pytest.mark.parametrize("place", UNKNOWN)
@pytest.mark.parametrize("mmap", [False, True], ids=["read", "mapped"])
def test_an_unknown_field_of_a_newer_minor_version_is_ignored(place: str, mmap: bool, tmp_path: Path) -> None:
    path = tmp_path / "newer.fol"
    forest = mutated.FORESTS["patches"]()
    forest.save(path)
    rewrite(path, UNKNOWN[place], (1, 9))
    loaded = fo.load(path, mmap=mmap)
    rows = np.random.default_rng(2).normal(size=(50, 6, 5))
    np.testing.assert_array_equal(loaded.predict_proba(rows), forest.predict_proba(rows))
    np.testing.assert_array_equal(loaded.kneighbors(rows)[1], forest.kneighbors(rows)[1])


@pytest.mark.parametrize("version", [(2, 0), (3, 4)])
def test_a_newer_major_version_is_refused_with_both_versions(version: tuple[int, int], tmp_path: Path) -> None:
    path = tmp_path / "newer.fol"
    mutated.FORESTS["axis"]().save(path)
    rewrite(path, lambda header: None, version)
    sentence = rf"^cannot load .*newer\.fol: version {version[0]}\.{version[1]} of the format; expected version 1\.x$"
    with pytest.raises(ValueError, match=sentence):
        fo.load(path)

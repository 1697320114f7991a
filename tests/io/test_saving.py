"""Saving, pickling and copying change nothing on the estimator, and compute only what a file may hold."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import joblib
import mutated
import numpy as np
import pytest
from identical import identical
from model_files import header_of

import foliation as fo
from foliation.model import training

pytestmark = pytest.mark.filterwarnings("ignore:no feature departs")

SAVE: dict[str, Callable[[Any, Path], Any]] = {
    "save": lambda forest, path: forest.save(path),
    "pickle": lambda forest, path: pickle.dumps(forest),
    "deepcopy": lambda forest, path: copy.deepcopy(forest),
    "copy": lambda forest, path: copy.copy(forest),
    "joblib": lambda forest, path: joblib.dump(forest, path),
}
STATES: dict[str, Callable[[Path], Any]] = {
    "fitted": lambda path: mutated.FORESTS["sparse"](),
    "asked for neighbors": lambda path: asked(mutated.FORESTS["patches"]()),
    "remembered": lambda path: mutated.FORESTS["free"]().remember(),
    "geodesic": lambda path: mutated.FORESTS["geodesic"](),
    "loaded": lambda path: loaded(path, mmap=False),
    "mapped": lambda path: loaded(path, mmap=True),
}


def asked(forest: Any) -> Any:
    forest.kneighbors()
    return forest


def loaded(path: Path, *, mmap: bool) -> Any:
    mutated.FORESTS["views"]().save(path)
    return fo.load(path, mmap=mmap)


def parts(forest: Any) -> list[tuple[str, int]]:
    """Return the name and identity of every part of a fitted estimator."""
    cached: Mapping[str, Any] = forest.model_.training.cached
    owners = {"": vars(forest), "training.": vars(forest.model_.training), "cached.": cached}
    return sorted((prefix + name, id(value)) for prefix, values in owners.items() for name, value in values.items())


@pytest.mark.parametrize("action", SAVE)
@pytest.mark.parametrize("state", STATES)
def test_nothing_changes_on_the_estimator(state: str, action: str, tmp_path: Path) -> None:
    forest = STATES[state](tmp_path / "source.fol")
    model, before = forest.model_, parts(forest)
    values = copy.deepcopy(forest.get_params()), dict(model.training.cached)
    SAVE[action](forest, tmp_path / "file")
    assert forest.model_ is model
    assert parts(forest) == before
    assert repr(forest.get_params()) == repr(values[0])
    assert identical(dict(model.training.cached), values[1])


# ---- what is stored of the training rows (decision 0011) ----


def stored(forest: Any, path: Path) -> set[str]:
    """Return which arrays of the training rows a file holds."""
    forest.save(path)
    return {name for name, _ in header_of(path)["model"]["state"]["training"]["dict"]}


def limit(monkeypatch: pytest.MonkeyPatch, n_bytes: float, share: float = 0.0) -> None:
    monkeypatch.setattr(training, "_LIGHT", n_bytes)
    monkeypatch.setattr(training, "_LIGHT_SHARE", share)


@pytest.mark.parametrize(
    ("name", "arrays"),
    [
        ("axis", {"leaves", "hashes", "oob"}),
        ("free", {"leaves", "hashes", "oob"}),
        ("geodesic", {"leaves", "hashes"}),
    ],
)
def test_a_light_forest_stores_all_that_is_needed_of_its_rows(name: str, arrays: set[str], tmp_path: Path) -> None:
    forest = mutated.FORESTS[name]()
    assert stored(forest, tmp_path / "file.fol") == arrays
    again = fo.load(tmp_path / "file.fol")
    np.testing.assert_array_equal(
        again.model_.training.cached["leaves"], forest.apply(mutated.FLAT.reshape(30, *forest.grid_shape_)).T
    )
    assert forest.model_.training.cached.keys() <= {"hashes", "oob"}  # that the fit itself needed


def test_leaves_are_computed_up_to_the_limit_and_not_beyond(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forest = mutated.FORESTS["axis"]()
    n_bytes = 4 * 2 * 30  # of the leaves of 30 rows in 2 trees
    limit(monkeypatch, n_bytes)
    assert "leaves" in stored(forest, tmp_path / "file.fol")
    limit(monkeypatch, n_bytes - 1)
    assert stored(forest, tmp_path / "file.fol") == {"hashes"}
    share = n_bytes / forest.model_.trees.n_bytes
    limit(monkeypatch, 0, share * (1 + 1e-9))
    assert "leaves" in stored(forest, tmp_path / "file.fol")
    limit(monkeypatch, 0, share * (1 - 1e-9))
    assert stored(forest, tmp_path / "file.fol") == {"hashes"}


@pytest.mark.parametrize("action", SAVE)
def test_nothing_is_computed_for_a_heavy_forest(action: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    limit(monkeypatch, 0)
    forest = mutated.FORESTS["axis"]()
    for name in ("find", "_are_training_rows"):
        monkeypatch.setattr(training, name, lambda *_: pytest.fail("computed for a file that leaves it out"))
    SAVE[action](forest, tmp_path / "file")


def test_what_is_known_is_stored_however_large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forest = asked(mutated.FORESTS["axis"]())
    known = set(forest.model_.training.cached)
    assert "leaves" in known
    limit(monkeypatch, 0)
    assert stored(forest, tmp_path / "file.fol") == known


def test_a_file_of_rows_that_were_changed_in_place_has_no_leaves(tmp_path: Path) -> None:
    rows = mutated.FLAT.copy()
    forest = fo.ForestClassifier(2, random_state=0).fit(rows, mutated.Y)
    rows += 1.0
    assert stored(forest, tmp_path / "file.fol") == {"hashes"}
    assert fo.load(tmp_path / "file.fol").predict(mutated.FLAT).tolist() == forest.predict(mutated.FLAT).tolist()

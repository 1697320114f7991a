"""What files claim without storing it: whatever is saved claims no more than its bytes justify, and can be loaded."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from unittest import mock

import mutated
import numpy as np
import pytest
from identical import identical

import foliation as fo
from foliation.io import claims
from foliation.io.model_file import save


def whole_images() -> fo.ForestClassifier:
    """A small forest of patches that are whole images."""
    X = np.random.default_rng(0).integers(0, 9, size=(12, 600, 500), dtype=np.uint8)
    patches = fo.Patches(min_size=(600, 500), max_size=(600, 500), wrap=True)
    return fo.ForestClassifier(20, projections=patches, random_state=0).fit(X, np.arange(12) % 2)


def test_what_is_claimed_is_counted() -> None:
    forest = fo.ForestRegressor(
        3, projections=fo.Atoms(np.ones((1, 4))), max_depth=1, max_samples=7, random_state=0
    ).fit(np.arange(40.0).reshape(10, 4), np.eye(10)[:, :2])
    n_splits = int(forest.model_.trees.n_splits.sum())
    assert claims.claims_of(forest.model_) == {
        "rows": 10,
        "rows that all trees draw from": 30,
        "rows that all trees draw": 21,
        "cells of a row": 4,
        "terms of the projections of all splits": 4 * n_splits,
        "values of the leaves of a tree": 2 * 2,
        "pairs of classes": 0,
        "waves of spectra in ONNX": 0,
    }


def test_whole_images_take_more_bytes_than_they_have(tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    forest = whole_images()
    assert claims.claims_of(forest.model_)["terms of the projections of all splits"] > claims.FLOOR
    forest.save(path)
    wanted = claims.bytes_to_justify(forest.model_)
    assert 0 <= path.stat().st_size - wanted < 4096
    rows = np.arange(600_000).reshape(2, 600, 500)
    assert identical(forest.predict_proba(rows), fo.load(path).predict_proba(rows))
    fo.load(path).save(tmp_path / "again.fol")
    assert (tmp_path / "again.fol").stat().st_size == path.stat().st_size


def test_one_byte_less_would_be_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.fol"
    forest = whole_images()
    monkeypatch.setattr("foliation.io.model_file.bytes_to_justify", lambda model: 0)
    forest.save(path)
    claimed = claims.claims_of(forest.model_)["terms of the projections of all splits"]
    with pytest.raises(ValueError, match=f"it claims {claimed:,} terms of the projections of all splits; "):
        fo.load(path)


@pytest.mark.parametrize("name", mutated.FORESTS)
@pytest.mark.parametrize("rate", [0.002, 0.014])
def test_whatever_is_saved_can_be_loaded(
    name: str, rate: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file has to make room if all that it claims must be justified by more bytes than it has."""
    monkeypatch.setattr(claims, "FLOOR", 10)
    monkeypatch.setattr(claims, "RATE", rate)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no feature departs from a normal distribution")
        forest = mutated.FORESTS[name]()
    forest.save(tmp_path / "model.fol")
    assert (tmp_path / "model.fol").stat().st_size >= max(claims.claims_of(forest.model_).values()) / claims.RATE
    for mmap in (False, True):
        fo.load(tmp_path / "model.fol", mmap=mmap)


def test_draws_of_groups_classes_and_waves_are_counted() -> None:
    X, groups = np.random.default_rng(0).random((12, 2, 30)), np.arange(12) // 4
    series = fo.Patches(views=("raw", "spectrum", "relative_spectrum"))
    forest = fo.ForestClassifier(5, projections=series, random_state=0)
    claimed = claims.claims_of(forest.fit(X, np.arange(12) % 4, groups=groups).model_)
    assert claimed["rows that all trees draw"] == 5 * 12  # three groups of four
    assert claimed["pairs of classes"] == 16
    assert claimed["waves of spectra in ONNX"] == 2 * 30 * 2 * 15
    weighted = forest.fit(X, np.arange(12) % 4, groups=groups, sample_weight=(groups > 0) * 1.0)
    assert claims.claims_of(weighted.model_)["rows that all trees draw"] == 5 * 3 * 12 / 2


def test_a_file_that_draws_one_large_group_again_and_again_is_refused(tmp_path: Path) -> None:
    path, forest = tmp_path / "model.fol", fo.ForestRegressor(2, random_state=0)
    forest.fit(np.arange(100.0)[:, None], np.arange(100.0), groups=np.arange(100) < 1)
    sampling = replace(forest.model_.sampling, n_draws=2_000_000)
    with mock.patch("foliation.io.model_file.bytes_to_justify", lambda model: 0):
        save(path, "ForestRegressor", forest.get_params(deep=False), replace(forest.model_, sampling=sampling))
    with pytest.raises(ValueError, match="it claims 200,000,000 rows that all trees draw"):
        fo.load(path)

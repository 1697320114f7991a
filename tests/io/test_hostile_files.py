"""Files that somebody wrote to do harm, with a checksum that fits: each is refused, and takes no more than its size."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mutated
import numpy as np
import pytest
from claiming import claim_patches, family, save_patches, state
from model_files import Header, overwrite, rewrite, tree_array

import foliation as fo
from foliation.io.claims import RATE

FORESTS: dict[str, Callable[[], Any]] = {
    "classes": mutated.FORESTS["axis"],
    "numbers": lambda: fo.ForestRegressor(3, random_state=0).fit(mutated.FLAT, np.full(30, 1e9)),
    "views": mutated.FORESTS["views"],
    "weights": lambda: fo.ForestClassifier(
        2, projections=fo.Sparse(weights="normal"), bootstrap=False, random_state=0
    ).fit(mutated.FLAT, mutated.Y, sample_weight=np.ones(30)),
    "nothing": lambda: fo.GeodesicForest(2, random_state=0).fit(mutated.FLAT),
    "random": lambda: fo.ForestClassifier(2, random_state=np.random.RandomState(0)).fit(mutated.FLAT, mutated.Y),
}


def set_sampling(header: Header, **values: Any) -> None:
    for pair in state(header)["sampling"]["dict"]:
        pair[1] = values.get(pair[0], pair[1])


def set_generator(header: Header, **values: Any) -> None:
    generator = dict(header["model"]["parameters"]["random_state"]["random"]["dict"])
    for pair in generator["state"]["dict"]:
        pair[1] = values.get(pair[0], pair[1])


def set_projections(header: Header, *members: Any) -> None:
    state(header)["projections"] = family("Mixture", projections=list(members))


def claim_features(header: Header, **parameters: Any) -> None:
    """Claim as many features as there may be, and draw from as many families of them."""
    state(header)["row_shape"] = {"tuple": [2**31 - 2]}
    set_projections(header, *[family("Sparse", **parameters)] * 16)


def claim_rows(header: Header, n_rows: int) -> None:
    """Claim so many training rows of which nothing is known."""
    set_sampling(header, n_rows=n_rows)
    state(header)["training"] = {"dict": []}


def claim_shape(header: Header, *shape: int) -> None:
    state(header)["row_shape"] = {"tuple": list(shape)}
    state(header)["projections"] = family("Axis")


def share_labels(header: Header) -> None:
    state(header)["classes"] = [state(header)["classes"][0]] * 3000


COLLIDING = [[key * (2**61 - 1), 0] for key in range(1, 2000)]
CASES: dict[str, tuple[str, Callable[[Header], None], str]] = {
    "classes to balance": (
        "numbers",
        lambda h: set_sampling(h, balanced_subsample=True),
        "balanced_subsample without classes",
    ),
    "many rows": (
        "classes",
        lambda h: set_sampling(h, n_rows=2**31 - 1, structure_share=0.5),
        "invalid type or shape of targets",
    ),
    "a place past the state": ("random", lambda h: set_generator(h, pos=2**30), "random number generator"),
    "a place before the state": ("random", lambda h: set_generator(h, pos=-1), "random number generator"),
    "a short state": ("random", lambda h: set_generator(h, key={"float": "nan"}), "random number generator"),
    "many families": (
        "classes",
        lambda h: set_projections(h, *[family("Sparse", nonzeros=1e6)] * 1000),
        "at most 16",
    ),
    "large tables": ("classes", lambda h: claim_features(h, density=1.0), "2,147,483,646 features for an atom"),
    "features": ("classes", lambda h: claim_shape(h, 118_000_000), "it claims 118,000,000 cells of a row"),
    "draws": (
        "classes",
        lambda h: set_sampling(h, n_draws=2**31 - 1),
        "it claims 4,294,967,294 rows that",
    ),
    "rows of nothing": ("nothing", lambda h: claim_rows(h, 2**31 - 1), "it claims 2,147,483,647 rows"),
    "labels that are shared": ("classes", share_labels, "two references to one array"),
    "keys that collide": (
        "classes",
        lambda h: h["model"]["parameters"].update(class_weight={"dict": COLLIDING}),
        "integer out of range",
    ),
    "keys that are lists": (
        "classes",
        lambda h: h["model"]["parameters"].update(class_weight={"dict": [[{"tuple": [1]}, 0]]}),
        "invalid key; expected a number or text",
    ),
    "a long complaint": (
        "classes",
        lambda h: h["model"]["parameters"].update(criterion="x" * 100_000),
        "'criterion' parameter",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused(name: str, tmp_path: Path) -> None:
    forest, change, complaint = CASES[name]
    path = tmp_path / "model.fol"
    FORESTS[forest]().save(path)
    rewrite(path, lambda header: None)
    fo.load(path)
    rewrite(path, change)
    with pytest.raises(ValueError, match=complaint) as caught:
        fo.load(path)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", CASES)
def test_it_takes_little_memory(name: str, tmp_path: Path) -> None:
    forest, change, _ = CASES[name]
    path = tmp_path / "model.fol"
    FORESTS[forest]().save(path)
    rewrite(path, change)
    assert mutated.attempt(path, path.read_bytes(), mmap=False).n_bytes < mutated.MOST_BYTES


def test_the_largest_tables_that_are_allowed_are_small(tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    FORESTS["classes"]().save(path)
    rewrite(path, lambda header: claim_features(header, nonzeros=1e6))
    assert mutated.attempt(path, path.read_bytes(), mmap=False).n_bytes < mutated.MOST_BYTES


@pytest.mark.parametrize(
    ("forest", "at", "value", "complaint"),
    [
        (
            "weights",
            lambda h: dict(state(h)["sampling"]["dict"])["weights"]["array"],
            1e308,
            "invalid weight of a row",
        ),
        ("weights", tree_array("atom_words"), 0, "an atom that the projections cannot draw"),
        ("views", lambda h: state(h)["view_exponents"]["array"], 1001, "invalid scale of a view"),
    ],
)
def test_numbers_that_no_fit_gives_are_refused(
    forest: str, at: Callable[[Any], int], value: float, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.fol"
    FORESTS[forest]().save(path)
    overwrite(path, at, value)
    with pytest.raises(ValueError, match=complaint):
        fo.load(path)


@pytest.mark.parametrize(
    ("side", "complaint"),
    [
        (2**31 - 2, "it claims 2,147,483,646 cells of a row; [0-9,]+ bytes justify at most"),
        (4_000_000, "it claims 12,000,000 terms of the projections of all splits; [0-9,]+ bytes justify at most"),
    ],
)
def test_patches_that_a_file_does_not_justify_are_refused(side: int, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    save_patches(path)
    claim_patches(path, side)
    with pytest.raises(ValueError, match=complaint):
        fo.load(path)


def largest_patches(path: Path) -> None:
    save_patches(path)
    claim_patches(path, RATE * path.stat().st_size // 3)


def largest_draws(path: Path) -> None:
    FORESTS["classes"]().save(path)
    rewrite(path, lambda header: set_sampling(header, n_draws=RATE * path.stat().st_size // 2))


def largest_rows(path: Path) -> None:
    FORESTS["nothing"]().save(path)
    rewrite(path, lambda header: claim_rows(header, RATE * path.stat().st_size // 2))


def largest_grid(path: Path) -> None:
    FORESTS["classes"]().save(path)
    rewrite(path, lambda header: claim_shape(header, RATE * path.stat().st_size))


@pytest.mark.parametrize("claim", [largest_patches, largest_draws, largest_rows, largest_grid])
@pytest.mark.filterwarnings("ignore")
def test_the_most_that_a_small_file_may_claim_is_little_to_use(claim: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    claim(path)
    found = mutated.attempt(path, path.read_bytes(), mmap=False)
    assert found.end == "loaded"
    mutated.check(found, path.stat().st_size)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a device or a pipe"):
        fo.load(tmp_path / "pipe")


@pytest.mark.filterwarnings("ignore")
def test_mutated_files_never_break_anything(tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    files = []
    for make in mutated.FORESTS.values():
        make().save(path)
        files.append(path.read_bytes())
    rng = np.random.default_rng(1)
    found = []
    for number in range(2000):
        file, some = mutated.mutant(files[number % len(files)], rng), slice(number % 7, None, 7)
        found.append(mutated.attempt(path, file, mmap=number % 2 == 1, questions=some, with_slow=number % 7 == 0))
        mutated.check(found[-1], len(file))
    ends = [one.end for one in found]
    assert set(ends) <= {"ValueError", "loaded"}
    assert ends.count("ValueError") > 1000

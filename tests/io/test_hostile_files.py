"""Files that somebody wrote to do harm, with a checksum that fits: each is refused, and takes no more than its size."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mutated
import numpy as np
import pytest

import foliation as fo

Header = dict[str, Any]
FORESTS: dict[str, Callable[[], Any]] = {
    "classes": mutated.FORESTS["axis"],
    "numbers": lambda: fo.ForestRegressor(3, random_state=0).fit(mutated.FLAT, np.full(30, 1e9)),
    "views": mutated.FORESTS["views"],
    "weights": lambda: fo.ForestClassifier(
        2, projections=fo.Sparse(weights="normal"), bootstrap=False, random_state=0
    ).fit(mutated.FLAT, mutated.Y, sample_weight=np.ones(30)),
    "random": lambda: fo.ForestClassifier(2, random_state=np.random.RandomState(0)).fit(mutated.FLAT, mutated.Y),
}


def state(header: Header) -> Any:
    return header["model"]["state"]


def set_sampling(header: Header, **values: Any) -> None:
    for pair in state(header)["sampling"]["dict"]:
        pair[1] = values.get(pair[0], pair[1])


def set_generator(header: Header, **values: Any) -> None:
    generator = dict(header["model"]["parameters"]["random_state"]["random"]["dict"])
    for pair in generator["state"]["dict"]:
        pair[1] = values.get(pair[0], pair[1])


def family(name: str, **parameters: Any) -> Any:
    return {"object": [name, {"dict": [[key, value] for key, value in parameters.items()]}]}


def set_projections(header: Header, *members: Any) -> None:
    state(header)["projections"] = family("Mixture", projections=list(members))


def claim_features(header: Header, **parameters: Any) -> None:
    """Claim as many features as there may be, and draw from as many families of them."""
    state(header)["row_shape"] = {"tuple": [2**31 - 2]}
    set_projections(header, *[family("Sparse", **parameters)] * 16)


def share_labels(header: Header) -> None:
    state(header)["classes"] = [state(header)["classes"][0]] * 3000


def share_bytes(header: Header) -> None:
    first, second, *_ = (k for k, entry in enumerate(header["arrays"]) if np.prod(entry["shape"]) > 0)
    header["arrays"][second] = {**header["arrays"][first]}


def rewritten(path: Path, change: Callable[[Header], None]) -> None:
    """Change the header; arrays keep their distances, and move if it grows."""
    file = path.read_bytes()
    size = mutated.FRONT.unpack_from(file)[4]
    header = json.loads(file[mutated.FRONT.size : mutated.FRONT.size + size])
    body = file[mutated.FRONT.size + size :]
    change(header)
    grown = 64 * (len(json.dumps(header)) // 64 + 2)
    for entry in header["arrays"]:
        entry["at"] += grown
    path.write_bytes(mutated.sealed(json.dumps(header).encode().ljust(size + grown), body))


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
    "labels that are shared": ("classes", share_labels, "two references to one array"),
    "bytes that are shared": ("classes", share_bytes, "invalid type, shape or offset of an array"),
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
    rewritten(path, lambda header: None)
    fo.load(path)
    rewritten(path, change)
    with pytest.raises(ValueError, match=complaint) as caught:
        fo.load(path)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", CASES)
def test_it_takes_little_memory(name: str, tmp_path: Path) -> None:
    forest, change, _ = CASES[name]
    path = tmp_path / "model.fol"
    FORESTS[forest]().save(path)
    rewritten(path, change)
    assert mutated.attempt(path, path.read_bytes(), mmap=False).n_bytes < mutated.MOST_BYTES


def test_the_largest_tables_that_are_allowed_are_small(tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    FORESTS["classes"]().save(path)
    rewritten(path, lambda header: claim_features(header, nonzeros=1e6))
    assert mutated.attempt(path, path.read_bytes(), mmap=False).n_bytes < mutated.MOST_BYTES


def overwrite(forest: str, path: Path, at: Callable[[Any], int], values: Any) -> None:
    """Save a forest, and put values into the array that the header names."""
    FORESTS[forest]().save(path)
    file = bytearray(path.read_bytes())
    size = mutated.FRONT.unpack_from(file)[4]
    header = json.loads(file[mutated.FRONT.size : mutated.FRONT.size + size])
    entry = header["arrays"][at(header)]
    np.frombuffer(file, entry["type"], count=int(np.prod(entry["shape"])), offset=entry["at"])[:] = values
    path.write_bytes(mutated.sealed(bytes(file[mutated.FRONT.size :][:size]), bytes(file[mutated.FRONT.size + size :])))


@pytest.mark.parametrize(
    ("forest", "at", "value", "complaint"),
    [
        (
            "weights",
            lambda h: dict(state(h)["sampling"]["dict"])["weights"]["array"],
            1e308,
            "invalid weight of a row",
        ),
        ("weights", lambda h: dict(state(h)["trees"]["dict"])["atom_words"]["array"], 0, "an atom is none"),
        ("views", lambda h: state(h)["view_exponents"]["array"], 1001, "invalid scale of a view"),
    ],
)
def test_numbers_that_no_fit_gives_are_refused(
    forest: str, at: Callable[[Any], int], value: float, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.fol"
    overwrite(forest, path, at, value)
    with pytest.raises(ValueError, match=complaint):
        fo.load(path)


def test_a_huge_claim_is_refused_where_memory_would_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.fol"
    fo.ForestClassifier(1, projections=fo.Patches(), max_depth=1, random_state=0).fit(mutated.X, mutated.Y).save(path)
    rewritten(path, lambda header: state(header).update(row_shape={"tuple": [40_000, 50_000]}))
    monkeypatch.setattr("foliation.memory.available_bytes", lambda: 24e9)
    with pytest.raises(MemoryError, match=r"importances would take 32\.0 GB.*2,000,000,000 cells"):
        fo.load(path).importance()


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a device or a pipe"):
        fo.load(tmp_path / "pipe")
    with pytest.raises(OSError, match="a device or a pipe"):
        mutated.FORESTS["axis"]().save(tmp_path / "pipe")
    with pytest.raises(OSError, match="is a folder"):
        mutated.FORESTS["axis"]().save(tmp_path)


def test_rights_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "model.fol", tmp_path / "link.fol"
    forest = mutated.FORESTS["axis"]()
    forest.save(path)
    path.chmod(0o600)
    link.symlink_to(path)
    forest.save(link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o600
    forest.save(tmp_path / f"{'x' * 251}.fol")  # as long as a name may be
    assert len(list(tmp_path.iterdir())) == 3

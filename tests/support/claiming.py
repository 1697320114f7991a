"""Model files that claim what they do not hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mutated
from model_files import Header, overwrite, rewrite, tree_array

import foliation as fo


def state(header: Header) -> Any:
    return header["model"]["state"]


def family(name: str, **parameters: Any) -> Any:
    return {"object": [name, {"dict": [[key, value] for key, value in parameters.items()]}]}


def save_patches(path: Path) -> None:
    """Save a tree of three splits by patches of series."""
    patches = fo.Patches(weights="gaussian")
    forest = fo.ForestClassifier(1, projections=patches, max_leaf_nodes=4, random_state=0)
    forest.fit(mutated.FLAT[:, None], mutated.Y).save(path)


def claim_patches(path: Path, side: int) -> None:
    """Claim series of so many cells, and that each of three splits sums all of them.

    The words of a split are its first row and their number, its first cell and their number.
    """

    def change(header: Header) -> None:
        state(header)["row_shape"] = {"tuple": [1, side]}
        state(header)["projections"] = family("Patches", weights="gaussian", max_size={"tuple": [1, side]})
        header["arrays"][tree_array("atom_words")(header)] |= {"type": "<i4"}

    rewrite(path, change)
    overwrite(path, tree_array("atom_words"), [0, 1, 0, side] * 3)

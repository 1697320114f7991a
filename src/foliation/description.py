"""A fitted forest in a few lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from foliation.atlas import atom_label, chosen_atoms

_MOST_ATOMS = 5
_MOST_CLASSES = 12


def facts(forest: Any, path: Path | None = None, places: Any = None) -> dict[str, str]:
    """Return what there is to say of a fitted forest, in a few lines.

    ``places`` are those of ``foliation.plotting.grid``, if channels and times have names.
    """
    trees = forest.trees_
    n_splits, n_leaves = np.diff(trees["split_start"]), np.diff(trees["leaf_start"])
    depths = [forest.tree(number).depth for number in range(min(len(n_splits), 20))]
    found = {
        "forest": f"{type(forest).__name__} of {len(n_splits):,} trees",
        "rows": f"{forest.sampling_['n_rows']:,} of shape {' x '.join(map(str, forest.row_shape_))}",
        "projections": " ".join(repr(forest.projections_).split()),
    }
    if hasattr(forest, "classes_") and forest.n_outputs_ == 1:
        found["classes"] = _listed([str(label) for label in np.ravel(forest.classes_)])
    elif forest.n_outputs_:
        found["outputs"] = str(forest.n_outputs_)
    found["splits of a tree"] = f"{n_splits.mean():,.1f} on average, {n_splits.max():,} at most"
    found["leaves of a tree"] = f"{n_leaves.mean():,.1f} on average"
    found["depth of a tree"] = f"{np.mean(depths):.1f} on average" + (" (first 20)" if len(n_splits) > 20 else "")
    found["most used atoms"] = "; ".join(most_used(forest, places)) or "none"
    if hasattr(forest, "oob_score_"):
        found["out-of-bag score"] = f"{forest.oob_score_:.4f} ({_score_name(forest)})"
    elif forest.n_outputs_:
        found["out-of-bag score"] = "not worked out: oob_score is off"
    if path is not None:
        found["file"] = f"{path}, {path.stat().st_size:,} bytes"
    return found


def _score_name(forest: Any) -> str:
    return "accuracy" if hasattr(forest, "classes_") else "R squared"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_CLASSES} more" if len(names) > _MOST_CLASSES else ""
    return f"{len(names)}: {', '.join(names[:_MOST_CLASSES])}{more}"


def most_used(forest: Any, places: Any = None) -> list[str]:
    """Return the atoms with the most gain and their shares of it, or with the most splits if scores are no gains."""
    by = "count" if (forest.trees_["gain"] < 0).any() else "gain"
    return [
        f"{atom_label(forest, one, places)} {f'{one.n_splits:,} splits' if by == 'count' else f'{one.gain:.1%}'}"
        for one in chosen_atoms(forest, _MOST_ATOMS, by)
    ]

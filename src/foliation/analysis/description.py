"""A model in a few lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from foliation.analysis.atlas import atom_label, chosen_atoms
from foliation.model.labels import PlaceNames
from foliation.model.model import Model
from foliation.model.tree import tree_of

_MOST_ATOMS = 5
_MOST_CLASSES = 12


def facts(model: Model, estimator: str, path: Path | None = None, places: PlaceNames | None = None) -> dict[str, str]:
    """Return what there is to say of a model, line by line; ``estimator`` is the name of its class."""
    n_splits, n_leaves = model.trees.n_splits, model.trees.n_leaves
    depths = [tree_of(model, number).depth for number in range(min(len(n_splits), 20))]
    lines = {
        "forest": f"{estimator} of {len(n_splits):,} trees",
        "rows": f"{model.sampling.n_rows:,} of shape {' x '.join(map(str, model.grid.shape))}",
        "projections": " ".join(repr(model.projections).split()),
    }
    targets = model.targets
    if targets.kind == "classes" and targets.n_outputs == 1:
        lines["classes"] = _listed([str(label) for label in targets.classes[0]])
    elif targets.n_outputs:
        lines["outputs"] = str(targets.n_outputs)
    lines["splits of a tree"] = f"{n_splits.mean():,.1f} on average, {n_splits.max():,} at most"
    lines["leaves of a tree"] = f"{n_leaves.mean():,.1f} on average"
    lines["depth of a tree"] = f"{np.mean(depths):.1f} on average" + (" (first 20)" if len(n_splits) > 20 else "")
    lines["most used atoms"] = "; ".join(most_used(model, places)) or "none"
    if model.oob_score is not None:
        lines["out-of-bag score"] = f"{model.oob_score:.4f} ({_score_name(model)})"
    elif targets.n_outputs:
        lines["out-of-bag score"] = "not worked out: oob_score is off"
    if path is not None:
        lines["file"] = f"{path}, {path.stat().st_size:,} bytes"
    return lines


def _score_name(model: Model) -> str:
    return "accuracy" if model.targets.kind == "classes" else "R squared"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_CLASSES} more" if len(names) > _MOST_CLASSES else ""
    return f"{len(names)}: {', '.join(names[:_MOST_CLASSES])}{more}"


def most_used(model: Model, places: PlaceNames | None = None) -> list[str]:
    """Return the atoms with the most gain and their shares of it, or with the most splits if scores are no gains."""
    by = "count" if (model.trees.gain < 0).any() else "gain"
    return [
        f"{atom_label(model, atom, places)} {f'{atom.n_splits:,} splits' if by == 'count' else f'{atom.gain:.1%}'}"
        for atom in chosen_atoms(model, _MOST_ATOMS, by)
    ]

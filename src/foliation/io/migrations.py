"""Older versions of the format, brought to the present one step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

State = dict[str, Any]
Parameters = dict[str, Any]

_SAMPLING_1_0 = {"grow_share": "structure_share", "fill_out_of_bag": "estimate_out_of_bag"}


def _from_1_0(state: State, parameters: Parameters) -> tuple[State, Parameters]:
    """Lift the fields of ``more``, which only some forests had, beside the others."""
    more = state.pop("more", {})
    if not isinstance(more, dict):
        raise ValueError("invalid type of the field 'more'")
    lifted = {
        "feature_names": more.pop("feature_names_in_", None),
        "oob_score": more.pop("oob_score_", None),
        "criterion": more.pop("criterion_", parameters.get("criterion", "")),
        "screened": more.pop("screened_", None),
    }
    if more:
        raise ValueError(f"unexpected field {min(more)[:40]!r}")
    return state | lifted | {"sampling": _renamed(state.get("sampling"), _SAMPLING_1_0)}, parameters


def _renamed(fields: Any, names: dict[str, str]) -> Any:
    """Return a record with other names for some of its fields; anything else as it is."""
    return {names.get(name, name): value for name, value in fields.items()} if isinstance(fields, dict) else fields


# From which version each step starts. A step takes the state and parameters of that version to the next one.
Migration = Callable[[State, Parameters], tuple[State, Parameters]]
MIGRATIONS: dict[tuple[int, int], Migration] = {(1, 0): _from_1_0}


OLD_FIELDS = {"more"}  # that only older versions have


def migrated(state: State, parameters: Parameters, version: tuple[int, int]) -> tuple[State, Parameters]:
    """Return the state and the parameters as the present version has them."""
    for start, step in sorted(MIGRATIONS.items()):
        if version <= start:
            state, parameters = step(state, parameters)
    return state, parameters

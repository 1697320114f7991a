"""What is known of the rows that a model was trained on."""

from __future__ import annotations

from collections.abc import Mapping

from foliation.data.arrays import Array


class KnownOfTraining:
    """The training rows while the estimator that was fitted on them lives, and what was found out about them.

    ``found`` has ``"leaves"`` (trees, n), ``"hashes"`` (n,) and ``"oob"`` (n, columns), each once it was needed.
    """

    def __init__(self, rows: Array | None = None, found: Mapping[str, Array] | None = None) -> None:
        self.rows = rows
        self.found: dict[str, Array] = dict(found or {})

    def __reduce__(self) -> tuple[type[KnownOfTraining], tuple[None, dict[str, Array]]]:
        return KnownOfTraining, (None, self.found)  # pickles have no rows

"""What a user notices of a call."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


def outcome(call: Callable[[], Any]) -> tuple[Any, ...]:
    """What a user notices of a call: its result, or the type and the text of its error; and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            result = (type(error), str(error))
    return result, [(entry.category, str(entry.message)) for entry in caught]

"""Text of strangers, made safe to show: names, labels and paths may hold characters that a terminal obeys."""

from __future__ import annotations

import reprlib
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

_MOST_LETTERS = 80  # of a value that an error quotes
_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = _MOST_LETTERS


def printable(text: object, keep: str = "") -> str:
    r"""Write text with its control characters and invisible characters as escapes such as ``\x1b``.

    Those to ``keep`` stay. What counts is what ``repr`` would escape: control characters, marks of direction,
    characters without width, separators of lines, halves of surrogate pairs. Spaces of any width stay.
    """
    try:
        letters = str(text)
    except Exception:  # an integer of too many digits, or a broken str
        letters = f"<{type(text).__name__}>"
    if letters.isprintable():
        return letters
    return "".join(letter if _is_shown(letter) or letter in keep else _escape(letter) for letter in letters)


def _is_shown(letter: str) -> bool:
    return letter.isprintable() or unicodedata.category(letter) == "Zs"


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def quoted(value: object) -> str:
    """Write a value as an error quotes it: its ``repr`` on one line, cut where it is long."""
    try:
        text = _short.repr(value)
    except Exception:  # an integer of too many digits, or a broken repr
        text = f"<{type(value).__name__}>"
    line = " ".join(text.split())
    return printable(line if len(line) <= _MOST_LETTERS else f"{line[: _MOST_LETTERS - 3]}...")


@contextmanager
def printable_errors() -> Iterator[None]:
    """Escape what a terminal would obey in errors of other libraries that quote names of columns."""
    try:
        yield
    except ValueError as error:
        shown = printable(error, keep="\n")
        if shown == str(error):
            raise
        raise type(error)(shown) from None

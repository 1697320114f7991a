"""Names of strangers: what terminals, spreadsheets, matplotlib and browsers would obey."""

from __future__ import annotations

import unicodedata

import numpy as np
import pandas as pd
from numpy.typing import NDArray

FEATURES = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07osc\x9b2J",
    "back\b\b\rreturn\nline\ttab\x7f\x00nul",
    "\u202eturned\u2066isolated\u2069\u200bnone\ufeff\u2028line",
    "$\\frac{a}$",
    "one $ only \\$ and \\",
    "_hidden 100 % {x} ^",
    '=HYPERLINK("http://example.com","x")',
    "<script>alert(1)</script>\" onload='x' &amp;",
    "[red]markup[/red] [link=file:///etc]x[/link]",
    "long " * 60,
    "😀 größe 日本 e\u0301",
]
CLASSES = ["\x1b[2J_$\\foo$", "=cmd|' /C calc'!A0", "_under</td><script>\u202e$"]


def frame(n_rows: int = 90) -> tuple[pd.DataFrame, NDArray[np.object_]]:
    """Return rows whose columns and classes have hostile names."""
    rng = np.random.default_rng(0)
    codes = np.arange(n_rows) % len(CLASSES)
    X = rng.normal(size=(n_rows, len(FEATURES))) + codes[:, None] * (1 + np.arange(len(FEATURES)) % 3)
    return pd.DataFrame(X, columns=FEATURES), np.array(CLASSES, dtype=object)[codes]


def raw_controls(text: str) -> set[str]:
    """Return the characters of a text, besides newlines, that a terminal would obey or not show."""
    return {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}

"""Text of strangers is shown, not obeyed."""

from __future__ import annotations

import sys
import unicodedata

import hostile
import numpy as np
import pytest

import foliation as fo
from foliation.evaluation import evaluate
from foliation.printable import printable, printable_errors, quoted


def test_plain_text_stays() -> None:
    for text in ("größe", "日本\u3000語", "😀", "a\u00a0b", "e\u0301", "\\x1b", ""):
        assert printable(text) == text


def test_every_character_that_is_obeyed_or_not_shown_is_escaped() -> None:
    n_escaped = 0
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        shown = printable(letter)
        if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            assert shown.isascii() and shown.isprintable() and shown.startswith("\\"), hex(code)
            n_escaped += 1
        shown.encode()
    assert n_escaped > 2000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\x9b", r"\x9b"),
        ("\x7f\x00\r\n\t", r"\x7f\x00\r\n\t"),
        ("\u202e\u2066\u200b\u2028", r"\u202e\u2066\u200b\u2028"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_escapes_are_those_of_python(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_what_is_kept_stays() -> None:
    assert printable("a\nb\x1b", keep="\n") == "a\nb\\x1b"


@pytest.mark.parametrize(
    "value",
    [
        "x" * 10_000,
        list(range(10**5)),
        {k: k for k in range(1000)},
        np.ones((50, 50)),
        "\x1b[2J",
        b"\x9b" * 900,
    ],
)
def test_a_quoted_value_is_one_short_line(value: object) -> None:
    text = quoted(value)
    assert 0 < len(text) <= 80 and "\n" not in text and not hostile.raw_controls(text)


def test_a_value_whose_repr_fails_can_be_quoted() -> None:
    assert quoted(10**5000) == "<int>"  # more digits than Python writes

    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "Broken" in quoted(Broken())


def test_short_values_are_quoted_as_they_are() -> None:
    for value in (3, -0.5, "sqrt", (9, 9), None, [1, "a"], {"a": 1}):
        assert quoted(value) == repr(value)


def test_errors_of_other_libraries_are_escaped() -> None:
    with pytest.raises(ValueError, match=r"^column \\x1b\n- b$"), printable_errors():
        raise ValueError("column \x1b\n- b")
    plain = ValueError("plain")
    with pytest.raises(ValueError, match="plain") as caught, printable_errors():
        raise plain
    assert caught.value is plain


def hostile_forest() -> fo.ForestClassifier:
    X, y = hostile.frame()
    return fo.ForestClassifier(30, random_state=0, oob_score=True).fit(X, y)


def test_trees_of_hostile_names_are_drawn_without_what_a_terminal_obeys() -> None:
    forest = hostile_forest()
    shown = [str(forest), repr(forest)]
    for number in range(5):
        tree = forest.tree(number)
        shown += [tree.text(20), str(tree), repr(tree)]
    shown.append(str(forest.model_.feature_names))
    assert not hostile.raw_controls("".join(shown))
    assert r"\x1b[31mred" in "".join(shown)


def test_errors_that_quote_hostile_names_are_escaped() -> None:
    forest = hostile_forest()
    table, _ = hostile.frame()
    bad = table.copy()
    bad.iloc[3, 0] = np.nan
    calls = (
        lambda: forest.predict(bad),
        lambda: forest.predict(table.rename(columns={hostile.FEATURES[0]: "\x1b]0;other\x07"})),
        lambda: forest.predict(table[table.columns[::-1]]),
        lambda: fo.load("/no\x1b[31m/such\n.fol"),
        lambda: fo.ForestClassifier(criterion="\x1b[31m" * 9).fit(table, np.arange(90) % 2),
        lambda: fo.ForestClassifier(projections="\x1b[31m" * 900).fit(table, np.arange(90) % 2),
        lambda: evaluate(forest, table, np.array(["\x1b[31m" * 900] * 90)),
    )
    for call in calls:
        with pytest.raises((ValueError, OSError)) as refused:
            call()
        assert not hostile.raw_controls(str(refused.value)), str(refused.value)
        assert len(str(refused.value)) < 3000


def test_errors_quote_long_values_cut_and_on_one_line() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), np.arange(20) % 2
    for value in (np.ones(900), list(range(9000)), "x" * 9000, {"a" * 9000: 1}):
        for name in ("n_estimators", "max_features", "criterion", "class_weight", "projections"):
            if name == "class_weight" and isinstance(value, list | dict):
                continue
            with pytest.raises((ValueError, TypeError)) as refused:
                fo.ForestClassifier().set_params(**{name: value}).fit(X, y)
            assert name in str(refused.value) and len(str(refused.value)) < 500 and "\n" not in str(refused.value)


def test_what_cannot_be_written_is_shown_by_its_type() -> None:
    assert printable(10**5000) == "<int>"

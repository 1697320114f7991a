"""HTML of a page: escaped, linked, closed; figures inside it; wide parts that scroll."""

from __future__ import annotations

import base64
import re

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt
from report_sections import Page

from foliation.report import html

mpl.use("Agg")


def test_a_document_links_to_its_sections() -> None:
    page = Page(html.document("<b> & co", [("first", "One <1>", "<p>x</p>"), ("second", "Two", "")]))
    assert not page.open and "<b> & co" in page.words and "One <1>" in page.words
    assert [tag["id"] for tag in page.all("h2")] == ["first", "second"]
    assert {"#first", "#second"} <= {tag["href"] for tag in page.all("a")}


def test_tables_have_captions_and_scopes() -> None:
    page = Page(html.table("Scores", ("score", "value"), [("accuracy", 0.5), ("<b>", "<i>")]))
    assert not page.open and page.words == ["Scores", "score", "value", "accuracy", "0.5", "<b>", "<i>"]
    assert [tag["scope"] for tag in page.all("th")] == ["col", "col", "row", "row"]
    assert not Page(html.table("Facts", ("", ""), [("a", "b")])).all("thead")


@pytest.mark.parametrize(("width", "is_wide"), [(4.0, False), (9.0, True)])
def test_wide_pictures_scroll_by_themselves(width: float, is_wide: bool) -> None:
    text = html.picture(plt.figure(figsize=(width, 2)), "What it shows <1>", "A caption")
    page = Page(text)
    (image,) = page.all("img")
    assert image["alt"] == "What it shows <1>" and not page.open and "A caption" in page.words
    source = image["src"] or ""
    assert base64.b64decode(source.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    regions = [tag for tag in page.all("div") if tag["class"] == "wide"]
    assert [(tag["role"], tag["aria-label"], tag["tabindex"]) for tag in regions] == [
        ("region", "A caption", "0"),
    ] * is_wide
    assert bool(re.search(r"min-width:\d+px", image["style"] or "")) == is_wide
    assert not plt.get_fignums()  # it is closed


def test_paper_keeps_pictures_in_one_piece() -> None:
    paper = html._STYLE.split("@media print")[1]
    assert "max-height: 23cm" in paper and "figure, table { break-inside: avoid; }" in paper
    assert "white-space: nowrap" in html._STYLE


def test_notes_are_marked_and_escaped() -> None:
    page = Page(html.note("a < b"))
    assert not page.open and page.words == ["a < b"] and page.all("p") == [{"role": "note"}] and page.all("strong")

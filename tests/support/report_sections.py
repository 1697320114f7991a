"""Reports and their sections, as text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any


def report(forest: Any, X: Any, y: Any, folder: Path, **names: Any) -> str:
    """Write a report into a folder; return it."""
    return str(forest.report(X, y, folder / "r.html", **names).read_text(encoding="utf-8"))


def section(text: str, anchor: str) -> str:
    """Return the HTML of one section, without the bytes of images."""
    found = re.search(rf'<section aria-labelledby="{anchor}">(.*?)</section>', text, re.DOTALL)
    assert found is not None
    return re.sub(r"data:image[^\"]*", "", found[1])


class Page(HTMLParser):
    """The tags and the text of a page; fails if tags are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all tags of a kind."""
        return [attributes for name, attributes in self.tags if name == tag]

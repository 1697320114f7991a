"""Python on pages, what it prints, and the pictures it makes.

As a program it runs tutorials and writes what they print below each piece of Python, and their pictures beside them:
``python tests/support/pages.py docs/tutorials/*.md``.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path

_PIECE = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)


def codes(page: Path) -> list[str]:
    return [code for code, _ in _PIECE.findall(page.read_text())]


def said(page: Path) -> list[str]:
    """Return what a page says is printed by each of its pieces."""
    return [text for _, text in _PIECE.findall(page.read_text())]


def run(page: Path, names: dict[str, object]) -> list[str]:
    """Run all pieces of a page, one after another, and return what each prints."""
    found = []
    for code in codes(page):
        with redirect_stdout(io.StringIO()) as shown:
            exec(compile(code, page.name, "exec"), names)
        found.append(shown.getvalue())
    return found


def write(page: Path) -> None:
    """Run a page, and put what it prints and the pictures that it makes where they belong."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        printed = iter(run(page, {}))
        for picture in Path(folder).glob("*.png"):
            shutil.copy(picture, page.parent)
    page.write_text(_PIECE.sub(lambda piece: _piece(piece[1], next(printed)), page.read_text()))


def _piece(code: str, text: str) -> str:
    return f"```python\n{code}```\n" + (f"\n```text\n{text}```\n" if text else "")


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    for name in sys.argv[1:]:
        write(Path(name).resolve())

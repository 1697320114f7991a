"""HTML of a page: headings, tables, figures with their alternative texts."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING

from foliation.printable import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 160
_PREFERRED, _SMALLEST = 105, 80  # pixels per inch of a figure that reads best, and that can still be read
_DESKTOP = 900  # pixels of a page on a desktop, where nothing should have to scroll
_NARROW = 6.0  # inches of a figure that may shrink to the width of a phone

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #ffffff; --line: #c9c9d1; --soft: #f2f2f6; --mark: #0072b2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececf1; --paper: #17171b; --line: #4a4a55; --soft: #24242b; --mark: #56b4e9; }
  figure img { background: #ffffff; border-radius: 6px; padding: 6px; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 62rem; padding: 1rem 1.25rem 3rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
a { color: var(--mark); } a:focus-visible { outline: 3px solid var(--mark); }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); }
nav ul { padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
table { border-collapse: collapse; margin: 0.8rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: inherit; opacity: 0.8; padding-bottom: 0.3rem; white-space: nowrap; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: right; }
th[scope=row], th.text, td.text { text-align: left; } thead th { background: var(--soft); }
.wide { overflow-x: auto; } figure { margin: 1rem 0; } figure img { max-width: 100%; height: auto; }
figcaption { opacity: 0.8; }
pre { background: var(--soft); padding: 0.8rem; overflow-x: auto; font-size: 0.9rem; }
@media print {
  nav, .skip { display: none; } body { max-width: none; font-size: 11px; padding: 0; }
  h2, h2 + p { break-after: avoid; } figure, table { break-inside: avoid; } .wide { overflow: visible; }
  figure { margin: 0.4rem 0; } figure img { min-width: 0 !important; max-height: 23cm; width: auto; }
  figcaption { break-before: avoid; } th, td { padding: 0.15rem 0.35rem; }
}
"""


def _escaped(text: object) -> str:
    """Write text so that a browser shows it and nothing more: no markup, no marks that turn its direction."""
    return escape(printable(text, keep="\n"))


def document(title: str, sections: Sequence[tuple[str, str, str]]) -> str:
    """Return a page of sections, each an anchor, a heading and HTML."""
    links = "".join(f'<li><a href="#{anchor}">{_escaped(heading)}</a></li>' for anchor, heading, _ in sections)
    body = "".join(
        f'<section aria-labelledby="{anchor}"><h2 id="{anchor}">{_escaped(heading)}</h2>{inside}</section>'
        for anchor, heading, inside in sections
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{_escaped(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f'<style>{_STYLE}</style></head><body><a class="skip" href="#content">Skip to content</a>'
        f'<header><h1>{_escaped(title)}</h1></header><nav aria-label="Sections"><ul>{links}</ul></nav>'
        f'<main id="content">{body}</main></body></html>\n'
    )


def table(caption: str, header: Sequence[object], rows: Iterable[Sequence[object]], *, text: bool = False) -> str:
    """Return a table whose first column names its rows; the other cells are numbers, or text."""
    kind = ' class="text"' if text else ""
    head = "".join(
        f'<th scope="col"{" class=text" if not k or text else ""}>{_escaped(name)}</th>'
        for k, name in enumerate(header)
    )
    lines = "".join(
        f'<tr><th scope="row">{_escaped(row[0])}</th>'
        + "".join(f"<td{kind}>{_escaped(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    top = f"<thead><tr>{head}</tr></thead>" if any(header) else ""
    inside = f"<caption>{_escaped(caption)}</caption>{top}<tbody>{lines}</tbody>"
    return _wide(caption, f"<table>{inside}</table>")


def _wide(name: str, inside: str) -> str:
    """Return a region that scrolls by itself, also by keys, where the page is narrower than it is."""
    return f'<div class="wide" tabindex="0" role="region" aria-label="{_escaped(name)}">{inside}</div>'


def picture(figure: Figure, alt: str, caption: str) -> str:
    """Return a matplotlib figure as an image inside the page, and close it."""
    from matplotlib import pyplot

    out = BytesIO()
    figure.savefig(out, format="png", dpi=_DPI, facecolor="white", metadata={"Software": None})
    width = figure.get_figwidth()
    pyplot.close(figure)
    data = base64.b64encode(out.getvalue()).decode()
    wide = width > _NARROW
    least = f";min-width:{min(_SMALLEST * width, _DESKTOP):.0f}px" if wide else ""
    source = f"data:image/png;base64,{data}"
    image = f'<img alt="{_escaped(alt)}" style="width:{_PREFERRED * width:.0f}px{least}" src="{source}">'
    shown = _wide(caption, image) if wide else image
    return f"<figure>{shown}<figcaption>{_escaped(caption)}</figcaption></figure>"


def paragraph(text: str) -> str:
    return f"<p>{_escaped(text)}</p>"


def note(text: str) -> str:
    """Return a paragraph that stands out."""
    return f'<p role="note"><strong>{_escaped(text)}</strong></p>'

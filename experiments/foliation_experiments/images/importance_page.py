"""The page of importances: how rough the maps are, and how much of them lies where there is no ink."""

from __future__ import annotations

from typing import NamedTuple

from foliation_experiments.classes.learning_page import not_beaten
from foliation_experiments.classes.problems import TREES
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection, matched, reading, written

KINDS = ("count", "gain")
MEANS = "difference of the means"
FAINT = 0.05  # share of the images that have ink in a faint pixel, at most

_HERE: Selection = {"part": "figure"}
_NUMBERS = ("roughness", "empty", "faint")
_WORDS = {"count": "how many splits use a pixel", "gain": "the decrease of impurity, shared out over a split's pixels"}


class Claim(NamedTuple):
    """A sentence of the paper: `less` has less of a number than `more`."""

    words: str
    number: str
    less: str
    more: str


CLAIMS = (
    Claim("MORF is smoother than RF", "roughness", "MORF", "RF"),
    Claim("MORF is smoother than SPORF", "roughness", "MORF", "SPORF"),
    Claim("MORF has less on empty pixels than SPORF", "empty", "MORF", "SPORF"),
    Claim("MORF has less on faint pixels than SPORF", "faint", "MORF", "SPORF"),
    Claim("RF has less on faint pixels than SPORF", "faint", "RF", "SPORF"),
)


def page(table: Table) -> str:
    return "\n\n".join((_settings(table), *(_kind(table, kind) for kind in KINDS)))


def _settings(table: Table) -> str:
    draws = len({row["seed"] for row in table.rows})
    empty, faint = (table.mean_interval(f"pixels {name}", method="RF") for name in ("empty", "faint"))
    return f"""
{draws} draws of 100 threes and 100 fives from the official training set, {TREES[table.scale]} trees; the maps drawn are
those of the first draw, the numbers below them means over all. The class means are those of the images drawn.

- *Roughness* is the total variation of a map over its sum: absolute differences between neighboring pixels. It is 0
  if all pixels are equal and 4 for single pixels far apart.
- *Empty* is the share of the importance on pixels that are zero in all 200 images, which are {empty} of all. No
  cut of such a pixel alone exists, so RF has 0 there by construction; sums of pixels take them along.
- *Faint* is the share on pixels that have ink in at most {FAINT:.0%} of the images, the empty ones among them, which
  are {faint} of all. An importance that is the same everywhere would have these shares.
- The `{MEANS}`, in absolute value, is what a map may look like that owes nothing to a forest.
""".strip()


def _kind(table: Table, kind: str) -> str:
    verdicts = "\n".join(f"- {_verdict(table, kind, claim)}" for claim in CLAIMS)
    pieces = (
        f"## By {kind}\n\nImportance by {kind}: {_WORDS[kind]}. Means over draws with their 95 % intervals:",
        markdown(("", *_NUMBERS), _rows(table, kind)),
        f"What the paper says of its figure, and the first minus the second here. {reading('draws')}",
        verdicts,
    )
    return "\n\n".join(pieces)


def _rows(table: Table, kind: str) -> list[list[str]]:
    methods = table.methods(**_HERE)
    cells = (
        [written(table.mean_interval(f"{kind} {name}", method=one, **_HERE)) for name in _NUMBERS] for one in methods
    )
    return [[method, *row] for method, row in zip(methods, cells, strict=True)]


def _verdict(table: Table, kind: str, claim: Claim) -> str:
    """Return whether a sentence of the paper holds by the paired differences."""
    column = f"{kind} {claim.number}"
    found = table.difference(column, claim.less, claim.more, **_HERE)
    if found is None:
        return f"{claim.words}: not measured."
    text = matched(table, column, claim.less, claim.more, _HERE)
    if not table.beaten(column, claim.less, claim.more, **_HERE):
        return f"{claim.words}: {not_beaten(found)} ({text})."
    return f"{claim.words}: {'yes' if found.mean < 0 else 'no, the other way round'} ({text})."

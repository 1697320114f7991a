"""The page of MNIST: errors as on other pages, boosting where it is ahead, and what forests cost at full size."""

from __future__ import annotations

import numpy as np

from foliation_experiments.classes.learning_page import FEWEST, not_beaten, problem_part
from foliation_experiments.classes.problems import DRAWS, TEST_ROWS, TREES
from foliation_experiments.classes.published import ERRORS
from foliation_experiments.harness.table import Interval, Table
from foliation_experiments.images.mnist_draws import FEW_DRAWS, MANY, SIZES
from foliation_experiments.markup import Selection

_HERE: Selection = {"part": "figure", "problem": "mnist"}
_BOOSTED = "XGB 100"
_FORESTS = ("RF", "SPORF", "MORF", "ours")
_FIRST_PAPER = "MORF as the first paper had it: patches of up to 3 x 3 that lie inside the image (003):"


def page(table: Table) -> str:
    errors = problem_part(table, "mnist", _FIRST_PAPER)
    parts = (_settings(table), errors, _minutes(table), _boosting(table))
    return "\n\n".join(part for part in parts if part)


def _settings(table: Table) -> str:
    scale = table.scale
    above = f" up to {MANY:,} images and {FEW_DRAWS} above." if scale == "full" else "."
    return f"""
Training images are drawn from the official training set, {DRAWS[scale]} draws{above}
Smaller sets are the first images of larger ones. All are tested on the same {TEST_ROWS[scale]:,} images of the
official test set, so intervals are over draws and seeds and leave out that other test images might be harder; sets of
all 60,000 images differ in their order and seed only. With fewer than {FEWEST} draws no difference can count as
beating, however large, since Wilcoxon's test cannot have p < .05.

Forests have {TREES[scale]} trees and see bytes as they are; all others see standardised columns. `MORF` has the
settings of table S2; `ours` is a forest with `projections="image"`. XGBoost has 10 rounds as table S2 says, and 100 as
the paper's program ran. The ConvNet of table S1 starts from new weights at every fit and ends when its loss falls no
more, by epochs up to 2,000 images and by gradient steps above. The linear SVM ends after 50 passes, converged or not.
""".strip()


def _boosting(table: Table) -> str:
    """Write where XGBoost is ahead of MORF, in the published errors and here."""
    boosted, forest = (ERRORS["mnist"][name] for name in (_BOOSTED, "MORF"))
    ahead = [at for at in forest if boosted[at] < forest[at]]
    known = ", ".join(f"{boosted[at]:g} against {forest[at]:g} with {at:,g}" for at in ahead)
    text = f"""
### Boosting and many images

The paper says that MORF is better than all others but ConvNets. Its saved errors say that XGBoost is ahead of MORF from
{ahead[0]:,g} images on: {known}.
""".strip()
    there = [at for at in ahead if at in table.ats(**_HERE)]
    if not there:
        return f"{text} There are no such runs here."
    lines = [f"- {at:,g} images: {_standing(table, name, at)}" for at in there for name in ("MORF", "ours")]
    return "\n".join((f"{text} Here:\n", *lines))


def _standing(table: Table, name: str, at: float) -> str:
    """Write who is ahead, boosting or a forest, and whether it counts as beating."""
    found = table.difference("error", _BOOSTED, name, at=at, **_HERE)
    if found is None or found.mean == 0:
        return f"`{_BOOSTED}` and `{name}` {'are level' if found else 'have no runs in common'}."
    first, second = (_BOOSTED, name) if found.mean < 0 else (name, _BOOSTED)
    by = Interval(abs(found.mean), found.half, found.n)
    if table.beaten("error", _BOOSTED, name, at=at, **_HERE):
        return f"`{first}` beats `{second}`, by {by}."
    return f"`{first}` is ahead of `{second}` by {by}; {not_beaten(found)}."


def _minutes(table: Table) -> str:
    """Write how long forests take to fit all images."""
    n = SIZES["full"][-1]
    found = {name: table.values("fit seconds", method=name, at=n, **_HERE) for name in _FORESTS}
    texts = [f"`{name}` {np.median(values) / 60:.1f}" for name, values in found.items() if values.size]
    if not texts:
        return ""
    head = f"Median minutes of growing {TREES[table.scale]} trees on {n:,} images, on one thread beside another run"
    return f"{head}: {', '.join(texts)}."

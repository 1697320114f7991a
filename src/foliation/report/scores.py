"""How good the forest is: scores, confusion and calibration."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation.evaluation import Evaluation
from foliation.plotting.style import AMOUNTS, CLASSES, panels, shortened
from foliation.report import html

_MOST_COLUMNS = 12  # of a table that still fits on paper
_MOST_NAMES = 40  # of classes along a side of the picture
_MOST_MISTAKES = 8  # that are told to those who do not see it


def scores(found: Evaluation) -> str:
    rows = [(one.name, f"{one.value:.4g}", f"{one.low:.4g} to {one.high:.4g}") for one in found.scores]
    return html.table(f"On {found.n_rows:,} rows", ("score", "value", "95 % interval"), rows)


def confusion(found: Evaluation) -> str:
    """Return a table, or a picture if there are so many classes that a table would not fit."""
    assert found.confusion is not None and found.classes is not None
    if len(found.classes) > _MOST_COLUMNS:
        return _confusion_picture(found.classes, found.confusion)
    rows = [(label, *line) for label, line in zip(found.classes, found.confusion.tolist(), strict=True)]
    return html.table("Rows by true class, and by predicted class from left to right", ("true", *found.classes), rows)


def _confusion_picture(classes: NDArray[Any], counts: NDArray[np.int64]) -> str:
    side = float(np.clip(0.2 * len(classes), 5.0, 8.0))
    (ax,) = panels(None, 1, size=(side + 1.5, side))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    image = ax.imshow(shares, cmap=AMOUNTS, vmin=0, vmax=1, interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="share of the true class", shrink=0.8)
    ax.set(xlabel="predicted", ylabel="true")
    if len(classes) <= _MOST_NAMES:
        names = [shortened(label) for label in classes]
        ax.set_xticks(range(len(names)), names, fontsize="x-small", rotation=90)
        ax.set_yticks(range(len(names)), names, fontsize="x-small")
    right = f"Confusion of {len(classes)} classes: {np.trace(counts):,} of {counts.sum():,} rows are right"
    alt = "; ".join([right, *_mistakes(classes, counts)]) + "."
    return html.picture(ax.figure, alt, "Rows of each true class by the class that was predicted, as shares.")


def _mistakes(classes: NDArray[Any], counts: NDArray[np.int64]) -> list[str]:
    """Return the most frequent mistakes in words."""
    wrong = counts - np.diag(np.diag(counts))
    order = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_MISTAKES]
    pairs = [np.unravel_index(at, wrong.shape) for at in order if wrong.flat[at]]
    return [f"true {classes[i]}, predicted {classes[j]}: {wrong[i, j]}" for i, j in pairs]


def calibration(found: Evaluation) -> str:
    assert found.calibration is not None
    confidence = [part.confidence for part in found.calibration]
    right = [part.right for part in found.calibration]
    bars = [[one.value - one.low for one in right], [one.high - one.value for one in right]]
    (ax,) = panels(None, 1, size=(4.4, 3.6))
    ax.plot([0, 1], [0, 1], color="#999999", linestyle=":", label="perfectly calibrated")
    ax.errorbar(
        confidence, [one.value for one in right], bars, fmt="o-", color=CLASSES[0], capsize=3, label="this forest"
    )
    ax.set(xlabel="probability of the predicted class", ylabel="share that is right", xlim=(0, 1.02), ylim=(0, 1.02))
    ax.legend(frameon=False)
    error = found["calibration error"]
    alt = "Share of right predictions against their probability: " + "; ".join(
        f"{one.value:.2f} at {c:.2f}" for c, one in zip(confidence, right, strict=True)
    )
    return html.picture(ax.figure, alt, f"Probabilities and how often they come true differ by {error} on average.")

"""How good a forest is: scores, confusion and calibration."""

from __future__ import annotations

import numpy as np

from foliation.data.arrays import Array, Longs
from foliation.evaluation import Evaluation
from foliation.plotting.style import AMOUNTS, CLASSES, literal, panels, root_figure, shortened
from foliation.report import html

_MOST_COLUMNS = 12  # of a table that still fits on paper
_MOST_CLASSES = 1000  # of a figure, in which more could not be told apart
_MOST_NAMES = 40  # of classes along a side of the figure
_MOST_MISTAKES = 8  # in the alternative text


def scores(evaluation: Evaluation) -> str:
    rows = [(score.name, f"{score.value:.4g}", f"{score.low:.4g} to {score.high:.4g}") for score in evaluation.scores]
    table = html.table(f"On {evaluation.n_rows:,} rows", ("score", "value", "95 % interval"), rows)
    return (html.note(f"{evaluation.notice}.") if evaluation.notice else "") + table


def confusion(evaluation: Evaluation) -> str:
    """Return a table, a figure if there are too many classes for a table, or a sentence if for both."""
    assert evaluation.confusion is not None and evaluation.classes is not None
    if len(evaluation.classes) > _MOST_CLASSES:
        return html.paragraph(f"{_right(evaluation.confusion)}. So many classes do not fit into a picture.")
    if len(evaluation.classes) > _MOST_COLUMNS:
        return _confusion_picture(evaluation.classes, evaluation.confusion)
    rows = [(label, *counts) for label, counts in zip(evaluation.classes, evaluation.confusion.tolist(), strict=True)]
    caption = "Rows by true class, and by predicted class from left to right"
    return html.table(caption, ("true", *evaluation.classes), rows)


def _confusion_picture(classes: Array, counts: Longs) -> str:
    side = float(np.clip(0.2 * len(classes), 5.0, 8.0))
    (ax,) = panels(None, 1, size=(side + 1.5, side))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    image = ax.imshow(shares, cmap=AMOUNTS, vmin=0, vmax=1, interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="share of the true class", shrink=0.8)
    ax.set(xlabel="predicted", ylabel="true")
    if len(classes) <= _MOST_NAMES:
        names = [literal(shortened(label)) for label in classes]
        ax.set_xticks(range(len(names)), names, fontsize="x-small", rotation=90)
        ax.set_yticks(range(len(names)), names, fontsize="x-small")
    alt = "; ".join([_right(counts), *_mistakes(classes, counts)]) + "."
    return html.picture(root_figure(ax), alt, "Rows of each true class by predicted class, as shares.")


def _right(counts: Longs) -> str:
    return f"Confusion of {len(counts):,} classes: {np.trace(counts):,} of {counts.sum():,} rows are right"


def _mistakes(classes: Array, counts: Longs) -> list[str]:
    """Return the most frequent mistakes in words."""
    wrong = counts - np.diag(np.diag(counts))
    order = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_MISTAKES]
    pairs = [np.unravel_index(cell, wrong.shape) for cell in order if wrong.flat[cell]]
    return [f"true {classes[i]}, predicted {classes[j]}: {wrong[i, j]}" for i, j in pairs]


def calibration(evaluation: Evaluation) -> str:
    """Return a figure of the share of right predictions against their probability."""
    assert evaluation.calibration is not None
    confidence = [part.confidence for part in evaluation.calibration]
    right = [part.right for part in evaluation.calibration]
    values = [score.value for score in right]
    bars = [[score.value - score.low for score in right], [score.high - score.value for score in right]]
    (ax,) = panels(None, 1, size=(4.4, 3.6))
    ax.plot([0, 1], [0, 1], color="#999999", linestyle=":", label="perfectly calibrated")
    ax.errorbar(confidence, values, bars, fmt="o-", color=CLASSES[0], capsize=3, label="this forest")
    ax.set(xlabel="probability of the predicted class", ylabel="share that is right", xlim=(0, 1.02), ylim=(0, 1.02))
    ax.legend(frameon=False)
    error = evaluation["calibration error"]
    pairs = zip(values, confidence, strict=True)
    alt = "Share of right predictions against their probability: " + "; ".join(f"{v:.2f} at {c:.2f}" for v, c in pairs)
    caption = f"Predicted probabilities and shares of right predictions differ by {error} on average."
    return html.picture(root_figure(ax), alt, caption)

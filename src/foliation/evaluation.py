"""How good a forest is on rows that it has not seen: scores with intervals, confusion and calibration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats

from foliation.data.arrays import Array, Bools, Data, Floats, Longs
from foliation.memory import check_memory
from foliation.model.fitted import FittedForest, fitted_model
from foliation.model.training import count_training_rows
from foliation.printable import quoted
from foliation.warn import warn

N_BINS = 10  # of predicted probabilities
_DRAWS = 1000  # of the bootstrap
_LEVEL = 0.95
_Z = float(stats.norm.ppf(0.5 + _LEVEL / 2))
_NEAR = 1e-9  # areas this close count as equal
_SMALLEST = np.finfo(np.float64).eps  # smaller probabilities are raised to it before taking logarithms


class Score(NamedTuple):
    """A score and its 95 % interval."""

    name: str
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g})"


class Calibration(NamedTuple):
    """Rows whose predicted class has a probability in one range: its mean, and the share of right predictions."""

    confidence: float
    right: Score  # its name holds the range
    n_rows: int


@dataclass(frozen=True)
class Evaluation:
    """Scores of a forest on some rows. A regression has no classes, confusion or calibration."""

    n_rows: int
    scores: list[Score]
    classes: Array | None = None
    confusion: Longs | None = None  # true classes by predicted ones
    calibration: list[Calibration] | None = None  # from the least confident rows to the most
    n_training_rows: int = 0  # that the forest was trained on, as far as it knows them

    @property
    def notice(self) -> str:
        """Warning about training samples among the samples; empty if there are none."""
        if not self.n_training_rows:
            return ""
        return (
            f"{self.n_training_rows:,} of {self.n_rows:,} rows are training rows of the forest: "
            "the scores are optimistic"
        )

    def __getitem__(self, name: str) -> Score:
        return next(score for score in self.scores if score.name == name)

    def __str__(self) -> str:
        width = max(len(score.name) for score in self.scores)
        lines = [f"{score.name:{width}}  {score}" for score in self.scores]
        return "\n".join([*lines, self.notice] if self.notice else lines)


def evaluate(forest: FittedForest, X: Data, y: Data) -> Evaluation:
    """Score a fitted classifier or regressor of one output on rows with known targets.

    Parameters
    ----------
    forest : ForestClassifier or ForestRegressor
    X : array of shape (n, p) or (n, *grid)
    y : array of shape (n,)

    Returns
    -------
    Evaluation
        Scores with 95 % intervals: Wilson's for shares, combined as variances are for the balanced accuracy; DeLong's
        for the AUROC (of several classes: one against the rest, averaged), and Newcombe's where all rows agree; by the
        bootstrap for the calibration error and for regressions; normal for the log loss. If some of the rows are
        training rows, it says how many, and a warning does.
    """
    targets = fitted_model(forest).targets
    if not targets.n_outputs:
        raise TypeError(f"forest is a {type(forest).__name__}, which predicts nothing: expected one that does")
    if targets.n_outputs > 1:
        raise ValueError(f"forest has {targets.n_outputs} outputs: expected one")
    y = np.asarray(y).reshape(-1)
    if targets.kind == "classes":
        scored = _classes(targets.classes[0], np.asarray(forest.predict_proba(X)), y)
    else:
        scored = _numbers(np.asarray(forest.predict(X)).reshape(-1), y)
    n_known = count_training_rows(forest.model_, forest._rows(X), forest._machine())
    evaluation = replace(scored, n_training_rows=n_known)
    if evaluation.notice:
        warn(evaluation.notice)
    return evaluation


def _classes(classes: Array, proba: Floats, y: Array) -> Evaluation:
    _check_length(proba, y)
    matrix = f"the confusion matrix of {len(classes):,} classes"
    check_memory(matrix, 8.0 * len(classes) ** 2, "compare predict(X) with y by other means")
    codes = _codes(classes, y)
    predicted = proba.argmax(axis=1)
    right = predicted == codes
    confusion = np.zeros((len(classes), len(classes)), np.int64)
    np.add.at(confusion, (codes, predicted), 1)
    calibration = _calibration(proba.max(axis=1), right)
    scores = [_share("accuracy", right), _balanced(confusion), _log_loss(proba, codes)]
    scores += [_auroc(proba, codes)] if len(np.unique(codes)) > 1 else []
    scores.append(_calibration_error(proba.max(axis=1), right))
    return Evaluation(len(y), scores, classes, confusion, calibration)


def _codes(classes: Array, y: Array) -> Longs:
    """Return the number of each label among the classes."""
    numbers = {label: number for number, label in enumerate(classes.tolist())}
    try:
        labels, inverse = np.unique(y, return_inverse=True)
    except TypeError:  # labels that cannot be ordered: not all of them are classes, which can be
        labels, inverse = y, np.empty(0, np.int64)
    unknown = [label for label in labels.tolist() if label not in numbers]
    if unknown:
        raise ValueError(f"y contains the class {quoted(unknown[0])}: expected classes that the forest was trained on")
    return np.array([numbers[label] for label in labels.tolist()], dtype=np.int64)[inverse]


def _check_length(predicted: Array, y: Array) -> None:
    if len(predicted) != len(y):
        raise ValueError(f"X has {len(predicted)} rows and y has {len(y)}")


def _share(name: str, right: Bools) -> Score:
    interval = stats.binomtest(int(right.sum()), len(right)).proportion_ci(_LEVEL, method="wilson")
    return Score(name, float(right.mean()), float(interval.low), float(interval.high))


def _around(name: str, value: float, error: float, low: float = 0.0, high: float = 1.0) -> Score:
    return Score(name, value, max(low, value - _Z * error), min(high, value + _Z * error))


def _balanced(confusion: Longs) -> Score:
    """Return the mean of the recalls; their distances to their bounds are combined as independent errors are."""
    counts = [(int(confusion[k, k]), int(n)) for k, n in enumerate(confusion.sum(axis=1)) if n]
    recalls = np.array([_share("", np.arange(n) < n_right)[1:] for n_right, n in counts])
    value, low, high = recalls.T
    down, up = (float(np.sqrt(((value - bound) ** 2).sum()) / len(counts)) for bound in (low, high))
    mean = float(value.mean())
    return Score("balanced accuracy", mean, mean - down, mean + up)


def _log_loss(proba: Floats, codes: Longs) -> Score:
    losses = -np.log(np.maximum(proba[np.arange(len(codes)), codes], _SMALLEST))
    return _around("log loss", float(losses.mean()), _standard_error(losses), high=np.inf)


def _standard_error(values: Floats) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.inf


def _auroc(proba: Floats, codes: Longs) -> Score:
    """Return the mean over classes of the AUROC against the rest; with two classes that of the second."""
    present = [c for c in range(proba.shape[1]) if 0 < (codes == c).sum() < len(codes)]
    scored = present if proba.shape[1] > 2 else [1]
    parts = [_placements(proba[:, c], codes == c) for c in scored]
    value = float(np.mean([area for area, _ in parts]))
    error = float(np.sqrt((np.mean([spread for _, spread in parts], axis=0) ** 2).sum()))
    if error > 0:
        return _around("AUROC", value, error)
    rarest = min(int((codes == c).sum()) for c in scored)
    return Score("AUROC", value, *_area_bounds(value, rarest, len(codes) - rarest))


def _area_bounds(area: float, n_pos: int, n_neg: int) -> tuple[float, float]:
    """Return the smallest and the largest area whose interval, by Hanley and McNeil, holds this one (Newcombe)."""
    pairs, n_others = n_pos * n_neg, (n_pos + n_neg) / 2 - 1

    def beyond(true: float) -> float:
        factor = 1 + n_others * (1 - true) / (2 - true) + n_others * true / (1 + true)
        variance = true * (1 - true) / pairs * factor
        return (area - true) ** 2 - _Z**2 * variance

    low = optimize.brentq(beyond, 0.0, area - _NEAR) if area > _NEAR else 0.0
    high = optimize.brentq(beyond, area + _NEAR, 1.0) if area < 1 - _NEAR else 1.0
    return float(low), float(high)


def _placements(scores: Floats, positive: Bools) -> tuple[float, Floats]:
    """Return the area under a ROC curve, and the contribution of each row to its error (DeLong)."""
    ranks = stats.rankdata(scores)
    n_pos, n_neg = int(positive.sum()), int((~positive).sum())
    placed = np.empty(len(scores))
    placed[positive] = (ranks[positive] - stats.rankdata(scores[positive])) / n_neg
    placed[~positive] = 1.0 - (ranks[~positive] - stats.rankdata(scores[~positive])) / n_pos
    area = float(placed[positive].mean())
    spread = (placed - area) / np.where(positive, max(n_pos, 1), max(n_neg, 1))
    return area, spread


def _calibration(confidence: Floats, right: Bools) -> list[Calibration]:
    bins = _bins(confidence)
    return [
        Calibration(
            float(confidence[bins == k].mean()),
            _share(f"right at {k / N_BINS:.1f} to {(k + 1) / N_BINS:.1f}", right[bins == k]),
            int((bins == k).sum()),
        )
        for k in np.unique(bins)
    ]


def _bins(confidence: Floats) -> Longs:
    return np.minimum((confidence * N_BINS).astype(np.int64), N_BINS - 1)


def _calibration_error(confidence: Floats, right: Bools) -> Score:
    """Return the mean distance between confidence and accuracy over rows."""
    bins = _bins(confidence)
    gaps = confidence - right

    def error(rows: Longs) -> float:
        return float(np.abs(np.bincount(bins[rows], gaps[rows], N_BINS)).sum() / len(rows))

    return _by_bootstrap("calibration error", len(gaps), error)


def _by_bootstrap(name: str, n: int, score: Callable[[Longs], float], least: float = 0.0) -> Score:
    value = score(np.arange(n))
    rng = np.random.default_rng(0)
    drawn = np.array([score(rng.integers(0, n, n)) for _ in range(_DRAWS)])
    drawn = drawn[np.isfinite(drawn)]  # R squared does not exist for a draw of equal targets
    if n < 2 or not len(drawn):
        return Score(name, value, least, np.inf)  # one row has no spread
    low, high = np.quantile(drawn, [0.5 - _LEVEL / 2, 0.5 + _LEVEL / 2])
    return Score(name, value, min(value, float(low)), max(value, float(high)))


def _numbers(predicted: Floats, y: Array) -> Evaluation:
    _check_length(predicted, y)
    try:
        truth = y.astype(np.float64)
    except (ValueError, TypeError) as error:
        raise ValueError(f"y contains an invalid number ({error}): expected numbers") from error
    if not np.isfinite(truth).all():
        raise ValueError("y contains NaN or infinity; drop these rows")
    residuals = predicted - truth

    def explained(rows: Longs) -> float:
        total = float(((truth[rows] - truth[rows].mean()) ** 2).sum())
        return 1.0 - float((residuals[rows] ** 2).sum()) / total if total > 0 else float("nan")

    scores = [
        _by_bootstrap("R squared", len(y), explained, least=-np.inf),
        _by_bootstrap("root mean squared error", len(y), lambda rows: float(np.sqrt((residuals[rows] ** 2).mean()))),
        _by_bootstrap("mean absolute error", len(y), lambda rows: float(np.abs(residuals[rows]).mean())),
    ]
    return Evaluation(len(y), scores)

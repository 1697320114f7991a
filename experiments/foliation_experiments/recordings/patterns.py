"""Common spatial patterns: sums of channels whose variance tells two classes apart (Koles 1991; Blankertz 2008)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.signal import butter, sosfiltfilt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

_BAND = (8.0, 30.0)  # Hz: the rhythms over the motor cortex
_ORDER = 4

Trials = NDArray[np.float64]  # (n, channels, times)


class SpatialPatterns(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Logarithms of the variances of the patterns that differ most between two classes, from 8 to 30 Hz.

    Parameters
    ----------
    rate : float
        Samples per second.
    pairs : int, default=3
        Patterns of each class.
    shrinkage : float, default=0.1
        Share of the mean variance in the covariance of a class.
    """

    def __init__(self, rate: float, pairs: int = 3, shrinkage: float = 0.1) -> None:
        self.rate = rate
        self.pairs = pairs
        self.shrinkage = shrinkage

    def fit(self, X: Any, y: Any) -> SpatialPatterns:
        trials = self._banded(X)
        first, second = (self._covariance(trials[y == label]) for label in np.unique(y))
        _, patterns = eigh(first, first + second)
        pairs = min(self.pairs, patterns.shape[1] // 2)
        self.patterns_ = np.concatenate((patterns[:, :pairs], patterns[:, -pairs:]), axis=1)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        return np.asarray(np.log((self.patterns_.T @ self._banded(X)).var(axis=2)))

    def _banded(self, X: Any) -> Trials:
        sections = butter(_ORDER, _BAND, "bandpass", fs=self.rate, output="sos")
        return np.asarray(sosfiltfilt(sections, np.asarray(X, dtype=np.float64), axis=2))

    def _covariance(self, trials: Trials) -> NDArray[np.float64]:
        """Return the mean covariance of trials, each divided by its trace, drawn towards equal variances."""
        each = trials @ trials.transpose(0, 2, 1)
        mean = (each / np.trace(each, axis1=1, axis2=2)[:, None, None]).mean(axis=0)
        n = len(mean)
        return np.asarray((1 - self.shrinkage) * mean + self.shrinkage * np.trace(mean) / n * np.eye(n))


def pattern_classifier(rate: float) -> Any:
    """Return logistic regression on the variances of spatial patterns, not fitted."""
    return make_pipeline(SpatialPatterns(rate), StandardScaler(), LogisticRegression(max_iter=1000))

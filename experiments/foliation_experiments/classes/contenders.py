"""The classifiers of the MORF paper, by the names of its figures.

Forests get the rows as they are, in their shape: sums of columns are not invariant to scaling each. All others get
standardised columns, and all but the ConvNet flat ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC, LinearSVC

from foliation import ForestClassifier, Sparse
from foliation_experiments.classes.convnet import ConvNet, Layers

Options = dict[str, Any]  # of a forest

FORESTS: dict[str, Options] = {
    "RF": {"projections": "axis"},
    "SPORF": {"projections": Sparse()},
}


def forest(options: Options, seed: int, n_jobs: int = 1) -> Any:
    return ForestClassifier(n_jobs=n_jobs, random_state=seed, **options)


def convnet(layers: Layers, seed: int) -> Any:
    return make_pipeline(_Standardised(), ConvNet(layers, seed))


def _flat(X: Any) -> Any:
    return np.asarray(X, dtype=np.float64).reshape(len(X), -1)


def _standardised(estimator: Any) -> Any:
    return make_pipeline(FunctionTransformer(_flat), StandardScaler(), estimator)


class _Standardised(StandardScaler):  # type: ignore[misc]  # scikit-learn has no types
    """Standardise every cell of a grid and keep its shape."""

    def fit(self, X: Any, y: Any = None) -> Any:
        return super().fit(_flat(X))

    def transform(self, X: Any) -> Any:
        return super().transform(_flat(X)).reshape(X.shape)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        return self.fit(X).transform(X)


def _boosted(rounds: int, seed: int, n_jobs: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=rounds, n_jobs=n_jobs, random_state=seed)


OTHERS: dict[str, Callable[[int, int], Any]] = {  # by the seed and the threads; some have none of their own
    "LR": lambda seed, n_jobs: LogisticRegression(max_iter=1000),
    "linear SVM": lambda seed, n_jobs: LinearSVC(max_iter=10_000, random_state=seed),
    "SVM": lambda seed, n_jobs: SVC(gamma="scale"),
    "kNN": lambda seed, n_jobs: KNeighborsClassifier(5, n_jobs=n_jobs),
    "MLP": lambda seed, n_jobs: MLPClassifier((100,), max_iter=1000, random_state=seed),
    "XGB 10": lambda seed, n_jobs: _boosted(10, seed, n_jobs),
    "XGB 100": lambda seed, n_jobs: _boosted(100, seed, n_jobs),
}


def other(method: str, seed: int, n_jobs: int = 1) -> Any:
    """Return one of the classifiers that know no grid."""
    return _standardised(OTHERS[method](seed, n_jobs))

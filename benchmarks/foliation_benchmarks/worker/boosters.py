"""Gradient boosting with default settings, 100 rounds: for scale only, it grows other trees."""

from __future__ import annotations

from functools import partial
from typing import Any

from .contract import Array, Candidates, Counts, Runner, Task, flat32

_ROUNDS = 100
_DISTRIBUTIONS = {"xgboost": "xgboost-cpu", "lightgbm": "lightgbm"}  # as pip knows them


def _fit_xgboost(task: Task, X: Array, y: Array) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=_ROUNDS, n_jobs=task.threads, random_state=task.seed).fit(X, y)


def _fit_lightgbm(task: Task, X: Array, y: Array) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=_ROUNDS, n_jobs=task.threads, random_state=task.seed, verbose=-1).fit(X, y)


def _one_row(model: Any, X: Array) -> Any:
    model.set_params(n_jobs=1)
    return partial(model.predict_proba, X[:1])


def runner(package: str) -> Runner:
    return Runner(
        _DISTRIBUTIONS[package],
        prepare=flat32,
        fit=_fit_xgboost if package == "xgboost" else _fit_lightgbm,
        predict=lambda model, X: model.predict_proba(X),
        count=lambda model, train, test: Counts(_ROUNDS),
        candidates=lambda task, X: Candidates(task.candidates, 0.0, "not the same method"),
        one_row=_one_row,
    )

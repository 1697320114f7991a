"""Growth with scikit-learn's callbacks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import foliation as fo

X, Y = load_iris(return_X_y=True)


class Recorder:
    """What scikit-learn's protocol asks of a callback."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.stop_after = stop_after
        self.began = self.ended = 0
        self.events: list[str] = []
        self.scores: list[float] = []

    def setup(self, estimator: Any, context: Any) -> None:
        self.events.append("setup")

    def teardown(self, estimator: Any, context: Any) -> None:
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        self.began += context.task_name == "tree"

    def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any = None) -> bool:
        if context.task_name != "tree":
            return False
        self.ended += 1
        self.scores.append(fitted_estimator.score(X, Y))
        return self.ended == self.stop_after


def with_callback(recorder: Recorder, **settings: Any) -> fo.ForestClassifier:
    pytest.importorskip("sklearn.callback", reason="scikit-learn's callbacks come with 1.9")
    forest = fo.ForestClassifier(9, random_state=0, **settings)
    forest.set_callbacks(recorder)
    return forest.fit(X, Y)


@pytest.mark.parametrize("projections", [None, fo.Patches(views=("raw", "spectrum"))], ids=str)
def test_callbacks_see_every_tree(projections: Any) -> None:
    recorder = Recorder()
    forest = with_callback(recorder, n_jobs=2, projections=projections)
    assert (recorder.began, recorder.ended, recorder.events) == (9, 9, ["setup", "teardown"])
    assert recorder.scores[-1] == forest.score(X, Y)
    plain = fo.ForestClassifier(9, projections=projections, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(forest.predict_proba(X), plain.predict_proba(X))


def test_a_callback_can_stop_the_fit() -> None:
    forest = with_callback(Recorder(stop_after=4), n_jobs=1)
    assert len(forest.n_nodes_) == 4


def test_a_failing_callback_leaves_the_forest_unfitted() -> None:
    class Failing(Recorder):
        def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any = None) -> bool:
            raise RuntimeError("enough")

    failing = Failing()
    with pytest.raises(RuntimeError, match="enough"):
        with_callback(failing)
    assert failing.events == ["setup", "teardown"]

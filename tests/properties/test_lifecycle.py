"""Fits, warm starts, saves, copies, questions, failures and interruptions in any order, against fresh forests.

An interruption is Ctrl-C at any line of the package, or within any call of the core. Which ones is drawn as shares of
all lines, or calls of the core, that such a call takes, so that late ones are hit as often as early ones.
"""

from __future__ import annotations

import copy
import pickle
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bits import assert_same_answers, assert_same_bits, tree_bits
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from identical import identical
from interrupted import Interrupting, interrupted_at_line, interrupted_in_core, n_steps
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import foliation as fo

pytestmark = pytest.mark.filterwarnings(
    "ignore:.* rows have no out-of-bag prediction",
    "ignore:warm_start without a larger n_estimators",
    "ignore:all .* rows of X are in one leaf",
    "ignore:unclosed file:ResourceWarning",  # interrupted as a "with" is about to close it
)

N, SHAPE = 24, (3, 2)
ROWS = np.random.default_rng(0).normal(size=(N, *SHAPE))
NEW = np.random.default_rng(1).normal(size=(7, *SHAPE))
Y = np.arange(N) % 3
KNOWN: dict[str, Any] = {}  # fresh forests by their parameters and numbers of trees

FORESTS: dict[str, Any] = {
    "classifier": fo.ForestClassifier(2, random_state=0, oob_score=True, bootstrap=True),
    "honest classifier": fo.ForestClassifier(2, honest=True, projections="patches", random_state=0, bootstrap=True),
    "regressor": fo.ForestRegressor(2, projections="series", random_state=0, bootstrap=True),
    "geodesic": fo.GeodesicForest(2, random_state=0, min_samples_split=4, min_samples_leaf=1, n_neighbors=3),
}
PARAMETERS: dict[str, list[Any]] = {
    "n_estimators": [1, 2, 3, 5],
    "warm_start": [False, True],
    "max_depth": [None, 2],  # of the trees that come
    "bootstrap": [True, False],  # of all trees of a forest
    "random_state": [0, 1],  # of a forest that is begun
    "n_jobs": [1, 2],
}


HOW: list[Interrupting] = [interrupted_at_line, interrupted_in_core]
N_TIMES, MOST = 4, 2**16  # interruptions of a rule, and shares of a call that it may begin at
SHARES = st.integers(0, MOST - 1).map(lambda drawn: drawn * 40503 % MOST)  # Hypothesis prefers small numbers


def fit(forest: Any) -> None:
    forest.fit(ROWS, Y)


def ask(forest: Any) -> None:
    forest.kneighbors(None, 3)


def save(forest: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        forest.save(Path(folder) / "forest.fol")


@cache
def n_steps_of(work: Callable[[Any], None], name: str, how: Interrupting) -> int:
    """Return how many lines, or calls of the core, some work takes that is done with a forest."""
    forests = [clone(FORESTS[name]) for _ in range(2)]
    if work is not fit:
        for forest in forests:
            fit(forest)
    return n_steps(how, lambda: work(forests.pop()))


def fit_with_a_wrong_parameter(forest: Any, X: Any) -> None:
    given = forest.max_features
    try:
        forest.set_params(max_features="most").fit(X, Y)
    finally:
        forest.set_params(max_features=given)


def same_values(these: dict[str, Any], those: dict[str, Any]) -> bool:
    """Return whether two forests have the same attributes, each the very same object."""
    return these.keys() == those.keys() and all(these[name] is those[name] for name in these)


BAD_FITS: list[Callable[[Any, Any], object]] = [
    lambda forest, X: forest.fit(np.where(np.arange(N)[:, None, None] == 3, np.nan, X), Y),
    lambda forest, X: forest.fit(X[0, 0], Y),
    fit_with_a_wrong_parameter,
]


class Lifecycle(RuleBasedStateMachine):
    """What is expected of a fitted forest: a seed, and for each tree the parameters by which it was grown."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.trees: list[Any] = []  # the unfitted forest that each tree belongs to
        self.has_rows = False  # whether the forest refers to its training rows
        self.knows_leaves = False

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize(name=st.sampled_from(list(FORESTS)), warm_start=st.booleans(), is_fitted=st.integers(0, 3))
    def begin(self, name: str, warm_start: bool, is_fitted: int) -> None:
        self.name = name
        self.forest = clone(FORESTS[name]).set_params(warm_start=warm_start)
        self.X = ROWS.copy()
        if is_fitted:
            self.fit()

    # ---- what is expected ----

    @property
    def is_fitted(self) -> bool:
        return len(self.trees) > 0

    @property
    def is_changed(self) -> bool:
        return bool(self.X[0, 0, 0] != ROWS[0, 0, 0])

    def fresh(self, forest: Any, n_trees: int) -> Any:
        """Return a forest of these parameters that is fitted at once."""
        key = f"{forest!r} {n_trees}"
        if key not in KNOWN:
            at_once = clone(forest).set_params(n_estimators=n_trees, warm_start=False, n_jobs=1)
            KNOWN[key] = at_once.fit(ROWS, Y)
        return KNOWN[key]

    def continues(self) -> bool:
        return self.is_fitted and bool(self.forest.warm_start)

    def refuses(self) -> bool:
        """Return whether the trees that are there belong to another forest."""
        few = self.forest.n_estimators < len(self.trees)
        out_of_bag = getattr(self.forest, "oob_score", False) and not self.forest.bootstrap
        if out_of_bag:
            return True
        return bool(self.continues() and (few or self.trees[0].bootstrap != self.forest.bootstrap))

    def expect_fit(self) -> None:
        """Note the trees that a fit has added."""
        kept = self.trees if self.continues() else []
        begun = clone(self.forest)
        if kept:
            begun.set_params(random_state=kept[0].random_state)
        self.trees = kept + [begun] * (self.forest.n_estimators - len(kept))
        self.has_rows, self.knows_leaves = True, False

    @invariant()
    def trees_are_those_of_fresh_forests(self) -> None:
        if not hasattr(self, "forest"):
            return
        if not self.is_fitted:
            with pytest.raises(NotFittedError):
                self.forest.apply(NEW)
            return
        n_trees = len(self.trees)
        assert self.forest.model_.n_trees == n_trees
        for number, owner in enumerate(self.trees):
            assert identical(tree_bits(self.forest, number), tree_bits(self.fresh(owner, n_trees), number))
        if getattr(self.forest, "oob_score", False):
            assert 0 <= self.forest.oob_score_ <= 1
        if len({repr(owner) for owner in self.trees}) == 1:
            fresh = self.fresh(self.trees[0], n_trees)
            assert_same_bits(self.forest, fresh)
            assert_same_answers(self.forest, fresh, NEW)

    # ---- fits ----

    @rule(data=st.data())
    def set_params(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(list(PARAMETERS)))
        self.forest.set_params(**{name: data.draw(st.sampled_from(PARAMETERS[name]))})

    @rule()
    def fit(self) -> None:
        self.X[...] = ROWS
        if self.refuses():
            before = self.forest.__dict__.get("model_")
            with pytest.raises(ValueError):
                self.forest.fit(self.X, Y)
            assert self.forest.__dict__.get("model_") is before
            return
        assert self.forest.fit(self.X, Y) is self.forest
        self.expect_fit()

    @precondition(lambda self: self.is_fitted and self.forest.bootstrap == self.trees[0].bootstrap)
    @rule(n_more=st.integers(1, 2), max_depth=st.sampled_from(PARAMETERS["max_depth"]))
    def add_trees(self, n_more: int, max_depth: int | None) -> None:
        self.forest.set_params(warm_start=True, n_estimators=len(self.trees) % 8 + n_more, max_depth=max_depth)
        self.fit()

    @rule(bad=st.sampled_from(BAD_FITS))
    def fail_to_fit(self, bad: Callable[[Any, Any], object]) -> None:
        before = self.forest.__dict__.get("model_")
        parameters = self.forest.get_params()
        with pytest.raises(ValueError):
            bad(self.forest, self.X)
        assert self.forest.__dict__.get("model_") is before
        assert repr(self.forest.get_params()) == repr(parameters)

    def steps(self, work: Callable[[Any], None], how: Interrupting, share: int) -> list[int]:
        """Return which lines, or calls of the core, of such work to interrupt, in order: evenly spread from a share."""
        n = n_steps_of(work, self.name, how)
        return sorted({1 + (share + k * MOST // N_TIMES) % MOST * n // MOST for k in range(N_TIMES)})

    @rule(how=st.sampled_from(HOW), share=SHARES)
    def interrupt_fits(self, how: Interrupting, share: int) -> None:
        """The forest is then as it was, or fitted; never anything between."""
        self.X[...] = ROWS
        for step in self.steps(fit, how, share):
            self.fit_until(how, step)

    def fit_until(self, how: Interrupting, step: int) -> None:
        before = dict(vars(self.forest))
        try:
            with how(step):
                self.forest.fit(self.X, Y)
        except KeyboardInterrupt:
            if self.forest.__dict__.get("model_") is before.get("model_"):
                assert same_values(vars(self.forest), before)
                return
        except ValueError:
            assert self.refuses() and same_values(vars(self.forest), before)
            return
        assert not self.refuses()
        self.expect_fit()  # all that was left was to return
        self.trees_are_those_of_fresh_forests()

    # ---- the training rows ----

    @rule()
    def change_rows_in_place(self) -> None:
        self.X[...] = ROWS if self.is_changed else ROWS + 1.0

    @precondition(lambda self: self.is_changed and self.continues())
    @rule()
    def continue_with_changed_rows(self) -> None:
        before = self.forest.model_
        with pytest.raises(ValueError):
            self.forest.fit(self.X, Y)
        assert self.forest.model_ is before

    @precondition(lambda self: self.is_fitted)
    @rule()
    def remember(self) -> None:
        if self.has_rows and self.is_changed and not self._all_is_known():
            with pytest.raises(ValueError, match="changed in place"):
                self.forest.remember()
            return
        try:
            self.forest.remember()
        except ValueError as error:
            assert not self.has_rows and "training rows" in str(error)
            return
        self.knows_leaves = True

    def _all_is_known(self) -> bool:
        cached = self.forest.model_.training.cached
        return bool({"leaves", "hashes", *(["oob"] if hasattr(self.forest, "predict") else [])} <= cached.keys())

    @precondition(lambda self: self.is_fitted)
    @rule(given=st.booleans())
    def ask_for_neighbors(self, given: bool) -> None:
        X = NEW if given else None
        if self.is_changed and self.has_rows and not self.knows_leaves:
            with pytest.raises(ValueError, match="changed in place"):
                self.forest.kneighbors(X, 3)
            return
        if not self.has_rows and not self.knows_leaves:
            with pytest.raises(ValueError, match="this needs the training rows"):
                self.forest.kneighbors(X, 3)
            return
        found = self.forest.kneighbors(X, 3)
        self.knows_leaves = True
        if len({repr(owner) for owner in self.trees}) == 1:
            np.testing.assert_equal(found, self.fresh(self.trees[0], len(self.trees)).kneighbors(X, 3))

    @precondition(lambda self: self.is_fitted)
    @rule(how=st.sampled_from(HOW), share=SHARES)
    def interrupt_questions(self, how: Interrupting, share: int) -> None:
        """What was found of the training rows until then is right: the next answer is as if nothing had happened."""
        before = dict(vars(self.forest))
        for step in self.steps(ask, how, share):
            try:
                with how(step):
                    self.forest.kneighbors(None, 3)
            except KeyboardInterrupt:
                self.knows_leaves = "leaves" in self.forest.model_.training.cached
            except ValueError:
                assert not self.knows_leaves and (self.is_changed or not self.has_rows)
            assert same_values(vars(self.forest), before)
        self.ask_for_neighbors(given=False)

    # ---- copies ----

    def replace(self, other: Any) -> None:
        assert type(other) is type(self.forest) and other is not self.forest
        assert repr(other.get_params()) == repr(self.forest.get_params())
        if self.is_fitted:
            self.knows_leaves = self.knows_leaves or (self.has_rows and not self.is_changed)  # a light forest
        self.forest, self.has_rows = other, False

    @precondition(lambda self: self.is_fitted)
    @rule(mmap=st.booleans())
    def save_and_load(self, mmap: bool) -> None:
        self.forest.save(self.folder / "forest.fol")
        self.replace(fo.load(self.folder / "forest.fol", mmap=mmap))

    @precondition(lambda self: self.is_fitted)
    @rule(how=st.sampled_from(HOW), share=SHARES)
    def interrupt_saves(self, how: Interrupting, share: int) -> None:
        """The file then holds all of the forest before it, or all of this one."""
        before = dict(vars(self.forest))
        for step in self.steps(save, how, share):
            self.save_until(how, step)
            assert same_values(vars(self.forest), before)

    def save_until(self, how: Interrupting, step: int) -> None:
        place = self.folder / "kept.fol"
        before = place.read_bytes() if place.exists() else None
        with suppress(KeyboardInterrupt), how(step):
            self.forest.save(place)
            before = b""  # it was not interrupted
        if place.exists() and place.read_bytes() != before:
            assert_same_bits(fo.load(place), self.forest)
        else:
            assert place.exists() == (before is not None)
        assert {path.name for path in self.folder.iterdir()} <= {"kept.fol", "forest.fol"}

    @rule(how=st.sampled_from([lambda forest: pickle.loads(pickle.dumps(forest)), copy.copy, copy.deepcopy]))
    def copied(self, how: Callable[[Any], Any]) -> None:
        self.replace(how(self.forest))

    @rule()
    def cloned(self) -> None:
        self.forest = clone(self.forest)
        self.trees, self.has_rows, self.knows_leaves = [], False, False
        self.fit()


Lifecycle.TestCase.settings = settings(stateful_step_count=20)
test_any_order_of_calls_gives_what_fresh_forests_give = Lifecycle.TestCase

"""Warnings point at the line of the user, however deep in the package they arise."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import foliation as fo
from foliation.warn import warn


def line() -> int:
    """Return the number of the line that calls."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


def inside(folder: Path, call: str) -> ModuleType:
    """Return a module as if it were a file in a folder; its function `f` makes the call."""
    module = ModuleType("inside")
    source = f"def f(*arguments):\n    return {call}\n"
    exec(compile(source, str(folder / "made_up.py"), "exec"), vars(module))
    return module


OURS = Path(fo.__file__).parent


def test_the_caller_outside_of_the_package_is_named() -> None:
    module = inside(OURS / "analysis", "warn('too many pairs')")
    vars(module)["warn"] = warn
    with pytest.warns(UserWarning, match="^too many pairs$") as caught:
        here = line() + 1
        module.f()
    assert (caught[0].filename, caught[0].lineno) == (__file__, here)


@pytest.mark.parametrize("folder", [OURS, OURS / "model", Path(sklearn.__file__).parent / "utils"], ids=str)
def test_frames_of_the_package_and_of_scikit_learn_are_passed_over(folder: Path) -> None:
    outer, inner = inside(folder, "arguments[0]()"), inside(OURS, "warn('deep')")
    vars(inner)["warn"] = warn
    with pytest.warns(UserWarning, match="^deep$") as caught:
        here = line() + 1
        outer.f(inner.f)
    assert (caught[0].filename, caught[0].lineno) == (__file__, here)


def test_a_user_between_two_frames_of_the_package_is_the_innermost_one() -> None:
    inner = inside(OURS, "warn('from a callback')")
    vars(inner)["warn"] = warn

    def callback() -> int:
        inner.f()
        return line() - 1

    with pytest.warns(UserWarning, match="callback") as caught:
        here = inside(OURS, "arguments[0]()").f(callback)
    assert (caught[0].filename, caught[0].lineno) == (__file__, here)


def test_the_category_is_that_asked_for() -> None:
    with pytest.warns(RuntimeWarning, match="^slow$"):
        warn("slow", RuntimeWarning)


def test_a_fit_within_scikit_learn_warns_at_the_line_of_the_user() -> None:
    X = np.ones((12, 2))
    forest = make_pipeline(clone(fo.GeodesicForest(3)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        forest.fit(X)
    ours = [entry for entry in caught if "in one leaf" in str(entry.message)]
    assert [entry.filename for entry in ours] == [__file__]

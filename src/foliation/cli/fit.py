"""``foliation fit``."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from sklearn.model_selection import train_test_split

from foliation.cli.answers import plain_errors
from foliation.cli.data import Data, DataError, read
from foliation.cli.describe import describe_forest
from foliation.cli.evaluate import show_evaluation
from foliation.cli.options import Kind, forest_of, shape_of, with_parameters
from foliation.files.whole import check_place
from foliation.presets import bootstraps

_FEW_CLASSES = 20
_USUAL = {"n_jobs": "-1", "random_state": "0", "verbose": "1"}  # of the command; other parameters have the forests'


class _Kind(StrEnum):
    classifier = "classifier"
    regressor = "regressor"
    geodesic = "geodesic"


@with_parameters
def fit(
    data: Annotated[Path, typer.Argument(help="Rows: npz, npy, csv, parquet or ts.", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model file to write.")] = Path("model.fol"),
    target: Annotated[str | None, typer.Option(help="What to predict: a column, or an array of an npz.")] = None,
    kind: Annotated[_Kind | None, typer.Option(help="The forest; by the target if not given.")] = None,
    shape: Annotated[str | None, typer.Option(help="Shape of a row, such as 28x28, if rows are flat.")] = None,
    test_size: Annotated[float | None, typer.Option(help="Share of the rows to keep for a test.")] = None,
    test: Annotated[Path | None, typer.Option(help="Rows to test on, in a file of their own.")] = None,
    projections: Annotated[
        str | None,
        typer.Option(help="axis, sparse, patches, image, series, channels; or patches:max_size=5,contrast=0.5."),
    ] = None,
    **parameters: str | None,
) -> None:
    """Train a forest on a file and write it to another.

    With a target of labels, or of a few whole numbers, it is a classifier, with one of other numbers a regressor,
    without one a geodesic forest, which finds distances; --kind decides otherwise. Unless told otherwise, all threads
    are used, the seed is 0, and the score out of the bag is worked out where there is one.

        foliation fit digits.npz -o digits.fol --projections image --test-size 0.2

        foliation fit wine.csv --target quality -o wine.fol --n-estimators 500 --oob-score true
    """
    console = Console()
    with plain_errors(console):
        if test_size is not None and test is not None:
            raise DataError("--test-size and --test do not go together.")
        if test_size is not None and not 0 < test_size < 1:
            raise DataError(f"--test-size {test_size:g} must lie between 0 and 1.")
        check_place(output)
        found = read(data, target, shape_of(shape))
        chosen = kind.value if kind else _kind_for(found)
        if chosen != "geodesic" and found.y is None:
            raise DataError(f"A {chosen} needs --target.")
        forest = forest_of(chosen, {**_USUAL, **_given(parameters), "projections": projections})
        if "oob_score" in forest.get_params() and parameters.get("oob_score") is None:
            forest.set_params(oob_score=bootstraps(forest) and not (forest.honest and forest.honest_fill == "oob"))
        train, tested = _divided(found, test_size, chosen)
        if test is not None:
            tested = read(test, target, shape_of(shape), found.names)
        begin = time.perf_counter()
        rows = train.frame_or_rows()
        forest = forest.fit(rows) if chosen == "geodesic" else forest.fit(rows, train.y)
        seconds = time.perf_counter() - begin
        forest.set_params(verbose=0).save(output)
        describe_forest(console, forest, output)
        console.print(f"Trained on {len(train.X):,} rows in {seconds:.2f} s.", highlight=False)
        if tested is not None and chosen != "geodesic":
            show_evaluation(console, forest, tested)


def _given(parameters: dict[str, str | None]) -> dict[str, str]:
    return {name: text for name, text in parameters.items() if text is not None}


def _kind_for(found: Data) -> Kind:
    if found.y is None:
        return "geodesic"
    return "regressor" if found.y.dtype.kind in "iuf" and not _are_labels(found.y) else "classifier"


def _are_labels(y: np.ndarray) -> bool:
    """Say whether numbers are those of classes: whole, and few against the rows."""
    few = max(len(y) // 10, min(_FEW_CLASSES, len(y) // 2))
    return bool(np.isfinite(y).all() and (y == np.round(y)).all() and len(np.unique(y)) <= few)


def _divided(found: Data, test_size: float | None, kind: Kind) -> tuple[Data, Data | None]:
    if test_size is None:
        return found, None
    strata = found.y if kind == "classifier" else None
    kept, tested = train_test_split(np.arange(len(found.X)), test_size=test_size, random_state=0, stratify=strata)
    return found.part(kept), found.part(tested)

"""``foliation fit``."""

from __future__ import annotations

import time
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from sklearn.model_selection import train_test_split

from foliation.cli.data import Data, read
from foliation.cli.describe import describe_forest
from foliation.cli.errors import DataError, plain_errors
from foliation.cli.evaluate import evaluation_of, known_labels, show_evaluation
from foliation.cli.parameters import USUAL, Kind, forest_of, shape_of, with_parameters
from foliation.cli.tables import check_output

_FEW_CLASSES = 20


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
    leave_out: Annotated[
        list[str] | None, typer.Option(help="A column not to learn from; may be given several times.")
    ] = None,
    projections: Annotated[
        str | None,
        typer.Option(help="axis, sparse, patches, kernels, image, series, channels; options: patches:max_size=5."),
    ] = None,
    **parameters: str | None,
) -> None:
    """Train a forest on a file and write it to another.

    With a target of labels, or of a few whole numbers, it is a classifier, with one of other numbers a regressor,
    without one a geodesic forest, which finds distances; --kind decides otherwise. Unless told otherwise, all threads
    are used, the seed is 0, and the score out of the bag is worked out where there is one.

        foliation fit digits.npz -o digits.fol --projections image --test-size 0.2

        foliation fit wine.csv --target quality -o wine.fol --n-estimators 500
    """
    console = Console()
    with plain_errors():
        _check_places(data, output, test, test_size)
        found = read(data, target, left_out=leave_out or ()).shaped(data, shape_of(shape))
        chosen = kind.value if kind else _kind_for(found)
        if chosen != "geodesic" and found.y is None:
            raise DataError(f"A {chosen} needs --target.")
        forest = forest_of(chosen, {**USUAL, **_given(parameters), "projections": projections})
        if "oob_score" in forest.get_params() and parameters.get("oob_score") is None:
            settings = forest._settings()
            forest.set_params(oob_score=settings.bootstraps and not settings.fills_out_of_bag)
        train, tested = _divided(found, test_size, chosen)
        if test is not None:
            tested = read(test, target, found.names).shaped(test, shape_of(shape))
            if chosen == "classifier" and tested.y is not None and found.y is not None:
                tested = tested._replace(y=known_labels(found.y, tested.y))
        if tested is not None:
            _check_test(train, tested, chosen)
        begin = time.perf_counter()
        rows = train.X if train.X.ndim > 2 else train.frame_or_rows()
        forest = forest.fit(rows) if chosen == "geodesic" else forest.fit(rows, train.y)
        seconds = time.perf_counter() - begin
        if train.names is not None:  # of rows with a shape, too
            forest.model_ = replace(forest.model_, feature_names=np.array(train.names, dtype=object))
        if chosen == "geodesic":
            forest.remember()  # what neighbors and embed ask for, however large
        forest.set_params(verbose=0).save(output)
        describe_forest(console, forest, output)
        console.print(f"Trained on {len(train.X):,} rows in {seconds:.2f} s.", highlight=False)
        if tested is not None:
            show_evaluation(console, evaluation_of(forest, tested))


def _check_places(data: Path, output: Path, test: Path | None, test_size: float | None) -> None:
    """Complain before anything is read or grown."""
    check_output(output, (), data, test)
    if test_size is not None and test is not None:
        raise DataError("--test-size and --test do not go together.")
    if test_size is not None and not 0 < test_size < 1:
        raise DataError(f"--test-size {test_size:g} must lie between 0 and 1.")


def _check_test(train: Data, tested: Data, kind: Kind) -> None:
    """Complain of rows that could not be tested on, before a forest is grown."""
    if kind == "geodesic":
        raise DataError("A geodesic forest predicts nothing that could be tested; leave --test-size and --test out.")
    if tested.y is None or train.y is None:
        raise DataError("The rows to test on have no targets.")
    if train.y.ndim > 1 and train.y.shape[1] > 1:
        raise DataError(f"There are {train.y.shape[1]} targets for each row; leave --test-size and --test out.")
    if tested.X.shape[1:] != train.X.shape[1:]:
        raise DataError(f"The rows to test on have shape {tested.X.shape[1:]}, the others {train.X.shape[1:]}.")
    if tested.X.dtype.kind == "f" and not np.isfinite(tested.X).all():
        raise DataError("The rows to test on hold NaN or infinity; impute or drop it.")
    unknown = set(tested.y.ravel().tolist()) - set(train.y.ravel().tolist())
    if kind == "classifier" and unknown:
        raise DataError(f"The rows to test on have the class {unknown.pop()!r}, which the others have not.")


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
    several = found.y is not None and found.y.ndim > 1
    strata = found.y if kind == "classifier" and not several else None
    if strata is not None:
        labels, counts = np.unique(strata.astype(str), return_counts=True)
        if counts.min() < 2:
            raise DataError(
                f"The class {labels[counts.argmin()]} has one row, which cannot be in both parts; see --test."
            )
    kept, tested = train_test_split(np.arange(len(found.X)), test_size=test_size, random_state=0, stratify=strata)
    return found.part(kept), found.part(tested)

"""``foliation fit``."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from sklearn.model_selection import train_test_split

from foliation.cli.data import Dataset, read, with_types_of
from foliation.cli.describe import describe_forest
from foliation.cli.errors import CommandError, plain_errors
from foliation.cli.evaluate import evaluation_of, show_evaluation
from foliation.cli.parameters import DEFAULTS, Kind, forest_of, shape_of, with_parameters
from foliation.cli.tables import check_output
from foliation.data.arrays import Array
from foliation.estimators.forest import Forest
from foliation.model.sampling import bootstraps, estimates_out_of_bag
from foliation.printable import quoted

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
    kind: Annotated[_Kind | None, typer.Option(help="Kind of forest; chosen by the target by default.")] = None,
    shape: Annotated[str | None, typer.Option(help="Shape of a row, such as 28x28, if rows are flat.")] = None,
    test_size: Annotated[float | None, typer.Option(help="Share of the rows to hold out for a test.")] = None,
    test: Annotated[Path | None, typer.Option(help="A file of rows to test on.")] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option(help="A column not to learn from; may be given several times.")
    ] = None,
    projections: Annotated[
        str | None,
        typer.Option(help="axis, sparse, patches, kernels, image, series, channels; options: patches:max_size=5."),
    ] = None,
    **parameters: str | None,
) -> None:
    """Train a forest on a file of rows."""
    console = Console()
    with plain_errors():
        _check_options(data, output, test, test_size)
        dataset = read(data, target, left_out=leave_out or ()).reshaped(shape_of(shape))
        chosen = kind.value if kind else _kind_for(dataset)
        if chosen != "geodesic" and dataset.y is None:
            raise CommandError(f"a {chosen} needs --target")
        forest = _forest(chosen, {**parameters, "projections": projections})
        train, held_out = _split(dataset, test_size, chosen)
        if test is not None:
            held_out = _read_test(test, target, dataset, chosen).reshaped(shape_of(shape))
        if held_out is not None:
            _check_test(train, held_out, chosen)
        seconds = _train(forest, train, chosen)
        forest.set_params(verbose=0).save(output)
        describe_forest(console, forest, output)
        console.print(f"Trained on {len(train.X):,} rows in {seconds:.2f} s.", highlight=False)
        if held_out is not None:
            show_evaluation(console, evaluation_of(forest, held_out))


def _check_options(data: Path, output: Path, test: Path | None, test_size: float | None) -> None:
    """Raise CommandError before anything is read or trained."""
    check_output(output, (), data, test)
    if test_size is not None and test is not None:
        raise CommandError("--test-size and --test exclude each other")
    if test_size is not None and not 0 < test_size < 1:
        raise CommandError(f"invalid --test-size {test_size:g}: expected a number between 0 and 1")


def _kind_for(dataset: Dataset) -> Kind:
    if dataset.y is None:
        return "geodesic"
    return "regressor" if dataset.y.dtype.kind in "iuf" and not _are_labels(dataset.y) else "classifier"


def _are_labels(y: Array) -> bool:
    """Return whether numbers look like labels: integers, and few distinct ones among the rows."""
    few = max(len(y) // 10, min(_FEW_CLASSES, len(y) // 2))
    return bool(np.isfinite(y).all() and (y == np.round(y)).all() and len(np.unique(y)) <= few)


def _forest(kind: Kind, options: Mapping[str, str | None]) -> Forest:
    """Return the forest of the options, with an out-of-bag score if it is free and not given."""
    forest = forest_of(kind, {**DEFAULTS, **{name: text for name, text in options.items() if text is not None}})
    if "oob_score" in forest.get_params() and options.get("oob_score") is None:
        settings = forest._settings()
        forest.set_params(oob_score=bootstraps(settings) and not estimates_out_of_bag(settings))
    return forest


def _split(dataset: Dataset, test_size: float | None, kind: Kind) -> tuple[Dataset, Dataset | None]:
    """Split rows into those to train on and those to test on; classes are spread evenly."""
    if test_size is None:
        return dataset, None
    several = dataset.y is not None and dataset.y.ndim > 1
    strata = dataset.y if kind == "classifier" and not several else None
    if strata is not None:
        labels, counts = np.unique(strata.astype(str), return_counts=True)
        if counts.min() < 2:
            rare = labels[counts.argmin()]
            raise CommandError(f"--test-size: class {rare} has one row, so it cannot be in both parts; see --test")
    kept, tested = train_test_split(np.arange(len(dataset.X)), test_size=test_size, random_state=0, stratify=strata)
    return dataset.subset(kept), dataset.subset(tested)


def _read_test(path: Path, target: str | None, train: Dataset, kind: Kind) -> Dataset:
    """Read rows to test on: the columns of the training rows, with labels of the same types."""
    held_out = read(path, target, train.names)
    if kind == "classifier" and held_out.y is not None and train.y is not None:
        return held_out._replace(y=with_types_of(train.y, held_out.y))
    return held_out


def _check_test(train: Dataset, held_out: Dataset, kind: Kind) -> None:
    """Raise CommandError for rows that cannot be tested on, before a forest is trained."""
    if kind == "geodesic":
        raise CommandError("a geodesic forest predicts nothing that could be tested; leave --test-size and --test out")
    if held_out.y is None or train.y is None:
        raise CommandError("the rows to test on have no targets")
    if train.y.ndim > 1 and train.y.shape[1] > 1:
        raise CommandError(f"there are {train.y.shape[1]} targets for each row; leave --test-size and --test out")
    if held_out.X.shape[1:] != train.X.shape[1:]:
        raise CommandError(
            f"the rows to test on have shape {held_out.X.shape[1:]}; expected that of the others, {train.X.shape[1:]}"
        )
    if held_out.X.dtype.kind == "f" and not np.isfinite(held_out.X).all():
        raise CommandError("the rows to test on contain NaN or infinity; impute or drop it")
    unknown = set(held_out.y.ravel().tolist()) - set(train.y.ravel().tolist())
    if kind == "classifier" and unknown:
        raise CommandError(f"--test: unknown class {quoted(unknown.pop())}; expected a class of the training rows")


def _train(forest: Forest, train: Dataset, kind: Kind) -> float:
    """Fit the forest; return the seconds that it took."""
    begin = time.perf_counter()
    rows = train.X if train.X.ndim > 2 else train.frame_or_rows()
    forest.fit(rows, None if kind == "geodesic" else train.y)
    seconds = time.perf_counter() - begin
    if train.names is not None:  # of rows with a shape, too
        forest.model_ = replace(forest.model_, feature_names=np.array(train.names, dtype=object))
    if kind == "geodesic":
        forest.remember()  # what neighbors and embed need, however large
    return seconds

"""``foliation predict``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from foliation.cli.data import read_for
from foliation.cli.errors import CommandError, plain_errors
from foliation.cli.tables import TYPES, check_output, write_columns
from foliation.data.arrays import Array
from foliation.estimators.forest import Forest
from foliation.estimators.load import load

if TYPE_CHECKING:
    from polars import DataFrame


def predict(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    data: Annotated[Path, typer.Argument(help="Rows to predict.", show_default=False)],
    target: Annotated[
        str | None, typer.Option(help="A column or array of targets, which is copied to the output.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A csv, npz or parquet file; standard output by default.")
    ] = None,
) -> None:
    """Predict the rows of a file."""
    with plain_errors():
        if output is not None:
            check_output(output, TYPES, model, data)
        forest = load(model)
        if not forest.n_outputs_:
            raise CommandError(f"cannot predict with {model}: it is a geodesic forest; see neighbors and embed")
        dataset = read_for(forest, data, target)
        columns = predictions(forest, dataset.frame_or_rows())
        if target is not None and dataset.y is not None:
            columns["target"] = dataset.y
        write_columns(columns, output)


def predictions(forest: Forest, X: DataFrame | Array) -> dict[str, Array]:
    """Return predictions as columns; of several outputs, all columns of the first come first."""
    targets = forest.model_.targets
    if targets.kind != "classes":
        values = np.asarray(forest.predict(X)).reshape(-1, targets.n_outputs)
        names = ["prediction"] if targets.n_outputs == 1 else [f"prediction {k}" for k in range(targets.n_outputs)]
        return dict(zip(names, values.T, strict=True))
    proba = forest.predict_proba(X)
    blocks: list[Array] = proba if isinstance(proba, list) else [proba]
    columns: dict[str, Array] = {}
    for number, (labels, block) in enumerate(zip(targets.classes, blocks, strict=True)):
        suffix = f" {number}" if isinstance(proba, list) else ""
        columns[f"prediction{suffix}"] = labels[block.argmax(axis=1)]
        columns |= {f"probability{suffix} of {label}": block[:, k] for k, label in enumerate(labels)}
    return columns

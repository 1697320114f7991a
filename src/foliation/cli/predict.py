"""``foliation predict``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from foliation.cli.errors import DataError, plain_errors
from foliation.cli.evaluate import read_for
from foliation.cli.tables import KINDS, check_output, write_columns
from foliation.estimators.load import load


def predict(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    data: Annotated[Path, typer.Argument(help="Rows to predict.", show_default=False)],
    target: Annotated[str | None, typer.Option(help="A column or array to leave alone, and to write beside.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A csv, npz or parquet; to the screen if none.")
    ] = None,
) -> None:
    """Predict rows: the class and the probability of each, or the number.

    Columns of a table are found by their names; others are left alone.

        foliation predict wine.fol new.csv -o predictions.csv
    """
    with plain_errors():
        if output is not None:
            check_output(output, KINDS, model, data)
        forest = load(model)
        if not forest.n_outputs_:
            raise DataError(f"{model} is a geodesic forest, which predicts nothing; see neighbors and embed.")
        found = read_for(forest, data, target)
        columns = predicted(forest, found.frame_or_rows())
        if target is not None and found.y is not None:
            columns["target"] = found.y
        write_columns(columns, output)


def predicted(forest: Any, X: Any) -> dict[str, NDArray[Any]]:
    """Return predictions as columns: of several outputs, all of the first come first."""
    if not hasattr(forest, "classes_"):
        values = np.asarray(forest.predict(X))
        values = values.reshape(len(values), -1)
        names = ["prediction"] if values.shape[1] == 1 else [f"prediction {k}" for k in range(values.shape[1])]
        return dict(zip(names, values.T, strict=True))
    proba = forest.predict_proba(X)
    several = isinstance(proba, list)
    found: dict[str, NDArray[Any]] = {}
    for number, (known, part) in enumerate(
        zip(forest.classes_ if several else [forest.classes_], proba if several else [proba], strict=True)
    ):
        suffix = f" {number}" if several else ""
        found[f"prediction{suffix}"] = known[part.argmax(axis=1)]
        found |= {f"probability{suffix} of {label}": part[:, k] for k, label in enumerate(known)}
    return found

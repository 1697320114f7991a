"""``foliation neighbors`` and ``foliation embed``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from foliation.cli.errors import DataError, plain_errors
from foliation.cli.evaluate import read_for
from foliation.cli.tables import KINDS, check_output, write_columns
from foliation.estimators.load import load


class _Method(StrEnum):
    spectral = "spectral"
    umap = "umap"
    mds = "mds"


def neighbors(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    data: Annotated[Path | None, typer.Option(help="Rows whose neighbours to find; the training rows if none.")] = None,
    n: Annotated[
        int | None, typer.Option("--n-neighbors", "-k", min=1, help="How many; the forest's own if none.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A csv, npz or parquet; to the screen if none.")
    ] = None,
) -> None:
    """Find the training rows that are nearest to others: a line for each pair, with their distance.

    For example:

        foliation neighbors helix.fol -k 10 -o neighbours.csv
    """
    with plain_errors():
        if output is not None:
            check_output(output, KINDS, model, data)
        forest = load(model)
        X = None if data is None else read_for(forest, data, None).frame_or_rows()
        distances, indices = forest.kneighbors(X, n_neighbors=n)
        k = indices.shape[1]
        columns = {
            "row": np.repeat(np.arange(len(indices)), k),
            "neighbor": indices.ravel(),
            "distance": distances.ravel(),
        }
        write_columns(columns, output)


def embed(
    model: Annotated[Path, typer.Argument(help="A model file of a geodesic forest.", show_default=False)],
    method: Annotated[_Method, typer.Option(help="How coordinates are found.")] = _Method.spectral,
    components: Annotated[int, typer.Option("--n-components", min=1, help="Number of coordinates.")] = 2,
    n: Annotated[int | None, typer.Option("--n-neighbors", "-k", min=1, help="Neighbours in the graph.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A csv, npz or parquet; to the screen if none.")
    ] = None,
) -> None:
    """Give the training rows coordinates in which near ones are near.

    For example:

        foliation embed helix.fol -o places.csv
    """
    with plain_errors():
        if output is not None:
            check_output(output, KINDS, model)
        forest = load(model)
        if not hasattr(forest, "embed"):
            raise DataError(f"{model} is no geodesic forest; only these embed.")
        found = forest.embed(components, method.value, n_neighbors=n, random_state=0)
        write_columns({f"x{k}": column for k, column in enumerate(found.T)}, output)

"""``foliation neighbors`` and ``foliation embed``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from foliation.cli.data import read_for
from foliation.cli.errors import CommandError, plain_errors
from foliation.cli.tables import TYPES, check_output, write_columns
from foliation.estimators.geodesic import GeodesicForest
from foliation.estimators.load import load

_Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="A csv, npz or parquet file; standard output by default.")
]


class _Method(StrEnum):
    spectral = "spectral"
    umap = "umap"
    mds = "mds"


def neighbors(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    data: Annotated[
        Path | None, typer.Option(help="Rows whose neighbors to find; the training rows by default.")
    ] = None,
    n_neighbors: Annotated[
        int | None, typer.Option("--n-neighbors", "-k", min=1, help="Number of neighbors; the forest's by default.")
    ] = None,
    output: _Output = None,
) -> None:
    """Write the nearest training rows of each row."""
    with plain_errors():
        if output is not None:
            check_output(output, TYPES, model, data)
        forest = load(model)
        X = None if data is None else read_for(forest, data, None).frame_or_rows()
        distances, indices = forest.kneighbors(X, n_neighbors)
        rows = np.repeat(np.arange(len(indices)), indices.shape[1])
        write_columns({"row": rows, "neighbor": indices.ravel(), "distance": distances.ravel()}, output)


def embed(
    model: Annotated[Path, typer.Argument(help="A model file of a geodesic forest.", show_default=False)],
    method: Annotated[_Method, typer.Option(help="How the coordinates are computed.")] = _Method.spectral,
    components: Annotated[int, typer.Option("--n-components", min=1, help="Number of coordinates.")] = 2,
    n_neighbors: Annotated[
        int | None, typer.Option("--n-neighbors", "-k", min=1, help="Neighbors in the graph; the forest's by default.")
    ] = None,
    output: _Output = None,
) -> None:
    """Write coordinates of the training rows."""
    with plain_errors():
        if output is not None:
            check_output(output, TYPES, model)
        forest = load(model)
        if not isinstance(forest, GeodesicForest):
            raise CommandError(f"cannot embed {model}: it is a {type(forest).__name__}; expected a GeodesicForest")
        coordinates = forest.embed(components, method.value, n_neighbors=n_neighbors, random_state=0)
        write_columns({f"x{k}": column for k, column in enumerate(coordinates.T)}, output)

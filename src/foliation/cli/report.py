"""``foliation report`` and ``foliation explain``."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from foliation.cli.data import read_for
from foliation.cli.errors import CommandError, plain_errors, show_path
from foliation.cli.tables import check_output, write_columns
from foliation.data.arrays import Array, Floats
from foliation.estimators.forest import Forest
from foliation.estimators.load import load
from foliation.io.atomic import write_atomic
from foliation.model.model import Model
from foliation.plotting import ImportanceMap
from foliation.plotting.grid import AxisNames
from foliation.plotting.style import use_agg
from foliation.printable import quoted

_FIGURES = (".png", ".svg", ".pdf")


_Channels = Annotated[str | None, typer.Option(help="Names of the channels: C3,Cz,C4.", show_default=False)]
_Times = Annotated[str | None, typer.Option(help="First and last time of a row: -0.1:0.9.", show_default=False)]
_Unit = Annotated[str, typer.Option(help="Unit of the times.")]


class _Importance(Enum):
    gain = "gain"
    count = "count"


def report(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    data: Annotated[
        Path, typer.Option(help="Rows that the model has not seen, with their targets.", show_default=False)
    ],
    target: Annotated[str | None, typer.Option(help="The column or array that holds the targets.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write.")] = Path("report.html"),
    title: Annotated[str | None, typer.Option(help="Title of the report; the names of the files by default.")] = None,
    channels: _Channels = None,
    times: _Times = None,
    unit: _Unit = "s",
) -> None:
    """Write a report of a model."""
    console = Console()
    with plain_errors():
        check_output(output, (".html", ".htm"), model, data)
        forest = load(model)
        dataset = read_for(forest, data, target)
        if dataset.y is None:
            raise CommandError("no targets to compare with; name their column or array by --target")
        use_agg()
        names = _axis_names(forest.model_, channels, times, unit)
        forest.report(dataset.frame_or_rows(), dataset.y, output, title or f"{model.name} on {data.name}", **names)
        show_path(console, "Report", output)


def explain(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="A figure (png, svg, pdf) or a csv.")] = Path(
        "importance.png"
    ),
    kind: Annotated[_Importance, typer.Option(help="Shares of the gain, or of the splits.")] = _Importance.gain,
    data: Annotated[Path | None, typer.Option(help="Rows whose means are drawn, too.", show_default=False)] = None,
    target: Annotated[str | None, typer.Option(help="Their classes, each with its own mean.")] = None,
    channels: _Channels = None,
    times: _Times = None,
    unit: _Unit = "s",
) -> None:
    """Draw or write the importances of a model."""
    console = Console()
    with plain_errors():
        check_output(output, (".csv", *_FIGURES), model, data)
        forest = load(model)
        if output.suffix.lower() == ".csv":
            if data or target or channels or times:
                raise CommandError(
                    "--data, --target, --channels and --times are for figures; a csv has importances only"
                )
            write_columns(_columns(forest.model_, forest.importance(kind.value)), output)
        else:
            use_agg()
            names = _axis_names(forest.model_, channels, times, unit)
            _draw(forest, output, kind, data, target, names)
        show_path(console, "Written", output)


def _draw(
    forest: Forest, output: Path, kind: _Importance, data: Path | None, target: str | None, names: AxisNames
) -> None:
    dataset = None if data is None else read_for(forest, data, target)
    X = None if dataset is None else dataset.frame_or_rows()
    y = None if dataset is None or forest.model_.targets.kind != "classes" else dataset.y
    display = ImportanceMap.from_estimator(forest, X, y, kind=kind.value, **names)
    suffix = output.suffix[1:].lower()
    write_atomic(output, lambda file: display.figure_.savefig(file, dpi=150, format=suffix))


def _axis_names(model: Model, channels: str | None, times: str | None, unit: str) -> AxisNames:
    """Return names of places on the grid; times are evenly spaced from the first to the last."""
    names: AxisNames = {"channels": None if channels is None else channels.split(",")}
    if times is None:
        return names
    try:
        first, last = map(float, times.split(":"))
    except ValueError:
        raise CommandError(f"invalid --times {quoted(times)}: expected first and last, such as -0.1:0.9") from None
    return {**names, "times": np.linspace(first, last, model.grid_shape[-1]), "unit": unit}


def _columns(model: Model, importance: Floats) -> dict[str, Array]:
    """Return importances as a table: by the names of features, or by view and place."""
    views = model.views
    if model.feature_names is not None and views is None:
        return {"feature": np.asarray(model.feature_names), "importance": importance.ravel()}
    places = list(np.unravel_index(np.arange(importance.size), importance.shape))
    columns = {} if views is None else {"view": np.asarray(views.names)[places.pop(0)]}
    axes = {f"axis {k}": along for k, along in enumerate(places)}
    return {**columns, **axes, "importance": importance.ravel()}

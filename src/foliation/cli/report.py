"""``foliation report`` and ``foliation explain``."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console

from foliation.cli.errors import DataError, plain_errors, show_path
from foliation.cli.evaluate import read_for
from foliation.cli.tables import check_output, write_columns
from foliation.estimators.load import load
from foliation.io.atomic import write_atomic

_PICTURES = (".png", ".svg", ".pdf")


_Channels = Annotated[str | None, typer.Option(help="Names of channels: C3,Cz,C4.", show_default=False)]
_Times = Annotated[str | None, typer.Option(help="First and last time of a row: -0.1:0.9.", show_default=False)]
_Unit = Annotated[str, typer.Option(help="Unit of times.")]


class _Importance(Enum):
    gain = "gain"
    count = "count"


def report(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    data: Annotated[
        Path, typer.Option(help="Rows that the model has not seen, with their targets.", show_default=False)
    ],
    target: Annotated[str | None, typer.Option(help="The column or array that holds the targets.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = Path("report.html"),
    title: Annotated[str | None, typer.Option(help="Of the page; by the files if not given.")] = None,
    channels: _Channels = None,
    times: _Times = None,
    unit: _Unit = "s",
) -> None:
    """Write a page about a model: scores, confusion, calibration, where it looks, its trees, and odd rows.

    The page is one HTML file that needs nothing else.

        foliation report wine.fol --data test.csv --target quality -o wine.html
    """
    console = Console()
    with plain_errors():
        check_output(output, (".html", ".htm"), model, data)
        forest = load(model)
        found = read_for(forest, data, target)
        if found.y is None:
            raise DataError("There are no targets to compare with; --target names them.")
        _use_agg()
        names = _names(forest, channels, times, unit)
        title = title or f"{model.name} on {data.name}"
        forest.report(found.frame_or_rows(), found.y, output, title, **names)
        show_path(console, "Page", output)


def explain(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="A picture (png, svg, pdf) or a csv.")] = Path(
        "importance.png"
    ),
    kind: Annotated[_Importance, typer.Option(help="Shares of the gain, or of the splits.")] = _Importance.gain,
    data: Annotated[Path | None, typer.Option(help="Rows whose means are drawn beside.", show_default=False)] = None,
    target: Annotated[str | None, typer.Option(help="Their classes, each with its own mean.")] = None,
    channels: _Channels = None,
    times: _Times = None,
    unit: _Unit = "s",
) -> None:
    """Show where a model looks: the importance of each feature, as a picture or as a table.

    For example:

        foliation explain eeg.fol -o importance.png --channels C3,Cz,C4 --times -0.1:0.9
    """
    console = Console()
    with plain_errors():
        check_output(output, (".csv", *_PICTURES), model, data)
        forest = load(model)
        if output.suffix.lower() == ".csv":
            if data or target or channels or times:
                raise DataError(
                    "--data, --target, --channels and --times are for pictures; a csv has importances alone."
                )
            write_columns(_columns(forest, forest.importance(kind.value)), output)
        else:
            _use_agg()
            from foliation.plotting import ImportanceMap

            X = y = None
            if data is not None:
                found = read_for(forest, data, target)
                X, y = found.frame_or_rows(), found.y if hasattr(forest, "classes_") else None
            names = _names(forest, channels, times, unit)
            shown = ImportanceMap.from_estimator(forest, X, y, kind=kind.value, **names)
            write_atomic(output, lambda path: shown.figure_.savefig(path, dpi=150))
        show_path(console, "Written", output)


def _names(forest: Any, channels: str | None, times: str | None, unit: str) -> dict[str, Any]:
    """Return what the places of the grid are called; times are evenly spread from the first to the last."""
    names: dict[str, Any] = {"channels": None if channels is None else channels.split(",")}
    if times is None:
        return names
    try:
        first, last = map(float, times.split(":"))
    except ValueError:
        raise DataError(f"--times {times} is none; it is written like -0.1:0.9.") from None
    return {**names, "times": np.linspace(first, last, forest.grid_shape_[-1]), "unit": unit}


def _columns(forest: Any, found: Any) -> dict[str, Any]:
    """Return importances as a table: the names of features, or their places after the names of views."""
    views = forest.model_.views
    names = getattr(forest, "feature_names_in_", None)
    if names is not None and views is None:
        return {"feature": np.asarray(names), "importance": found.ravel()}
    places = list(np.unravel_index(np.arange(found.size), found.shape))
    columns = {} if views is None else {"view": np.asarray(views.names)[places.pop(0)]}
    return {**columns, **{f"axis {k}": along for k, along in enumerate(places)}, "importance": found.ravel()}


def _use_agg() -> None:
    """Draw without a screen."""
    from foliation.plotting.style import need_matplotlib

    need_matplotlib()
    import matplotlib

    matplotlib.use("Agg")

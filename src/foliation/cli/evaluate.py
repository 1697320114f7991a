"""``foliation evaluate``."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from foliation.cli.data import Data, read
from foliation.cli.errors import DataError, plain_errors
from foliation.cli.tables import check_output, write_lines
from foliation.estimators.load import load
from foliation.evaluation import Evaluation
from foliation.evaluation import evaluate as evaluate_forest
from foliation.io.atomic import write_atomic

_MOST_CLASSES = 20  # whose confusion fits on a screen


def evaluate(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    data: Annotated[Path, typer.Argument(help="Rows with their targets.", show_default=False)],
    target: Annotated[str | None, typer.Option(help="The column or array that holds the targets.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write all of it to a csv or json, too.")
    ] = None,
) -> None:
    """Score a model on rows that it has not seen: all scores with their 95 % intervals.

    Columns of a table are found by their names; others are left alone.

        foliation evaluate wine.fol test.csv --target quality -o scores.json
    """
    with plain_errors():
        if output is not None:
            check_output(output, (".csv", ".json"), model, data)
        forest = load(model)
        found = read_for(forest, data, target)
        scores = evaluation_of(forest, found)
        if output is not None:
            _write(scores, output)
        show_evaluation(Console(), scores)


def read_for(forest: Any, data: Path, target: str | None) -> Data:
    """Read rows as a forest knows them: its columns by name, in the shape that it was trained on."""
    names = getattr(forest, "feature_names_in_", None)
    found = read(data, target, None if names is None else list(names))
    found = found._replace(y=_known_labels(forest, found.y))
    if found.X[0].size != forest.n_features_in_:
        raise DataError(
            f"{data} has rows of {found.X[0].size} values; the model was trained on {forest.n_features_in_}."
        )
    if names is not None and found.names is None:
        return Data(found.X.reshape(len(found.X), -1), found.y, list(names))  # no names: in the order of the training
    return found if names is not None else Data(found.X.reshape(-1, *forest.model_.grid.shape), found.y)


def _known_labels(forest: Any, y: NDArray[Any] | None) -> NDArray[Any] | None:
    """Return labels as the forest has them: what is text in one kind of file may be a number in another."""
    if y is None or y.ndim > 1 or forest.n_outputs_ != 1 or not hasattr(forest, "classes_"):
        return y
    return known_labels(np.asarray(forest.classes_), y)


def known_labels(classes: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """Return labels in the type of others that are written the same."""
    if (classes.dtype.kind in "OU") == (y.dtype.kind in "OU"):
        return y
    known = {_as_text(label): label for label in classes.tolist()}
    return np.array([known.get(_as_text(label), label) for label in y.tolist()])


def _as_text(label: Any) -> str:
    if isinstance(label, bool):
        return str(label).lower()
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def evaluation_of(forest: Any, found: Data) -> Evaluation:
    if found.y is None:
        raise DataError("There are no targets to compare with; --target names them.")
    return evaluate_forest(forest, found.frame_or_rows(), found.y)


def show_evaluation(console: Console, shown: Evaluation) -> None:
    table = Table("score", "value", "95 % interval", title=f"{shown.n_rows:,} rows", title_justify="left")
    for score in shown.scores:
        table.add_row(score.name, f"{score.value:.4g}", f"{score.low:.4g} to {score.high:.4g}")
    console.print(table)
    if shown.confusion is not None and shown.classes is not None:
        _show_confusion(console, shown)
    if shown.calibration is not None:
        _show_calibration(console, shown)


def _show_confusion(console: Console, shown: Evaluation) -> None:
    assert shown.classes is not None and shown.confusion is not None
    if len(shown.classes) > _MOST_CLASSES:
        console.print(f"The confusion of {len(shown.classes)} classes is too wide for a screen; -o writes it.")
        return
    names = [Text(str(label)) for label in shown.classes]
    table = Table("true", *map(Column, names), title="Predicted classes", title_justify="left")
    for name, row in zip(names, shown.confusion, strict=True):
        table.add_row(name, *(f"{count:,}" if count else "" for count in row))
    console.print(table)


def _show_calibration(console: Console, shown: Evaluation) -> None:
    assert shown.calibration is not None
    table = Table("confidence", "right", "95 % interval", "rows", title="Calibration", title_justify="left")
    for confidence, right, count in shown.calibration:
        interval = f"{right.low:.3f} to {right.high:.3f}"
        table.add_row(f"{confidence:.3f}", f"{right.value:.3f}", interval, f"{count:,}")
    console.print(table)


def _finite(value: Any) -> Any:
    """Return a value for JSON, which has no word for infinity: nothing instead."""
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _write(shown: Evaluation, output: Path) -> None:
    """Write scores, confusion and calibration: as lines of a table, or as they are."""
    calibration = shown.calibration or []
    if output.suffix.lower() == ".json":
        confusion = [] if shown.confusion is None else shown.confusion.tolist()
        classes = [] if shown.classes is None else shown.classes.tolist()
        parts = [{"confidence": part.confidence, "n_rows": part.n_rows, **part.right._asdict()} for part in calibration]
        scores = {score.name: dict(zip(("value", "low", "high"), score[1:], strict=True)) for score in shown.scores}
        whole = {"n_rows": shown.n_rows, "scores": scores, "classes": classes}
        text = json.dumps(_finite({**whole, "confusion": confusion, "calibration": parts}), indent=1, allow_nan=False)
        write_atomic(output, lambda path: path.write_text(text + "\n", encoding="utf-8"))
        return
    lines: list[tuple[Any, ...]] = [(*score, shown.n_rows) for score in shown.scores]
    lines += [(*part.right, part.n_rows) for part in calibration]
    if shown.confusion is not None and shown.classes is not None:
        for label, counts in zip(shown.classes, shown.confusion.tolist(), strict=True):
            named = zip(shown.classes, counts, strict=True)
            lines += [(f"true {label} predicted {other}", n, "", "", sum(counts)) for other, n in named]
    write_lines(("score", "value", "low", "high", "rows"), lines, output)

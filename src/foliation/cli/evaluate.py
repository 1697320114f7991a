"""``foliation evaluate``."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from foliation.cli.data import Dataset, read_for
from foliation.cli.errors import CommandError, plain_errors
from foliation.cli.tables import check_output, write_lines
from foliation.estimators.forest import Forest
from foliation.estimators.load import load
from foliation.evaluation import Evaluation
from foliation.evaluation import evaluate as evaluate_forest
from foliation.io.atomic import write_atomic
from foliation.printable import printable

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | None"

_MOST_CLASSES = 20  # whose confusion matrix fits on a screen


def evaluate(
    model: Annotated[Path, typer.Argument(help="A model file.", show_default=False)],
    data: Annotated[Path, typer.Argument(help="Rows with their targets.", show_default=False)],
    target: Annotated[str | None, typer.Option(help="The column or array that holds the targets.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A csv or json file to write everything to, too.")
    ] = None,
) -> None:
    """Score a model on a file of rows with targets."""
    with plain_errors():
        if output is not None:
            check_output(output, (".csv", ".json"), model, data)
        forest = load(model)
        evaluation = evaluation_of(forest, read_for(forest, data, target))
        if output is not None:
            _write(evaluation, output)
        show_evaluation(Console(), evaluation)


def evaluation_of(forest: Forest, dataset: Dataset) -> Evaluation:
    if dataset.y is None:
        raise CommandError("no targets to compare with; name their column or array by --target")
    return evaluate_forest(forest, dataset.frame_or_rows(), dataset.y)


def show_evaluation(console: Console, evaluation: Evaluation) -> None:
    table = Table("score", "value", "95 % interval", title=f"{evaluation.n_rows:,} rows", title_justify="left")
    for score in evaluation.scores:
        table.add_row(score.name, f"{score.value:.4g}", f"{score.low:.4g} to {score.high:.4g}")
    console.print(table)
    if evaluation.confusion is not None and evaluation.classes is not None:
        _show_confusion(console, evaluation)
    if evaluation.calibration is not None:
        _show_calibration(console, evaluation)


def _show_confusion(console: Console, evaluation: Evaluation) -> None:
    assert evaluation.classes is not None and evaluation.confusion is not None
    if len(evaluation.classes) > _MOST_CLASSES:
        n_classes = len(evaluation.classes)
        console.print(f"The confusion matrix of {n_classes} classes is too wide for a screen; -o writes it.")
        return
    names = [Text(printable(label)) for label in evaluation.classes]
    table = Table("true", *map(Column, names), title="Predicted classes", title_justify="left")
    for name, counts in zip(names, evaluation.confusion, strict=True):
        table.add_row(name, *(f"{count:,}" if count else "" for count in counts))
    console.print(table)


def _show_calibration(console: Console, evaluation: Evaluation) -> None:
    assert evaluation.calibration is not None
    table = Table("confidence", "right", "95 % interval", "rows", title="Calibration", title_justify="left")
    for confidence, right, n_rows in evaluation.calibration:
        interval = f"{right.low:.3f} to {right.high:.3f}"
        table.add_row(f"{confidence:.3f}", f"{right.value:.3f}", interval, f"{n_rows:,}")
    console.print(table)


def _write(evaluation: Evaluation, output: Path) -> None:
    """Write scores, confusion and calibration: as JSON, or as lines of a csv."""
    if output.suffix.lower() == ".json":
        text = json.dumps(_finite(_as_json(evaluation)), indent=1, allow_nan=False)
        write_atomic(output, lambda file: file.write(f"{text}\n".encode()))
    else:
        write_lines(("score", "value", "low", "high", "rows"), _as_lines(evaluation), output)


def _as_json(evaluation: Evaluation) -> Json:
    bins = evaluation.calibration or []
    return {
        "n_rows": evaluation.n_rows,
        "n_training_rows": evaluation.n_training_rows,
        "scores": {
            score.name: {"value": score.value, "low": score.low, "high": score.high} for score in evaluation.scores
        },
        "classes": [] if evaluation.classes is None else evaluation.classes.tolist(),
        "confusion": [] if evaluation.confusion is None else evaluation.confusion.tolist(),
        "calibration": [
            {"confidence": part.confidence, "n_rows": part.n_rows, **part.right._asdict()} for part in bins
        ],
    }


def _as_lines(evaluation: Evaluation) -> list[tuple[object, ...]]:
    lines: list[tuple[object, ...]] = [(*score, evaluation.n_rows) for score in evaluation.scores]
    lines.append(("training rows", evaluation.n_training_rows, "", "", evaluation.n_rows))
    lines += [(*part.right, part.n_rows) for part in evaluation.calibration or []]
    if evaluation.confusion is None or evaluation.classes is None:
        return lines
    for label, counts in zip(evaluation.classes, evaluation.confusion.tolist(), strict=True):
        pairs = zip(evaluation.classes, counts, strict=True)
        lines += [(f"true {label} predicted {other}", count, "", "", sum(counts)) for other, count in pairs]
    return lines


def _finite(value: Json) -> Json:
    """Replace infinity and NaN, which JSON cannot hold, by null."""
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

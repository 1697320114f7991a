"""A model on one screen."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from commands import error_of, run
from rich.console import Console

import foliation as fo
from foliation.cli.describe import describe_forest


def test_models_are_described(model: Path) -> None:
    text = run("describe", model)
    for expected in ("178 of shape 13", "Sparse()", "most used atoms", f"{model.stat().st_size:,} bytes", "(accuracy)"):
        assert expected in text


def test_names_are_text_and_not_markup(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    labels = np.array(["[red]a[/red]", "[/]"])[np.arange(40) % 2]
    forest = fo.ForestClassifier(2, random_state=0).fit(X, labels)
    forest.save(tmp_path / "m.fol")
    out = io.StringIO()
    describe_forest(Console(file=out, width=200), forest, tmp_path / "m.fol")
    assert "2: [/], [red]a[/red]" in out.getvalue()


def test_other_files_are_refused(wine: Path) -> None:
    assert "is not a model file of foliation" in error_of("describe", wine)

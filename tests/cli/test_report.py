"""Importances and reports of a model: as figures, tables and pages, with names of channels and times."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from commands import FEW, error_of, read_csv, run
from sklearn.datasets import load_digits

import foliation as fo

NAMES = ("--channels", "Fz,Cz,Pz", "--times", "-0.1:0.85", "--unit", "s")


@pytest.fixture(scope="module")
def waves(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a model of recordings, and the recordings."""
    folder = tmp_path_factory.mktemp("waves")
    X, y = np.random.default_rng(0).normal(size=(60, 3, 20)), np.arange(60) % 2
    X[y == 1, 1, 5:9] += 2
    np.savez(folder / "waves.npz", X=X, y=y)
    run("fit", folder / "waves.npz", "-o", folder / "m.fol", "--projections", "patches", *FEW)
    return folder / "m.fol", folder / "waves.npz"


def test_importances_of_named_columns_are_a_table(model: Path, tmp_path: Path) -> None:
    run("explain", model, "-o", tmp_path / "importance.csv")
    lines = read_csv(tmp_path / "importance.csv")
    assert lines[0]["feature"] == "alcohol"
    assert [float(line["importance"]) for line in lines] == fo.load(model).importance("gain").tolist()
    run("explain", model, "-o", tmp_path / "importance.png", "--kind", "count")
    assert (tmp_path / "importance.png").read_bytes().startswith(b"\x89PNG")


def test_importances_of_views_have_their_names(tmp_path: Path) -> None:
    digits = load_digits()
    np.savez(tmp_path / "digits.npz", X=digits.images[:100], y=digits.target[:100])
    run("fit", tmp_path / "digits.npz", "-o", tmp_path / "m.fol", "--projections", "image", *FEW)
    run("explain", tmp_path / "m.fol", "-o", tmp_path / "importance.csv")
    lines = read_csv(tmp_path / "importance.csv")
    assert list(dict.fromkeys(line["view"] for line in lines)) == ["raw", "east", "west", "south", "north"]
    expected = fo.load(tmp_path / "m.fol").importance("gain")[1, 2, 3]
    (line,) = (line for line in lines if (line["view"], line["axis 0"], line["axis 1"]) == ("east", "2", "3"))
    assert float(line["importance"]) == expected


def test_reports_have_a_title_and_names(waves: tuple[Path, Path], tmp_path: Path) -> None:
    model, data = waves
    page = tmp_path / "page.html"
    run("report", model, "--data", data, "-o", page, "--title", "Waves", *NAMES)
    assert "<h1>Waves</h1>" in page.read_text() and "Cz, " in page.read_text()
    run("report", model, "--data", data, "-o", page)
    assert "<h1>m.fol on waves.npz</h1>" in page.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_figures_have_the_means_of_classes(waves: tuple[Path, Path], tmp_path: Path) -> None:
    model, data = waves
    run("explain", model, "-o", tmp_path / "with.svg", "--data", data, *NAMES)
    run("explain", model, "-o", tmp_path / "without.svg", *NAMES)
    assert (tmp_path / "with.svg").stat().st_size > 1.5 * (tmp_path / "without.svg").stat().st_size


def test_mistakes_are_one_sentence(waves: tuple[Path, Path], wine: Path, model: Path, tmp_path: Path) -> None:
    draw = ("explain", waves[0], "-o", tmp_path / "f.png")
    assert "channels has 2 names: expected 3" in error_of(*draw, "--channels", "Fz,Cz")
    assert "invalid --times 'now': expected first and last, such as -0.1:0.9" in error_of(*draw, "--times", "now")
    assert "are for figures" in error_of("explain", waves[0], "-o", tmp_path / "f.csv", "--times", "0:1")
    assert "expected a file name that ends in .csv, .png" in error_of("explain", model, "-o", tmp_path / "x.gif")
    assert "a file of its own" in error_of("explain", model, "--data", wine, "-o", wine)
    assert "by --target" in error_of("report", model, "--data", wine, "-o", tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []

"""What the README and the page of geodesic forests print is what they say, and figures are made."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pages
import pytest
from sklearn.datasets import load_digits

ROOT = Path(__file__).parent.parent


def example(name: str) -> Any:
    place = importlib.util.spec_from_file_location(f"{name}_example", ROOT / "examples" / f"{name}.py")
    assert place is not None and place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def test_readme_example(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = pages.run(ROOT / "README.md", {})
    accuracy = re.search(r"accuracy (0\.\d+)", shown)
    assert accuracy is not None and float(accuracy[1]) > 0.9
    assert "<=" in shown
    assert {file.name for file in tmp_path.iterdir()} == {"digits.fol", "digits.html"}


def test_geodesic_page() -> None:
    shares = re.findall(r"\d\.\d+", pages.run(ROOT / "docs" / "geodesic.md", {})[0])
    ours, theirs = float(shares[0]), float(shares[1])
    assert ours > 0.6 > 0.3 > theirs


def test_geodesic_figure(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FOLIATION_DATA", raising=False)
    monkeypatch.setitem(sys.modules, "umap", None)  # takes long; not there for everyone
    example("geodesic").main(tmp_path / "figure.png", n_trees=20, most_rows=200)
    found = dict(re.findall(r"(.*): (\d\.\d+) of the nearest", capsys.readouterr().out))
    assert len(found) == 10
    assert float(found["helix, 10 noise columns, forest"]) > float(found["helix, 10 noise columns, Euclidean"])
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_model_sizes() -> None:
    digits = load_digits()
    split = (digits.images[:1200], digits.target[:1200]), (digits.images[1200:], digits.target[1200:])
    (_, theirs, error), *ours = example("model_size").sizes(*split, 50)
    assert len(ours) == 2
    for _, size, own in ours:
        assert size < theirs / 2 and own < error + 0.03


def test_pictures_of_the_page(tmp_path: Path) -> None:
    example("pictures").main(tmp_path)
    page = (ROOT / "docs" / "pictures.md").read_text()
    for picture in tmp_path.glob("*.png"):
        assert f"({picture.name})" in page and (ROOT / "docs" / picture.name).exists()
    assert len(list(tmp_path.iterdir())) == 4

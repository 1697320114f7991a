"""What the README and the page of geodesic forests print is what they say, and the demo and a figure are made."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pages
import pytest

from foliation import demo

ROOT = Path(__file__).parent.parent


def test_readme_example(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = pages.run(ROOT / "README.md", {})
    accuracy = re.search(r"accuracy (0\.\d+)", shown)
    assert accuracy is not None and float(accuracy[1]) > 0.9
    assert "<=" in shown
    assert {file.name for file in tmp_path.iterdir()} == {"digits.fol", "digits.html"}


def test_demo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    demo.main(n_trees=10, figure=tmp_path / "figure.png")
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if re.search(r"(RF|SPORF|MORF) +0\.\d{4} ", line)]) == 12
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_geodesic_page() -> None:
    shares = re.findall(r"\d\.\d+", pages.run(ROOT / "docs" / "geodesic.md", {})[0])
    ours, theirs = float(shares[0]), float(shares[1])
    assert ours > 0.6 > 0.3 > theirs


def test_geodesic_figure(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FOLIATION_DATA", raising=False)
    monkeypatch.setitem(sys.modules, "umap", None)  # takes long; not there for everyone
    place = importlib.util.spec_from_file_location("geodesic_example", ROOT / "examples" / "geodesic.py")
    assert place is not None and place.loader is not None
    example = importlib.util.module_from_spec(place)
    place.loader.exec_module(example)
    example.main(tmp_path / "figure.png", n_trees=20, most_rows=200)
    found = dict(re.findall(r"(.*): (\d\.\d+) of the nearest", capsys.readouterr().out))
    assert len(found) == 10
    assert float(found["helix, 10 noise columns, forest"]) > float(found["helix, 10 noise columns, Euclidean"])
    assert (tmp_path / "figure.png").stat().st_size > 10_000

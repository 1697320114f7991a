"""Every piece of Python on every page runs: tutorials by themselves, guides with a small forest at hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sklearn.datasets import load_digits

import foliation as fo

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
WITHOUT_GIVEN = [
    *sorted((DOCS / "tutorials").glob("*.md")),
    ROOT / "README.md",
    *(DOCS / f"{name}.md" for name in ("index", "geodesic", "neighbours", "why_honest")),
]
WITH_GIVEN = [DOCS / f"{name}.md" for name in ("pictures", "model_files", "presets", "proximities")]
NOT_ALONE = [DOCS / "how_to_add.md"]  # a part of a module that is not there


def codes(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)  # pages write files
    monkeypatch.setitem(matplotlib.rcParams, "backend", "agg")
    monkeypatch.setitem(matplotlib.rcParams, "figure.max_open_warning", 0)


@pytest.mark.parametrize("page", WITHOUT_GIVEN, ids=lambda page: page.stem)
def test_page(page: Path) -> None:
    run(page, {})


@pytest.mark.parametrize("page", WITH_GIVEN, ids=lambda page: page.stem)
def test_page_with_a_forest_at_hand(page: Path) -> None:
    digits = load_digits()
    X, y = digits.images[:300], digits.target[:300]
    forest = fo.ForestClassifier(30, projections=fo.Patches(max_size=3), random_state=0).fit(X, y)
    run(page, {"fo": fo, "X": X, "y": y, "X_test": X, "y_test": y, "forest": forest})


def run(page: Path, names: dict[str, object]) -> None:
    for code in codes(page):
        exec(compile(code, page.name, "exec"), names)


def test_no_page_is_left_out() -> None:
    pages = [page for page in (ROOT / "README.md", *DOCS.rglob("*.md")) if codes(page)]
    assert sorted(pages) == sorted([*WITHOUT_GIVEN, *WITH_GIVEN, *NOT_ALONE])

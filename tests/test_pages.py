"""Every piece of Python on every page runs: tutorials by themselves, guides with a small forest at hand."""

from __future__ import annotations

import re
from pathlib import Path

import pages
import pytest
from sklearn.datasets import load_digits

import foliation as fo

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
ALONE = [DOCS / f"{name}.md" for name in ("index", "neighbours", "theory", "why_honest")]
ELSEWHERE = [ROOT / "README.md", DOCS / "geodesic.md"]  # test_examples looks at what they print
WITH_A_FOREST = [DOCS / f"{name}.md" for name in ("pictures", "model_files", "presets", "proximities")]
PARTS = [DOCS / "how_to_add.md"]  # of a module that is not there


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)  # pages write files
    monkeypatch.setitem(matplotlib.rcParams, "backend", "agg")
    monkeypatch.setitem(matplotlib.rcParams, "figure.max_open_warning", 0)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_tutorials_print_what_they_say(page: Path, tmp_path: Path) -> None:
    assert pages.run(page, {}) == pages.said(page)
    for picture in tmp_path.glob("*.png"):
        assert f"({picture.name})" in page.read_text() and (page.parent / picture.name).exists()


@pytest.mark.filterwarnings(
    "ignore:n_jobs value 1 overridden",  # umap-learn's, of a seed
    r"ignore:precomputed_knn\[2\] .* NNDescent object",  # umap-learn's, of neighbors that it has not found itself
)
@pytest.mark.parametrize("page", ALONE, ids=lambda page: page.stem)
def test_pages_run(page: Path) -> None:
    pages.run(page, {})


@pytest.mark.parametrize("page", WITH_A_FOREST, ids=lambda page: page.stem)
def test_pages_run_with_a_forest_at_hand(page: Path) -> None:
    digits = load_digits()
    X, y = digits.images[:300], digits.target[:300]
    forest = fo.ForestClassifier(30, projections=fo.Patches(max_size=3), random_state=0).fit(X, y)
    pages.run(page, {"fo": fo, "X": X, "y": y, "X_test": X, "y_test": y, "forest": forest})


def test_no_page_is_left_out() -> None:
    found = [page for page in (ROOT / "README.md", *DOCS.rglob("*.md")) if pages.codes(page)]
    assert sorted(found) == sorted([*TUTORIALS, *ALONE, *WITH_A_FOREST, *PARTS, *ELSEWHERE])


def test_every_test_that_holds_a_promise_is_there() -> None:
    named = re.findall(r"`(tests/[^`:]+)(?:::(\w+))?`", (DOCS / "reliability.md").read_text())
    assert len(named) > 20
    for path, test in named:
        text = (ROOT / path).read_text()
        assert not test or f"def {test}(" in text, path

"""The report: one file that needs nothing else, with words for every picture."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits
from typer.testing import CliRunner

import foliation as fo
from foliation.cli.app import app
from foliation.evaluation import evaluate

mpl.use("Agg")

DIGITS = load_digits()
X, Y = DIGITS.images, DIGITS.target


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    forest = fo.ForestClassifier(30, projections="image", random_state=0).fit(X[:500], Y[:500])
    path = forest.report(X[500:800], Y[500:800], tmp_path_factory.mktemp("report") / "digits.html", "Digits <8 x 8>")
    return Page(Path(path).read_text(encoding="utf-8"))


def test_it_has_all_sections_and_links_to_them(page: Page) -> None:
    marks = [found["id"] for found in page.all("h2")]
    links = [found["href"] for found in page.all("a") if (found["href"] or "").startswith("#")]
    assert marks == [
        "summary", "scores", "confusion", "calibration", "importance", "atlas", "trees", "profile", "rows", "settings",
    ]  # fmt: skip
    assert {f"#{mark}" for mark in marks} <= set(links)
    assert not page.open
    assert "Digits <8 x 8>" in page.words


def test_it_needs_no_network_and_runs_nothing(page: Page) -> None:
    for found in page.all("img"):
        assert (found["src"] or "").startswith("data:image/png;base64,")
    assert not page.all("script") and not page.all("iframe")
    assert [found["href"] for found in page.all("link")] == ["data:,"]


def test_it_can_be_heard(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    assert all(len(found["alt"] or "") > 20 for found in page.all("img"))
    assert len(page.all("table")) == len(page.all("caption"))
    assert all(found.get("scope") in ("row", "col") for found in page.all("th"))
    assert len(page.all("main")) == len(page.all("h1")) == 1


def test_scores_are_those_of_the_forest(page: Page) -> None:
    forest = fo.ForestClassifier(30, projections="image", random_state=0).fit(X[:500], Y[:500])
    scores = evaluate(forest, X[500:800], Y[500:800])
    assert scores["accuracy"].value == forest.score(X[500:800], Y[500:800])
    assert f"{scores['accuracy'].value:.4g}" in page.words
    assert f"All draws follow from the seed {forest.model_.seed}." in page.words


@pytest.mark.filterwarnings("error:X does not have valid feature names")
def test_regressions_and_flat_rows_have_reports(tmp_path: Path) -> None:
    data, target = load_diabetes(return_X_y=True, as_frame=True)
    forest = fo.ForestRegressor(20, random_state=0).fit(data[:300], target[:300])
    found = Page(Path(forest.report(data[300:], target[300:], tmp_path / "r.html")).read_text(encoding="utf-8"))
    assert [one["id"] for one in found.all("h2")][:3] == ["summary", "scores", "importance"]
    assert "R squared" in found.words


def test_channels_and_times_have_their_names(tmp_path: Path) -> None:
    rows, half = np.random.default_rng(0).standard_normal((80, 3, 10)), np.arange(80) % 2
    forest = fo.ForestClassifier(5, projections="channels", random_state=0).fit(rows[:60], half[:60])
    path = forest.report(
        rows[60:], half[60:], tmp_path / "r.html", channels=["C3", "Cz", "C4"], times=np.arange(10) / 10, unit="s"
    )
    alts = " ".join(one["alt"] or "" for one in Page(path.read_text(encoding="utf-8")).all("img"))
    assert any(name in alts for name in ("[C3", "[Cz", "[C4"))
    with pytest.raises(ValueError, match="2 channel names for a grid of shape"):
        forest.report(rows[60:], half[60:], tmp_path / "bad.html", channels=["C3", "Cz"])
    assert not (tmp_path / "bad.html").exists()


def test_the_command_writes_the_same_page(tmp_path: Path) -> None:
    forest = fo.ForestClassifier(10, random_state=0).fit(X[:300], Y[:300])
    forest.save(tmp_path / "m.fol")
    np.savez(tmp_path / "new.npz", X=X[300:400], y=Y[300:400])
    given = ["report", str(tmp_path / "m.fol"), "--data", str(tmp_path / "new.npz"), "-o", str(tmp_path / "r.html")]
    assert CliRunner().invoke(app, given).exit_code == 0
    assert "m.fol on new.npz" in Page((tmp_path / "r.html").read_text(encoding="utf-8")).words
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.fol", "new.npz", "r.html"]

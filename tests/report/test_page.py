"""The report: one file without external resources, with words for every picture, and only what is known."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import hostile
import matplotlib as mpl
import numpy as np
import pytest
from report_sections import Page, report, section
from sklearn.datasets import load_diabetes, load_digits, load_wine

import foliation as fo
from foliation.evaluation import evaluate

mpl.use("Agg")

RNG = np.random.default_rng(0)
HALF = np.arange(80) % 2
DIGITS = load_digits()
X, Y = DIGITS.images, DIGITS.target


@pytest.fixture(scope="module")
def forest() -> Any:
    return fo.ForestClassifier(30, projections="image", random_state=0).fit(X[:500], Y[:500])


@pytest.fixture(scope="module")
def page(forest: Any, tmp_path_factory: pytest.TempPathFactory) -> Page:
    return Page(report(forest, X[500:800], Y[500:800], tmp_path_factory.mktemp("report"), title="Digits <8 x 8>"))


@pytest.fixture(scope="module")
def wine(tmp_path_factory: pytest.TempPathFactory) -> str:
    rows, kinds = load_wine(return_X_y=True, as_frame=True)
    forest = fo.ForestClassifier(10, random_state=0).fit(rows[::2], kinds[::2])
    return report(forest, rows[1::2], kinds[1::2], tmp_path_factory.mktemp("wine"))


def test_it_has_all_sections_and_links_to_them(page: Page) -> None:
    anchors = [tag["id"] for tag in page.all("h2")]
    links = [tag["href"] for tag in page.all("a") if (tag["href"] or "").startswith("#")]
    assert anchors == [
        "summary", "scores", "confusion", "calibration", "importance", "atlas", "trees", "profile", "rows", "settings",
    ]  # fmt: skip
    assert {f"#{anchor}" for anchor in anchors} <= set(links)
    assert not page.open
    assert "Digits <8 x 8>" in page.words


def test_trees_are_told_in_units_of_the_data(forest: Any, page: Page) -> None:
    """Pixels are whole numbers, and so are sums of pixels and of edges: cuts lie between two of them."""
    told = [text for tag in page.all("img") for text in re.findall(r"level \d, [≤>] (\S+):", tag["alt"] or "")]
    assert len(told) > 6 and all(float(cut) % 1 == 0.5 for cut in told)
    root = next(text for tag in page.all("img") if (text := tag["alt"] or "").startswith("Tree 0: "))
    assert f"level 1, ≤ {forest.tree(0).threshold[0]:g}: " in root


def test_it_needs_no_network_and_runs_nothing(page: Page) -> None:
    for tag in page.all("img"):
        assert (tag["src"] or "").startswith("data:image/png;base64,")
    assert not page.all("script") and not page.all("iframe")
    assert [tag["href"] for tag in page.all("link")] == ["data:,"]


def test_it_can_be_heard(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    assert all(len(tag["alt"] or "") > 20 for tag in page.all("img"))
    assert len(page.all("table")) == len(page.all("caption"))
    assert all(tag.get("scope") in ("row", "col") for tag in page.all("th"))
    assert len(page.all("main")) == len(page.all("h1")) == 1


def test_scores_are_those_of_the_forest(forest: Any, page: Page) -> None:
    scores = evaluate(forest, X[500:800], Y[500:800])
    assert scores["accuracy"].value == forest.score(X[500:800], Y[500:800])
    assert f"{scores['accuracy'].value:.4g}" in page.words
    assert f"All random draws follow from the seed {forest.model_.seed}." in page.words


@pytest.mark.filterwarnings("error:X does not have valid feature names")
def test_regressions_and_flat_rows_have_reports(tmp_path: Path) -> None:
    rows, target = load_diabetes(return_X_y=True, as_frame=True)
    regression = fo.ForestRegressor(20, random_state=0).fit(rows[:300], target[:300])
    page = Page(report(regression, rows[300:], target[300:], tmp_path))
    assert [tag["id"] for tag in page.all("h2")][:3] == ["summary", "scores", "importance"]
    assert "R squared" in page.words


def test_tables_name_their_features(wine: str) -> None:
    assert re.search(r"is that of the feature [a-z_/0-9]+\.", section(wine, "importance"))
    assert re.search(r"Tree 0: level 0: (- )?[a-z_]+", section(wine, "trees"))


def test_headings_name_what_is_below(wine: str) -> None:
    assert [re.sub("<.*?>", "", heading) for heading in re.findall("<h2.*?</h2>", wine)][-5:-2] == [
        "What it looks for", "First trees", "Size and number of trees",
    ]  # fmt: skip


def test_channels_and_times_are_named_in_all_parts(tmp_path: Path) -> None:
    rows, atoms = RNG.standard_normal((80, 3, 8)), np.zeros((1, 24))
    atoms[0, [9, 10]] = 1
    forest = fo.ForestClassifier(3, projections=fo.Atoms(atoms), random_state=0).fit(rows[:60], HALF[:60])
    names = {"channels": ["C3", "Cz", "C4"], "times": np.arange(8) / 10, "unit": "s"}
    text = report(forest, rows[60:], HALF[60:], tmp_path, **names)
    assert "[Cz, 0.1 to 0.2 s]" in section(text, "summary")
    assert "channel Cz, time 0.1 s." in section(text, "importance")
    assert "level 0: [Cz, 0.1 to 0.2 s]" in section(text, "trees")


def test_places_of_images_and_views_are_told_in_words(tmp_path: Path) -> None:
    rows = RNG.standard_normal((80, 5, 5))
    forest = fo.ForestClassifier(3, projections=fo.Patches(views=["east"]), random_state=0).fit(rows[:60], HALF[:60])
    text = section(report(forest, rows[60:], HALF[60:], tmp_path), "importance")
    assert re.search(r"is that of edges to the east, row \d, column \d\.", text)


def test_forests_without_out_of_bag_rows_promise_nothing_of_more_trees(tmp_path: Path) -> None:
    images = RNG.standard_normal((80, 5, 5))
    forest = fo.ForestClassifier(5, projections="image", random_state=0).fit(images[:60], HALF[:60])
    profile = section(report(forest, images[60:], HALF[60:], tmp_path), "profile")
    assert "more trees" not in profile and "no row is out of the bag: fit with oob_score=True" in profile


@pytest.mark.filterwarnings("ignore:.*are training rows")
def test_a_forest_without_splits_has_no_pictures_of_them(tmp_path: Path) -> None:
    rows = np.zeros((80, 4))
    forest = fo.ForestClassifier(3, random_state=0).fit(rows[:60], HALF[:60])
    text = report(forest, rows[60:], HALF[60:], tmp_path)
    importance = section(text, "importance")
    assert "<img" not in importance and "No tree of this forest has a split" in importance
    assert 'id="trees"' not in text and 'id="atlas"' not in text


def test_styles_of_the_user_do_not_reach_the_page(tmp_path: Path) -> None:
    rows = RNG.standard_normal((80, 4))
    forest = fo.ForestClassifier(3, random_state=0).fit(rows[:60], HALF[:60])
    light = report(forest, rows[60:], HALF[60:], tmp_path)
    with mpl.style.context("dark_background"):
        assert report(forest, rows[60:], HALF[60:], tmp_path) == light


def test_a_place_may_be_bytes(forest: Any, tmp_path: Path) -> None:
    assert forest.report(X[500:520], Y[500:520], bytes(tmp_path / "r.html")) == tmp_path / "r.html"


@pytest.mark.parametrize("name", ["title", "unit"])
@pytest.mark.parametrize("value", [5, None, b"x", ["a"]])
def test_words_are_text(name: str, value: Any, forest: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=rf"^{name}=.*: expected text$"):
        forest.report(X[500:520], Y[500:520], tmp_path / "r.html", **{name: value})
    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore:.*are training rows")
def test_what_has_no_report_is_refused(tmp_path: Path) -> None:
    rows = RNG.standard_normal((80, 4))
    forest, path = fo.ForestClassifier(3, random_state=0).fit(rows, HALF), tmp_path / "r.html"
    with pytest.raises(TypeError, match="forest is a GeodesicForest, which predicts nothing"):
        fo.GeodesicForest(3, random_state=0).fit(rows).report(rows, path=path)
    with pytest.raises(ValueError, match="forest has 2 outputs: expected one"):
        fo.ForestRegressor(3, random_state=0).fit(rows, rows[:, :2]).report(rows, rows[:, :2], path)
    with pytest.raises(ValueError, match="y=None: expected the true classes or numbers"):
        forest.report(rows, path=path)
    with pytest.raises(ValueError, match="X has 80 rows and y has 79"):
        forest.report(rows, HALF[1:], path)
    with pytest.raises(ValueError, match="channels has 2 names"):
        forest.report(rows, HALF, path, channels=["C3", "Cz"])
    assert list(tmp_path.iterdir()) == []


def test_scores_on_training_rows_say_so(forest: Any, page: Page, tmp_path: Path) -> None:
    assert not [tag for tag in page.all("p") if tag.get("role") == "note"]
    with pytest.warns(UserWarning, match="^40 of 100 rows are training rows"):
        doubtful = Page(report(forest, X[460:560], Y[460:560], tmp_path))
    assert [tag for tag in doubtful.all("p") if tag.get("role") == "note"]
    notice = "40 of 100 rows are training rows of the forest: the scores are optimistic."
    assert doubtful.words.index(notice) < doubtful.words.index("accuracy")


@pytest.mark.filterwarnings("ignore:Glyph", "ignore:.*training rows")
def test_names_of_strangers_are_text_and_nothing_more(tmp_path: Path) -> None:
    X, y = hostile.frame()
    forest = fo.ForestClassifier(5, random_state=0).fit(X, y)
    page = forest.report(X, y, tmp_path / "<b>\x1b.html", title="<script>\u202e$x^$\x1b]0;").read_text()
    assert not hostile.raw_controls(page)
    assert page.count("<script") == 0 and "&lt;script&gt;alert(1)" in page and "onload='x'" not in page
    assert "=HYPERLINK(&quot;http://example.com&quot;" in page and "http" not in page.replace("http://example.com", "")

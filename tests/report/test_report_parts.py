"""What the report says: names everywhere, rows and classes as they are, and nothing that it does not know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits, load_wine

import foliation as fo
from foliation.report import html
from foliation.report.rows import _in_turn

mpl.use("Agg")

RNG = np.random.default_rng(0)
HALF = np.arange(80) % 2


def written(forest: Any, X: Any, y: Any, path: Path, **names: Any) -> str:
    return str(forest.report(X, y, path / "r.html", **names).read_text(encoding="utf-8"))


def section(text: str, mark: str) -> str:
    found = re.search(rf'<section aria-labelledby="{mark}">(.*?)</section>', text, re.DOTALL)
    assert found is not None
    return re.sub(r"data:image[^\"]*", "", found[1])


@pytest.fixture(scope="module")
def wine(tmp_path_factory: pytest.TempPathFactory) -> str:
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = fo.ForestClassifier(10, random_state=0).fit(X[::2], y[::2])
    return written(forest, X[1::2], y[1::2], tmp_path_factory.mktemp("wine"))


def test_tables_name_their_features_and_show_rows_as_tables(wine: str) -> None:
    assert re.search(r"is that of the feature [a-z_/0-9]+\.", section(wine, "importance"))
    rows = section(wine, "rows")
    assert "<img" not in rows and '<th scope="row">flavanoids</th>' in rows
    assert re.search(r"Tree 0: level 0: (- )?[a-z_]+", section(wine, "trees"))


def test_headings_say_what_is_below(wine: str) -> None:
    assert [re.sub("<.*?>", "", one) for one in re.findall("<h2.*?</h2>", wine)][-5:-2] == [
        "What it looks for", "First trees", "Size and number of trees",
    ]  # fmt: skip


def test_wide_parts_scroll_by_themselves_and_have_names(wine: str) -> None:
    regions = re.findall(r'<div class="wide"[^>]*>', wine)
    assert all('role="region"' in one and 'aria-label="' in one and 'tabindex="0"' in one for one in regions)
    assert re.search(r'<div class="wide"[^>]*><img [^>]*min-width:\d+px', wine)


def test_paper_keeps_pictures_whole() -> None:
    paper = html._STYLE.split("@media print")[1]
    assert "max-height: 23cm" in paper and "figure, table { break-inside: avoid; }" in paper
    assert "white-space: nowrap" in html._STYLE


def test_styles_of_the_user_do_not_reach_the_page(tmp_path: Path) -> None:
    X = RNG.standard_normal((80, 4))
    forest = fo.ForestClassifier(3, random_state=0).fit(X[:60], HALF[:60])
    light = written(forest, X[60:], HALF[60:], tmp_path)
    with mpl.style.context("dark_background"):
        assert written(forest, X[60:], HALF[60:], tmp_path) == light


def test_typical_rows_are_of_all_classes(tmp_path: Path) -> None:
    scores = np.array([0.1, 0.2, 0.3, 0.9, 0.5])
    assert _in_turn(scores, np.array([0, 0, 0, 1, 1])) == [0, 4, 1, 3, 2]
    digits = load_digits()
    X, y = digits.images, digits.target
    forest = fo.ForestClassifier(10, projections="image", random_state=0).fit(X[:300], y[:300])
    text = written(forest, X[300:500], y[300:500], tmp_path)
    rows = section(text, "rows")
    typical = re.findall(r"(?<![a-z])typical row \d+: (?:true \d, predicted )?(\d)", rows)
    assert sorted(map(int, typical)) == list(range(10))
    assert "training rows of the class that the forest gives them" in rows
    found = forest.predict(X[300:500])
    wrong = re.findall(r"row (\d+): true (\d), predicted (\d)", rows)
    assert wrong and all((y[300 + int(at)], found[int(at)]) == (int(a), int(b)) for at, a, b in wrong)


def test_forests_without_rows_out_of_the_bag_promise_nothing_of_more_trees(tmp_path: Path) -> None:
    images = RNG.standard_normal((80, 5, 5))
    forest = fo.ForestClassifier(5, projections="image", random_state=0).fit(images[:60], HALF[:60])
    profile = section(written(forest, images[60:], HALF[60:], tmp_path), "profile")
    assert "more trees" not in profile and "no row is out of the bag: fit with oob_score=True" in profile


def test_regressions_do_not_speak_of_classes(tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True)
    forest = fo.ForestRegressor(5, random_state=0).fit(X[:200], y[:200])
    rows = section(written(forest, X[200:260], y[200:260], tmp_path), "rows")
    assert "class" not in re.sub("class=|<.*?>", "", rows) and "target" in rows


def test_channels_and_times_are_named_in_all_parts(tmp_path: Path) -> None:
    X = RNG.standard_normal((80, 3, 8))
    atoms = np.zeros((1, 24))
    atoms[0, [9, 10]] = 1
    forest = fo.ForestClassifier(3, projections=fo.Atoms(atoms), random_state=0).fit(X[:60], HALF[:60])
    names = {"channels": ["C3", "Cz", "C4"], "times": np.arange(8) / 10, "unit": "s"}
    text = written(forest, X[60:], HALF[60:], tmp_path, **names)
    assert "[Cz, 0.1 to 0.2 s]" in section(text, "summary")
    assert "channel Cz, time 0.1 s." in section(text, "importance")
    assert "level 0: [Cz, 0.1 to 0.2 s]" in section(text, "trees")


def test_places_of_images_and_views_are_told_in_words(tmp_path: Path) -> None:
    X = RNG.standard_normal((80, 5, 5))
    forest = fo.ForestClassifier(3, projections=fo.Patches(views=["east"]), random_state=0).fit(X[:60], HALF[:60])
    text = section(written(forest, X[60:], HALF[60:], tmp_path), "importance")
    assert re.search(r"is that of edges to the east, row \d, column \d\.", text)


def test_many_classes_are_confused_in_a_picture_and_volumes_tell_their_slice(tmp_path: Path) -> None:
    X, y = RNG.standard_normal((140, 4, 3, 3)), np.arange(140) % 14
    forest = fo.ForestClassifier(3, projections="patches", random_state=0).fit(X[:70], y[:70])
    text = written(forest, X[70:], y[70:], tmp_path)
    confusion = section(text, "confusion")
    assert "<table" not in confusion
    right = int((forest.predict(X[70:]) == y[70:]).sum())
    assert re.search(rf"14 classes: {right} of 70 rows are right; true \d+, predicted \d+: \d", confusion)
    assert "Of each row slice 2 is drawn." in section(text, "rows")


def test_a_forest_without_splits_says_so(tmp_path: Path) -> None:
    X = np.zeros((80, 4))
    text = written(fo.ForestClassifier(3, random_state=0).fit(X[:60], HALF[:60]), X[60:], HALF[60:], tmp_path)
    looks = section(text, "importance")
    assert "<img" not in looks and "No tree of this forest has a split" in looks
    assert 'id="trees"' not in text and 'id="atlas"' not in text


def test_what_has_no_report_says_so_in_a_sentence(tmp_path: Path) -> None:
    X = RNG.standard_normal((80, 4))
    with pytest.raises(TypeError, match="GeodesicForest has no report: it predicts nothing"):
        fo.GeodesicForest(3, random_state=0).fit(X).report(X)
    with pytest.raises(ValueError, match="a report needs y"):
        fo.ForestClassifier(3, random_state=0).fit(X, HALF).report(X, path=tmp_path / "r.html")
    with pytest.raises(ValueError, match="X has 80 rows and y has 79"):
        fo.ForestClassifier(3, random_state=0).fit(X, HALF).report(X, HALF[1:], tmp_path / "r.html")

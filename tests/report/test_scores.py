"""Scores, confusion and calibration of a report."""

from __future__ import annotations

import re

import matplotlib as mpl
import numpy as np
from report_sections import Page

from foliation.evaluation import Calibration, Evaluation, Score
from foliation.report.scores import calibration, confusion, scores

mpl.use("Agg")

ACCURACY = Score("accuracy", 0.75, 0.5, 0.9)


def test_scores_have_their_intervals() -> None:
    page = Page(scores(Evaluation(1234, [ACCURACY])))
    assert page.words[0] == "On 1,234 rows" and page.words[-3:] == ["accuracy", "0.75", "0.5 to 0.9"]


def test_few_classes_are_a_table() -> None:
    counts = np.array([[5, 1], [2, 7]])
    page = Page(confusion(Evaluation(15, [ACCURACY], np.array(["<a>", "b"]), counts)))
    assert not page.all("img") and page.words[1:] == ["true", "<a>", "b", "<a>", "5", "1", "b", "2", "7"]


def test_many_classes_are_a_picture_that_is_told() -> None:
    counts = np.diag(np.full(14, 5))
    counts[3, 8], counts[2, 1] = 4, 2
    page = Page(confusion(Evaluation(76, [ACCURACY], np.arange(14), counts)))
    (image,) = page.all("img")
    expected = "Confusion of 14 classes: 70 of 76 rows are right; true 3, predicted 8: 4; true 2, predicted 1: 2."
    assert image["alt"] == expected and not page.all("table")


def test_calibration_is_told() -> None:
    parts = [Calibration(0.55, Score("", 0.5, 0.3, 0.7), 10), Calibration(0.95, Score("", 1.0, 0.8, 1.0), 20)]
    error = Score("calibration error", 0.05, 0.01, 0.1)
    text = calibration(Evaluation(30, [error], np.arange(2), np.zeros((2, 2), np.int64), parts))
    assert "0.50 at 0.55; 1.00 at 0.95" in (Page(text).all("img")[0]["alt"] or "")
    assert re.search(r"differ by 0\.05 \(0\.01 to 0\.1\) on average", text)


def test_more_classes_than_a_picture_can_show_are_a_sentence() -> None:
    counts = np.diag(np.full(1001, 5))
    counts[3, 8] = 4
    page = Page(confusion(Evaluation(5009, [ACCURACY], np.arange(1001), counts)))
    assert not page.all("img") and not page.all("table")
    expected = "Confusion of 1,001 classes: 5,005 of 5,009 rows are right. So many classes do not fit into a picture."
    assert page.words == [expected]

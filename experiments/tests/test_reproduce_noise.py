"""The experiment `noise`: its runs do what they say, and its page says what the runs allow."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from foliation_experiments.distances.noise import measure, runs
from foliation_experiments.distances.noise_figures import figures
from foliation_experiments.distances.noise_findings import below_published, not_above
from foliation_experiments.distances.noise_methods import OURS, PEERS, SCREENED
from foliation_experiments.distances.noise_page import page
from foliation_experiments.distances.problems import manifold
from foliation_experiments.distances.published import NOISE
from foliation_experiments.harness.experiment import Run, Scale
from foliation_experiments.harness.table import Row, Table


@pytest.mark.parametrize("method", [*OURS, *SCREENED, "Euclidean"])
def test_every_method_of_ours_finds_the_line_without_noise(method: str) -> None:
    found = measure(Run("noise", "line", method, 0, 0, "quick"))
    assert found["precision chance@50"] == pytest.approx(50 / 299)
    assert 0.8 < found["precision@50"] <= 1


def test_the_mixture_has_two_truths() -> None:
    found = measure(Run("rescaled", "mixture", "Euclidean", 0, 0, "quick"))
    assert set(found) == {"precision@50", "precision chance@50", "component@50", "component chance@50"}
    assert found["component@50"] > found["precision@50"] > 0.7
    assert found["component chance@50"] == pytest.approx(0.34, abs=0.03)


def test_the_part_rescales_and_the_point_adds_noise() -> None:
    raw, rescaled = (manifold("helix", "quick", 0, 10, rescale=flag).points for flag in (False, True))
    assert raw.shape == rescaled.shape == (300, 13)
    assert raw.std() > 1
    np.testing.assert_allclose([rescaled.min(axis=0), rescaled.max(axis=0)], [[0.0] * 13, [1.0] * 13])
    seen = [measure(Run(part, "line", "Euclidean", 10, 0, "quick"))["precision@50"] for part in ("noise", "rescaled")]
    assert seen[0] < seen[1] < 1


def test_the_screen_brings_euclidean_distances_back() -> None:
    blind, screened = (
        measure(Run("noise", "helix", method, 100, 0, "quick"))["precision@50"]
        for method in ("Euclidean", "Euclidean screened")
    )
    assert screened > blind + 0.1


def made_up(scale: Scale, ours: float, peers: float, seeds: int = 3) -> Table:
    """Return a table in which all of ours and all peers have these values, a little off for each seed."""
    rows: list[Row] = []
    for run in runs(scale):
        if run.seed < seeds:
            value = (ours if run.method in OURS else peers) + 0.001 * run.seed
            known = {"precision@50": value, "precision chance@50": 0.05, "seconds": 1.0, "commit": "release"}
            more = {"component@50": value, "component chance@50": 0.34} if run.problem == "mixture" else {}
            place = {"part": run.part, "problem": run.problem, "method": run.method, "at": run.at, "seed": run.seed}
            rows.append({**place, **known, **more})
    return Table(rows, scale)


def test_claims_are_counted_where_they_hold() -> None:
    table = made_up("full", 0.4, 0.1)
    names, total = below_published(table, "GF axis")
    assert total == 20
    expected = {
        f"{problem} at {at:,g}"
        for problem, values in NOISE.items()
        for at, value in values["published GF"].items()
        if value > 0.401
    }
    assert set(names) == expected
    assert not_above(table, "GF axis", "noise", PEERS) == ([], 5 * 4)
    assert not_above(table, "GF screened", "rescaled", tuple(SCREENED)) == ([], 5 * 4)


def test_a_draw_is_not_above() -> None:
    names, total = not_above(made_up("quick", 0.4, 0.4, 2), "GF", "noise", PEERS)
    assert len(names) == total == 5 * 2
    assert names[0] == "line at 10 (all)"


@pytest.mark.parametrize(("scale", "published"), [("full", True), ("quick", False)])
def test_the_page_has_every_setting_and_chance_beside(scale: Scale, published: bool) -> None:
    text = page(made_up(scale, 0.9, 0.1, 2))
    for method, title in product((*OURS, *PEERS, *SCREENED), ("### helix", "### mixture, by component")):
        assert f"| {method} |" in text.split(title)[1].split("###")[0]
    assert "| *chance* | 0.050 |" in text
    assert "| *chance* | 0.340 |" in text
    assert ("trees, but 100 for GF at 1,000" in text) is published
    assert ("| *published GF* | 0.83 |" in text) is published
    assert "Not above every peer: nowhere" in text


def test_a_page_and_figures_are_made_of_some_methods_alone() -> None:
    whole = made_up("full", 0.9, 0.1, 2)
    part = Table([row for row in whole.rows if row["method"] in PEERS], "full")
    assert "| Isomap |" in page(part)
    assert set(figures(part)) == {"noise", "settings", "low_noise"}


def test_figures_have_a_panel_for_each_problem_and_part() -> None:
    found = figures(made_up("full", 0.9, 0.1, 2))
    titles = [ax.get_title() for ax in found["noise"].axes]
    assert titles == [*NOISE, *(f"{problem}, rescaled" for problem in NOISE)]
    labels = [text.get_text() for text in found["noise"].legends[0].get_texts()]
    assert labels[0] == "GF"
    assert {"chance", "published GF", "UMAP"} <= set(labels)
    assert [tick.get_text() for tick in found["low_noise"].axes[0].get_xticklabels()] == ["2", "4", "6", "8", "10"]

"""The runner of experiments: every run once, nothing lost, and pages that say what they were made of."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tiny_experiment import measure_or_die, measure_or_fail, measure_slowly, tiny

from foliation_experiments import EXPERIMENTS, load
from foliation_experiments.harness import results
from foliation_experiments.harness.experiment import Experiment, Run
from foliation_experiments.harness.runner import FailedRunError
from foliation_experiments.harness.session import Request, page_of, run
from foliation_experiments.harness.table import Row, Table, interval


@pytest.fixture
def request_tiny(tmp_path: Path) -> Request:
    return Request(tmp_path / "tiny")


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    return tiny(tmp_path / "diary")


def silent(done: int, total: int, text: str) -> None:
    """Tell nobody."""


def diary(request: Request) -> list[str]:
    path = request.folder.parent / "diary"
    return path.read_text().splitlines() if path.exists() else []


def lines(request: Request) -> list[dict[str, str]]:
    with (request.folder / "runs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_every_run_is_one_line_with_what_was_measured_its_time_and_its_commit(
    experiment: Experiment, request_tiny: Request
) -> None:
    told: list[tuple[int, int]] = []
    run(experiment, request_tiny, lambda done, total, text: told.append((done, total)))
    found = lines(request_tiny)
    assert len(found) == 12
    assert {(line["method"], float(line["at"]), line["seed"]): float(line["value"]) for line in found} == {
        (method, at, str(seed)): times * (seed + at)
        for method, times in (("plain", 1), ("doubled", 2))
        for at in (0, 0.5)
        for seed in range(3)
    }
    assert all(float(line["seconds"]) >= 0 and line["commit"] for line in found)
    assert {line["method"]: line["twice"] for line in found} == {"plain": "", "doubled": "1.0"}
    assert told == [(done, 12) for done in range(13)]


def test_runs_have_one_thread_each_in_other_processes(experiment: Experiment, request_tiny: Request) -> None:
    run(experiment, request_tiny, silent)
    assert all("quick, 1 thread" in line for line in diary(request_tiny))
    processes = {int(line.rsplit(", ", 1)[1]) for line in diary(request_tiny)}
    assert 1 <= len(processes) <= 2
    assert os.getpid() not in processes


def test_runs_that_are_timed_never_meet_and_may_have_two_threads(experiment: Experiment, request_tiny: Request) -> None:
    diary_path = request_tiny.folder.parent / "diary"
    experiment = replace(tiny(diary_path), measure=partial(measure_slowly, diary_path))
    experiment = replace(experiment, n_processes=1)
    run(experiment, request_tiny, silent)
    assert diary(request_tiny) == ["begins, 2 thread", "ends"] * 12


def test_an_interrupted_experiment_goes_on_and_runs_nothing_twice(
    experiment: Experiment, request_tiny: Request
) -> None:
    def stop_at_five(done: int, total: int, text: str) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(experiment, request_tiny, stop_at_five)
    kept = lines(request_tiny)
    assert len(kept) == 5
    (request_tiny.folder.parent / "diary").unlink()
    run(experiment, request_tiny, silent)
    assert len(diary(request_tiny)) == 7
    assert [line["seconds"] for line in lines(request_tiny)[:5]] == [line["seconds"] for line in kept]


def test_a_line_that_was_cut_off_is_run_again(experiment: Experiment, request_tiny: Request) -> None:
    run(experiment, request_tiny, silent)
    path = request_tiny.folder / "runs.csv"
    path.write_text(path.read_text()[:-9])
    (request_tiny.folder.parent / "diary").unlink()
    run(experiment, request_tiny, silent)
    assert len(diary(request_tiny)) == 1
    assert len(lines(request_tiny)) == 12


def test_fresh_forgets_what_is_there(experiment: Experiment, request_tiny: Request) -> None:
    run(experiment, request_tiny, silent)
    run(experiment, replace(request_tiny, fresh=True, scale="full"), silent)
    assert len(diary(request_tiny)) == 12 + 16
    assert len(lines(request_tiny)) == 16


def test_only_limits_the_runs_and_the_page_says_what_is_missing(experiment: Experiment, request_tiny: Request) -> None:
    page = run(experiment, replace(request_tiny, only=("doubled",)), silent).page
    assert {line["method"] for line in lines(request_tiny)} == {"doubled"}
    assert "6 of 12 runs are missing** (plain)" in page.read_text()
    assert "missing" not in run(experiment, request_tiny, silent).page.read_text()


def test_scales_do_not_mix(experiment: Experiment, request_tiny: Request) -> None:
    run(experiment, replace(request_tiny, scale="full"), silent)
    with pytest.raises(ValueError, match=r"holds runs at the scale full: add --fresh"):
        run(experiment, replace(request_tiny, scale="quick"), silent)
    run(experiment, request_tiny, silent)  # without a scale it goes on at that of the folder
    assert len(lines(request_tiny)) == 16


def test_a_run_that_fails_is_named_in_one_line_and_the_others_are_kept(
    experiment: Experiment, request_tiny: Request
) -> None:
    diary_path = request_tiny.folder.parent / "diary"
    experiment = replace(tiny(diary_path), measure=partial(measure_or_fail, diary_path))
    with pytest.raises(FailedRunError) as stopped:
        run(experiment, request_tiny, silent)
    assert str(stopped.value).startswith("The run only, sum, doubled, at 0, seed ")
    assert str(stopped.value).endswith("failed: RuntimeError: no memory.")
    assert 5 <= len(lines(request_tiny)) <= 7  # the other worker may be a run ahead, or behind


def test_a_process_that_is_killed_ends_the_command_and_not_the_results(
    experiment: Experiment, request_tiny: Request
) -> None:
    diary_path = request_tiny.folder.parent / "diary"
    experiment = replace(tiny(diary_path), measure=partial(measure_or_die, diary_path))
    with pytest.raises(FailedRunError, match="ended from outside"):
        run(experiment, request_tiny, silent)
    experiment = tiny(diary_path)
    run(experiment, request_tiny, silent)
    assert len(lines(request_tiny)) == 12


def test_two_commands_do_not_write_into_one_folder(experiment: Experiment, request_tiny: Request) -> None:
    (request_tiny.folder).mkdir()
    with results.locked(request_tiny.folder), pytest.raises(ValueError, match="another command writes into"):
        run(experiment, request_tiny, silent)


def test_the_page_and_the_settings_say_what_they_were_made_of(experiment: Experiment, request_tiny: Request) -> None:
    page = run(experiment, request_tiny, silent).page
    folder = page.parent
    made = json.loads((folder / "settings.json").read_text())
    assert (made["scale"], made["method"], made["at"]) == ("quick", ["plain", "doubled"], [0, 0.5])
    assert made["versions"]["numpy"] == np.__version__
    assert made["commits"] == [lines(request_tiny)[0]["commit"]]
    assert "quick: 12 runs" in page.read_text()
    assert "![tiny picture](tiny_picture.png)" in page.read_text()
    assert all((folder / f"tiny_picture.{kind}").stat().st_size > 0 for kind in ("png", "svg"))


def test_a_page_is_made_of_finished_runs_alone(experiment: Experiment, request_tiny: Request) -> None:
    with pytest.raises(ValueError, match="holds no runs to make a page of"):
        page_of(experiment, request_tiny)
    run(experiment, request_tiny, silent)
    (request_tiny.folder.parent / "diary").unlink()
    with (request_tiny.folder / "runs.csv").open("a") as file:
        file.write("only,sum,given up,0,0,1.0,release,5.0,\n")
    assert "quick: 12 runs" in page_of(experiment, request_tiny).page.read_text()
    assert diary(request_tiny) == []


def test_what_is_missing_is_named_before_anything_runs(
    experiment: Experiment, request_tiny: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="unknown method 'plane': expected one of plain, doubled"):
        run(experiment, replace(request_tiny, only=("plane",)), silent)
    plain = experiment
    experiment = replace(plain, needs=("no_such_package",))
    with pytest.raises(ValueError, match=r"tiny needs no_such_package: run .*experiments\[peers\]"):
        run(experiment, request_tiny, silent)
    experiment = replace(plain, data=("graphs/flies.npz",))
    monkeypatch.delenv("FOLIATION_DATA", raising=False)
    with pytest.raises(ValueError, match=r"FOLIATION_DATA is not set: expected the folder with graphs/flies\.npz"):
        run(experiment, request_tiny, silent)
    monkeypatch.setenv("FOLIATION_DATA", str(request_tiny.folder.parent))
    with pytest.raises(ValueError, match=r"tiny needs data: .*flies\.npz does not exist"):
        run(experiment, request_tiny, silent)
    assert diary(request_tiny) == []


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiments_plan_each_run_once_and_at_both_scales(name: str) -> None:
    experiment = load(name)
    assert experiment.name == name
    for scale in ("quick", "full"):
        planned = experiment.runs(scale)
        assert len(set(planned)) == len(planned) > 0
        assert experiment.minutes[scale] > 0
    assert len(experiment.runs("quick")) < len(experiment.runs("full"))
    seeds = {run.seed for run in experiment.runs("full")}
    assert seeds == set(range(_SEEDS.get(name, 10)))


_SEEDS = {"candidates": 5, "screen": 5, "runtime": 3, "series": 5}


def rows(method: str, values: list[float], **more: str | float) -> list[Row]:
    place = {"part": "a", "problem": "b", "at": 0.0, **more}
    return [{**place, "method": method, "seed": seed, "score": value} for seed, value in enumerate(values)]


def test_values_are_in_the_order_of_the_seeds() -> None:
    table = Table([*rows("x", [1.0, 2.0, 3.0])[::-1], *rows("y", [9.0])])
    np.testing.assert_array_equal(table.values("score", method="x"), [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(table.values("score", part="a", problem="b", method="x", at=0), [1.0, 2.0, 3.0])
    assert table.values("score", method="z").size == 0
    assert table.values("other", method="x").size == 0
    assert (table.methods(), table.ats(), table.parts(), table.problems()) == (["x", "y"], [0.0], ["a"], ["b"])


def test_the_interval_is_students() -> None:
    values = np.random.default_rng(0).normal(size=7)
    found = interval(values)
    assert found is not None
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert found.mean - found.half == pytest.approx(float(low))
    assert found.mean + found.half == pytest.approx(float(high))
    assert interval([]) is None
    alone = interval([2.0])
    assert alone is not None
    assert str(alone) == "2.000"
    assert str(interval([1.0, 2.0, 3.0])) == "2.000 ± 2.484"


def test_better_is_paired_over_the_seeds_that_both_have() -> None:
    shared = np.random.default_rng(0).normal(scale=100, size=10)
    table = Table([*rows("a", list(shared + 1 + 0.1 * np.arange(10))), *rows("b", list(shared)), *rows("c", [1e6])])
    assert table.better("score", "a", "b")
    assert not table.better("score", "b", "a")
    assert not table.better("score", "a", "a")
    assert not table.better("score", "c", "a")  # one seed shows nothing
    assert not table.better("score", "a", "nobody")
    difference = table.difference("score", "a", "b")
    assert difference is not None
    assert difference.mean == pytest.approx(1.45)


def test_a_difference_without_spread_still_counts() -> None:
    table = Table([*rows("a", [1.0, 1.0]), *rows("b", [0.5, 0.5])])
    assert table.better("score", "a", "b")


def test_equal_differences_are_tied_whatever_their_last_digits() -> None:
    a = [0.3, 0.7, 0.6, 0.8, 0.9, 0.5, 0.4]
    b = [0.1, 0.9, 0.4, 0.6, 0.7, 0.3, 0.2]
    table = Table([*rows("a", a), *rows("b", b)])
    assert table.signed_rank("score", "a", "b") == stats.wilcoxon([1, -1, 1, 1, 1, 1, 1]).pvalue
    assert len(set(np.subtract(a, b).tolist())) > 2


def test_a_run_is_known_by_its_words() -> None:
    assert str(Run("noise", "helix", "GF", 10, 3)) == "noise, helix, GF, at 10, seed 3"

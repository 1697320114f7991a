"""The page and the figure of the search for presets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foliation_experiments.curves import empty
from foliation_experiments.drawing import BLUE, GRAY
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection, each, matched, mean_rows
from foliation_experiments.presets.settings import PRESET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INTRODUCTION = """
Each setting differs from the preset in what its name says; `patches`, `sparse` and `axis` are MORF, SPORF and RF with
their defaults. Scores are accuracies, and AUROC for EEG, on rows held out of official training sets: ten folds, draws
or subjects of each problem, the same for all settings; 200 trees. No score is of a row of a test set. Digits of 8 x 8
cells have none, nor has motor imagery, of which each subject is held out in turn, as in the experiment `eeg`. The views
that settings choose from are older: the pages of `series` and `eeg` say what had been seen when they were made. A
preset is one setting for all data of its kind.
""".strip()


def page(table: Table) -> str:
    return "\n\n".join((_INTRODUCTION, *(_part(table, part) for part in table.parts())))


def _part(table: Table, part: str) -> str:
    problems = table.problems(part=part)
    columns: dict[str, Selection] = {problem: {"part": part, "problem": problem} for problem in problems}
    means = {method: score(table, part, method) for method in table.methods(part=part)}
    rows = mean_rows(table, "score", each("method", means), columns)
    found = [
        [
            *row,
            f"{means[row[0]]:.4f}",
            "" if row[0] == PRESET else matched(table, "score", row[0], PRESET, {"part": part}),
        ]
        for row in sorted(rows, key=lambda row: -means[row[0]])
    ]
    header = ("setting", *problems, "mean", "minus the preset, paired")
    text = "The last column is set in bold where the difference, over all problems, can be told from zero."
    return f'## "{part}"\n\n{text}\n\n{markdown(header, found)}\n\n{_nested(table, part)}'


def _nested(table: Table, part: str) -> str:
    """Choose for each problem the setting that is best on all others, and see how it does there."""
    problems = table.problems(part=part)
    rows, found = [], []
    for problem in problems:
        chosen = max(table.methods(part=part), key=lambda name: score(table, part, name, but=problem))
        scores = [_mean(table, part, name, problem) for name in (chosen, PRESET)]
        found.append(scores)
        rows.append([problem, chosen, *(f"{value:.3f}" for value in scores)])
    average = [f"{value:.3f}" for value in np.mean(found, axis=0)]
    text = "What a search on all other problems chooses, and what that scores on the problem left out:"
    header = ("left out", "chosen on the others", "its score", "the preset's")
    return f"{text}\n\n{markdown(header, [*rows, ['*mean*', '', *average]])}"


def score(table: Table, part: str, method: str, but: str = "") -> float:
    """Return the mean score of a setting over problems, each counted once."""
    problems = [problem for problem in table.problems(part=part) if problem != but]
    return float(np.mean([_mean(table, part, method, problem) for problem in problems]))


def _mean(table: Table, part: str, method: str, problem: str) -> float:
    found = table.values("score", part=part, problem=problem, method=method)
    return float(found.mean()) if found.size else float("nan")


def figures(table: Table) -> dict[str, Figure]:
    """Draw the mean difference of each setting to the preset, with its paired interval."""
    parts = table.parts()
    figure, axes = empty(1, len(parts))
    figure.set_size_inches(4.6 * len(parts), 6.0)
    for part, ax in zip(parts, axes[0], strict=True):
        methods = [name for name in table.methods(part=part) if name != PRESET]
        found = {name: table.difference("score", name, PRESET, part=part) for name in methods}
        there = sorted(((one, name) for name, one in found.items() if one is not None), key=lambda pair: pair[0].mean)
        ax.axvline(0, color=GRAY, linewidth=1)
        ax.errorbar(
            [one.mean for one, _ in there], range(len(there)), xerr=[one.half for one, _ in there], fmt="o", color=BLUE
        )
        ax.set_yticks(range(len(there)), [name for _, name in there])
        ax.locator_params(axis="x", nbins=5)
        ax.set(title=f'"{part}"', xlabel="score minus the preset's")
    return {"presets": figure}

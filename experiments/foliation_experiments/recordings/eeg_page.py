"""The page and the figure of raw EEG."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from foliation_experiments.classes.problems import TREES
from foliation_experiments.classes.strips import strips_figure
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection, each, matched, mean_rows, reading
from foliation_experiments.recordings.redrawn import Redrawn, redrawn
from foliation_experiments.recordings.trials import ACROSS, FOLDS, OFFICIAL, WITHIN

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TITLES = {
    OFFICIAL: "Finger movements, official split",
    ACROSS: "Motor imagery, subject left out",
    WITHIN: f"Motor imagery, {FOLDS} folds within subject",
}
_LEAD = ("MORF", "ours")  # whose differences from all others are shown
_ABOUT = f"""
Finger movements (50 samples, 100 Hz) have one official split: a dot of the figure is a seed. The archive's file of them
is damaged: what its shape calls 28 channels are windows of 50 values that overlap, and as they are no method does much
better than chance; the 16 whole channels that can be read from them are what is used here. Motor imagery (64 channels
by 320 samples, 80 Hz, ten subjects of 45 trials) is done twice: trained on nine subjects and tested on the tenth, and
within each subject in {FOLDS} stratified folds, as the paper does, with the mean over folds: a dot is a subject, and
differences are paired over subjects. All methods see the series as they are, with two exceptions: common spatial
patterns (`CSP + LR`, the field's yardstick) are band-passed from 8 to 30 Hz, and the ConvNet of table S1 sees means of
16 neighboring samples of motor imagery, for time. Patches of MORF have any channels, up to the square root of their
number, and as many neighboring samples as the square root of theirs. `ours` is `projections="channels"`. The search
that chose it looked, among other problems, at motor imagery with each subject left out; and its views relative to the
mean of all channels were made after a first run of this experiment, all three parts of it, had been seen. So it may
look better here than on recordings that nobody has looked at. Who beats whom is not corrected for the number of pairs.
""".strip()
_ONE_SPLIT = """
Seeds say nothing about other rows. So the intervals are by bootstrap, over the test rows of each class and over the
seeds of each method, with the same rows for both methods of a difference; a difference is set in bold where this
interval excludes zero, and so does that over seeds, with p < .05 in Wilcoxon's test.
""".strip()


def figures(table: Table) -> dict[str, Figure]:
    panels: dict[str, Selection] = {_TITLES[part]: {"part": part} for part in table.parts()}
    return {"eeg": strips_figure(table, panels, ("MORF",), "seed or subject")}


def page(table: Table) -> str:
    forests = f"Forests have {TREES[table.scale]} trees."
    return "\n\n".join((f"{_ABOUT}\n{forests}", *(_part(table, part) for part in table.parts())))


def _part(table: Table, part: str) -> str:
    return _one_split(table) if part == OFFICIAL else _subjects(table, part)


def _subjects(table: Table, part: str) -> str:
    here: Selection = {"part": part}
    n = len({row["seed"] for row in table.where(**here)})
    methods = table.methods(**here)
    beats = [(a, b) for a, b in _ordered(table, here) if table.beaten("auroc", a, b, **here)]
    pieces = [
        f"## {_TITLES[part]}\n\nMean over {n} subjects with its 95 % interval (Student's t):",
        markdown(("method", "AUROC"), mean_rows(table, "auroc", each("method", methods), {"": here})),
        verdict(beats),
        f"Difference of AUROC. {reading('subjects')}",
        _differences(table, here),
    ]
    return "\n\n".join(pieces)


def _ordered(table: Table, here: Selection) -> list[tuple[str, str]]:
    """Return all pairs of methods, the one with the larger mean first."""

    def mean(method: str) -> float:
        found = table.mean_interval("auroc", method=method, **here)
        return found.mean if found else 0.0

    return list(combinations(sorted(table.methods(**here), key=mean, reverse=True), 2))


def verdict(beats: list[tuple[str, str]]) -> str:
    """Write who beats whom."""
    if not beats:
        return "**Nobody beats anybody here.**"
    winners = dict.fromkeys(a for a, _ in beats)
    lines = [f"- {winner} beats {', '.join(b for a, b in beats if a == winner)}." for winner in winners]
    return "Who beats whom:\n\n" + "\n".join(lines)


def _differences(table: Table, here: Selection) -> str:
    lead = [name for name in _LEAD if name in table.methods(**here)]
    rows = [
        [other, *("" if other == name else matched(table, "auroc", name, other, here) for name in lead)]
        for other in table.methods(**here)
    ]
    return markdown(("minus", *lead), rows)


def _one_split(table: Table) -> str:
    here: Selection = {"part": OFFICIAL}
    drawn = redrawn(table, OFFICIAL)
    n_nets = len(table.values("auroc", method="ConvNet", **here))
    beats = [(a, b) for a, b in _ordered(table, here) if _beaten(table, drawn, a, b)]
    lead = [name for name in _LEAD if name in drawn]
    rows = [[other, *(_cell(table, drawn, name, other) for name in lead)] for other in drawn]
    pieces = [
        f"## {_TITLES[OFFICIAL]}\n\nMean over seeds, of which the ConvNet has {n_nets}.\n{_ONE_SPLIT}",
        markdown(("method", "AUROC"), [[name, one.written()] for name, one in drawn.items()]),
        verdict(beats),
        "Difference of AUROC:",
        markdown(("minus", *lead), rows),
    ]
    return "\n\n".join(pieces)


def _beaten(table: Table, drawn: dict[str, Redrawn], a: str, b: str) -> bool:
    return drawn[a].minus(drawn[b]).apart() and table.beaten("auroc", a, b, part=OFFICIAL)


def _cell(table: Table, drawn: dict[str, Redrawn], name: str, other: str) -> str:
    if name == other:
        return ""
    text = drawn[name].minus(drawn[other]).written("+")
    return f"**{text}**" if _beaten(table, drawn, name, other) else text

"""The page of the experiment on patch sizes that do not fit."""

from __future__ import annotations

from collections.abc import Mapping

from foliation_experiments.classes.problems import TREES
from foliation_experiments.classes.sides import listed
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table, interval
from foliation_experiments.markup import Selection, matched, written
from foliation_experiments.simulated.optimum import RAW, beside, optimum, relative, searched, too_small

_READING = """
A range of patch sizes is called less or more accurate than the best one only where the 95 % interval of the
differences, paired over folds, excludes zero and Wilcoxon's signed-rank test of the same pairs has p < .05; such
differences are set in bold. Folds share most of their training rows, so intervals are rather too narrow than too wide.
""".strip()


def page(rows: Mapping[str, int], folds: Mapping[str, int], table: Table) -> str:
    settings = f"""
The best range is the one that can hold the pattern and has the largest mean accuracy in {folds["optimum"]}-fold
cross-validation on {rows["optimum"]:,} rows, the first of equals; every range is then measured by
{folds["ranges"]}-fold stratified cross-validation on {rows["ranges"]} other rows.
Forests have {TREES[table.scale]} trees.{_folds_done(table, folds)}
""".strip()
    found = "\n".join(_finding(table, problem) for problem in table.problems(part="ranges"))
    parts = [_problem(table, problem) for problem in table.problems(part="ranges")]
    return "\n\n".join((f"{settings} {_READING}", f"## What is lost\n\n{found}", *parts))


def _folds_done(table: Table, folds: Mapping[str, int]) -> str:
    done = {part: len({row["seed"] for row in table.where(part=part)}) for part in folds}
    few = [f"{done[part]} of {folds[part]} for the {part}" for part in folds if done[part] < folds[part]]
    return f" Only some folds were run: {listed(few)}." if few else ""


def _finding(table: Table, problem: str) -> str:
    """Write which ranges lose, apart for those whose largest patch cannot hold the pattern."""
    best = optimum(table, problem)
    others = [method for method in table.methods(part="ranges", problem=problem) if method != best]
    small = [method for method in others if too_small(problem, method)]
    groups = {
        "ranges whose largest patch cannot hold the pattern": small,
        "other ranges": [method for method in others if method not in small],
    }
    texts = [_share(table, problem, name, group) for name, group in groups.items() if group]
    better = [method for method in small if searched(table, problem, method) > searched(table, problem, best)]
    rows = f" In the search, on more rows, {listed(better)} had a larger mean than the best." if better else ""
    return f"- {problem}, best {best}: " + "; ".join(texts) + "." + rows


def _share(table: Table, problem: str, name: str, group: list[str]) -> str:
    lower, higher = ([method for method in beside(table, problem, sign) if method in group] for sign in (-1, 1))
    means = [float(relative(table, problem, method).mean()) for method in group]
    unit = "accuracy" if problem in RAW else "standard deviations from the best"
    which = f" ({listed(lower)})" if lower and len(lower) < len(group) else ""
    text = f"{len(lower)} of {len(group)} {name} are less accurate{which}"
    text += f" and {len(higher)} more accurate" if higher else ""
    return f"{text}, means from {min(means):.2f} to {max(means):.2f} {unit}"


def _problem(table: Table, problem: str) -> str:
    best = optimum(table, problem)
    here: Selection = {"part": "ranges", "problem": problem}
    rows = [_row(table, problem, method, best) for method in table.methods(**here)]
    header = ("patch sizes", "search", "accuracy", "minus the best", "relative")
    return f"## {problem}\n\n" + markdown(header, rows)


def _row(table: Table, problem: str, method: str, best: str) -> list[str]:
    searched, measured = (
        table.mean_interval("accuracy", part=part, problem=problem, method=method) for part in ("optimum", "ranges")
    )
    ours = {"part": "ranges", "problem": problem}
    against = "best" if method == best else matched(table, "accuracy", method, best, ours)
    return [method, written(searched), written(measured), against, written(interval(relative(table, problem, method)))]

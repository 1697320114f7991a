"""The page and the figure of the outcomes of surgery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foliation_experiments.classes.problems import TREES
from foliation_experiments.classes.strips import strips_figure
from foliation_experiments.effects import cohens_d
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection, each, matched, mean_rows, reading

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIMULATED = "simulated"  # the problem of runs that have no file
_SUBJECT = "MORF"  # who is compared with all others
_ABOUT_SIMULATED = """
**These recordings are simulated.** The data of the paper are private; those here have their shape (91 subjects, 2 to 5
recordings each, 20 quantiles by 105 times). They were designed with an eye on the classifiers: their difference is as
large as MORF needs to do about as well as in the paper (AUROC .71 ± .20; SPORF .69, RF .56), and it is not linear,
because on a linear draft logistic regression was far ahead of every forest. So who wins here shows how the analysis
works, and nothing about surgery. See `foliation.simulations.surgical_outcome`. With `--data FILE.npz` the same analysis
is made of recordings of your own.
""".strip()
_READING = f"""
Positive is in favor of MORF. {reading("splits")}
Cohen's d is the difference of the means over the pooled standard deviation over splits; its 95 % interval is by
bootstrap over splits, pairs drawn together. Splits share subjects, so all intervals and p-values are too sure of
themselves; they are not corrected for the number of methods either.
""".strip()


def figures(table: Table) -> dict[str, Figure]:
    (problem,) = table.problems()
    title = f"{_name(problem)} recordings: {len(_splits(table))} splits by subject"
    return {"outcome": strips_figure(table, {title: {"problem": problem}}, (_SUBJECT,), "split")}


def page(table: Table) -> str:
    (problem,) = table.problems()
    return "\n\n".join(
        (
            _ABOUT_SIMULATED if problem == SIMULATED else f"The recordings are those of {problem}.",
            _settings(table),
            f"## AUROC\n\n{_name(problem)} recordings, mean over splits with its 95 % interval (Student's t):",
            _areas(table),
            f"## {_SUBJECT} against all others\n\n{findings(table)}\n\n{_READING}",
            _comparisons(table),
        )
    )


def findings(table: Table) -> str:
    """Write whom MORF beats and who beats it."""
    others = [name for name in table.methods() if name != _SUBJECT]
    apart = [name for name in others if table.beaten("auroc", _SUBJECT, name)]
    better = [name for name in apart if table.better("auroc", _SUBJECT, name)]
    worse = [name for name in apart if name not in better]
    rest = [name for name in others if name not in apart]
    said = {"beats": better, "is beaten by": worse, "cannot be told apart from": rest}
    text = "; ".join(f"{verb} {', '.join(names)}" for verb, names in said.items() if names)
    return f"By AUROC over subjects, {_SUBJECT} {text}."


def _name(problem: str) -> str:
    return "Simulated" if problem == SIMULATED else problem.split(" (")[0]


def _splits(table: Table) -> set[int]:
    return {row["seed"] for row in table.rows}


def _settings(table: Table) -> str:
    return f"""
{len(_splits(table))} splits by subject, the same for all methods: 60 % of the subjects are trained on, with all of
their recordings, and 40 % are tested on, both with the outcomes in the same shares. The score of a subject is the mean
over its recordings of the probability of the second outcome (of the decision value for the SVM). Forests have
{TREES[table.scale]} trees and see the rows as they are; all others see standardised columns. MORF has the patches of
table S2, up to the square root of each side; `ours` is `projections="channels"`. The ConvNet is that of table S1. The
band in the figure is the 95 % interval of the mean true-positive rate of MORF, with five splits or more.
""".strip()


def _areas(table: Table) -> str:
    methods = table.methods()
    by_subject, by_recording = (
        mean_rows(table, column, each("method", methods), {"": {}}) for column in ("auroc", "auroc of recordings")
    )
    rows = [[*one, other[1]] for one, other in zip(by_subject, by_recording, strict=True)]
    return markdown(("method", "over subjects", "over recordings"), rows)


def _comparisons(table: Table) -> str:
    here: Selection = {}
    rows = [
        [
            name,
            matched(table, "auroc", _SUBJECT, name, here),
            f"{table.signed_rank('auroc', _SUBJECT, name):.3f}",
            str(cohens_d(*_paired(table, name))),
        ]
        for name in table.methods()
        if name != _SUBJECT
    ]
    return markdown(("against", "difference of AUROC", "p (Wilcoxon)", "Cohen's d"), rows)


def _paired(table: Table, name: str) -> tuple[list[float], list[float]]:
    """Return the areas of MORF and of another method on the splits that both have."""
    first, second = ({row["seed"]: row["auroc"] for row in table.where(method=one)} for one in (_SUBJECT, name))
    both = sorted(first.keys() & second.keys())
    return [first[seed] for seed in both], [second[seed] for seed in both]

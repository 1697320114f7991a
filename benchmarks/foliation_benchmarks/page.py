"""The page with everything that was measured, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from foliation_benchmarks.contenders import CONTENDERS
from foliation_benchmarks.figure import contested
from foliation_benchmarks.limits import limit_verdicts
from foliation_benchmarks.scale import SCALE, SCALINGS
from foliation_benchmarks.summary import rounds
from foliation_benchmarks.tables import (
    latency_table,
    neighbors_table,
    scaling_table,
    serving_table,
    small_fits_table,
    verdict_table,
    workload_table,
)
from foliation_benchmarks.targets import HELD, MISSED, NOT_CHOSEN, NOT_COMPARABLE, NOT_MEASURED, Verdict, speed_verdicts
from foliation_benchmarks.workload import Workload
from foliation_experiments.harness.markdown import number, table
from foliation_experiments.harness.table import Table

_METHOD = """\
- Every run is a fresh process. All contenders of a workload run in turn, round by round, so that noise hits them alike.
  Figures are medians over the rounds, with the lowest and the highest; a ratio is the peer's time over ours in the
  same round. The seed is the number of the round.
- Imports, conversion of X to the form a contender likes best, and a tiny fit come before the clock. Our forests and
  those of others grow the same number of trees, with bootstrap, until leaves are pure. scikit-learn's forest is
  compared with our axis-aligned one in the tables, and also with patches among the targets.
- *error*: mean over the rounds; the 95 % interval is Wilson's for the size of the test set.
- *candidates*: projections tried at a node, empty ones not counted; a row that differs from ours by more than 5 % is
  marked. treeple's are counted from draws, those of the others follow from their rules. treeple's oblique
  forest is asked for more candidates, so that those that are not empty are as many as ours. YDF's axis-aligned forest
  does not count features that are constant in a node, so that it tries more of the others where many are ("or more");
  scikit-learn's and ours go on only until one is not. YDF splits by information gain, all others here by Gini.
- A *pair* is one distinct row that grows a tree, at one split and with one effective candidate; a *visit* is one test
  row at one split. Both are over the time of all threads together. YDF's counts are estimated from ten of its trees,
  rerf's trees cannot be looked into.
- *peak MB*: resident memory while fitting, above what the process held with the data loaded. *whole process*: the
  most that the process held while fitting and finding neighbors, data and interpreter too.
- tabular is `make_classification` of scikit-learn: 50 features, 20 informative, 10 redundant, 4 clusters per class, 5 %
  of the labels flipped. Gradient boosting (defaults, 100 rounds) is there for scale only.
- rerf and treeple have no patches that wrap: theirs do not cross the seam of the circle workload.
- *neighbors*: ours counts the pairs that share leaves; scikit-learn's are found by brute force, comparing the leaves of
  all rows (`metric="hamming"`), treeple's in its matrix of all similarities. Both grow with the square of n, and stop
  at 10,000 rows.
- *same label*: the share of the neighbors found that have the label of the row.
- *geodesic*: forests that see no labels, all by Fast-BIC, with the same smallest nodes and leaves. Against treeple all
  rows grow each tree: with bootstrap its runs with the same seed differ, and many of its trees have no split; and our
  nodes have no further candidates (`patience=0`), as in its forest. Its `fit` goes on to a matrix of all similarities
  and a clustering; *trees alone* stops before. Its candidates follow from its rule. Ours looks for the cuts of nodes of
  more than 256 rows in 256 of them; *exact* in all. UMAP has its defaults and no seed, with which it would use one
  thread.
- *Threads and processes that predict one row after the other*: each process loads the stored model by itself, ours and
  scikit-learn's mapped into memory, and calls the public method. *wrong*: answers that differ by more than a millionth
  from those of one prediction of all rows; *other bits*: that differ at all. *private MB*: what a process holds alone
  after loading and predicting. *resident MB*: of all processes, in the second and in the last tenth of the time.
- One row is predicted through the public method on one thread, from a forest of the circle workload."""


def verdicts(results: Table) -> list[Verdict]:
    return [*speed_verdicts(results), *limit_verdicts(results)]


def tally(decided: Sequence[Verdict]) -> str:
    """Write in one line how many targets hold."""
    count = {name: sum(v.outcome == name for v in decided) for name in (HELD, MISSED, NOT_COMPARABLE, NOT_MEASURED)}
    return ", ".join(f"{n} {name.lower()}" for name, n in count.items())


def page(results: Table, workloads: Sequence[Workload]) -> str:
    """Write the whole page; what was not run does not appear, except among the targets."""
    sections = [
        "# Benchmarks",
        _made_on(results),
        _contenders(results),
        "![seconds of all contenders](benchmarks.png)" if contested(results, workloads) else "",
        "## Targets",
        *_target_sections(verdicts(results)),
        *_workload_sections(results, workloads),
        *_scale_sections(results),
        *_failures(results),
        "## How it is measured",
        _METHOD,
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _target_sections(decided: Sequence[Verdict]) -> list[str]:
    """Write which targets hold; those of workloads that were not chosen are only counted."""
    chosen = [verdict for verdict in decided if verdict.reason != NOT_CHOSEN]
    others = f" {len(decided) - len(chosen)} more are about workloads that were not part of this run."
    return [tally(chosen) + "." + (others if len(chosen) < len(decided) else ""), verdict_table(chosen)]


def _made_on(results: Table) -> str:
    made, machine = results.settings, results.settings["machine"]
    code = f"foliation {made['versions']['foliation']}, commit {', '.join(made['commits'])}"
    return (
        f"{code}; {made['date']}; {made['scale']} run of {len(made['seed'])} rounds.\n"
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_bytes'] / 2**30:.0f} GiB, "
        f"{machine['instruction_set']}; {machine['system']}, Python {machine['python']}; "
        f"load before the run {machine['load']}. Made by `foliation bench`."
    )


def _contenders(results: Table) -> str:
    """Write the versions of the peers, and why those are missing that are."""
    names = ((CONTENDERS[row["method"]].environment, row.get("version")) for row in results.rows)
    versions = {name: version for name, version in names if name and version}
    text = "Peers: " + ", ".join(f"{name} {version}" for name, version in sorted(versions.items())) + "."
    return text + "".join(f"\n\nSkipped: {reason}." for reason in skipped(results))


def skipped(results: Table) -> list[str]:
    """Return what was skipped, each with its reason."""
    return sorted({row["skipped"] for row in results.rows if row.get("skipped")})


def failures(results: Table) -> list[tuple[str, str, str, str]]:
    """Return the workload, the contender and the round of each run that failed, and why."""
    rows = [row for row in results.rows if row.get("failed")]
    return [(row["problem"], row["method"], str(row["seed"] + 1), row["failed"]) for row in rows]


def _workload_sections(results: Table, workloads: Sequence[Workload]) -> list[str]:
    sections = []
    for workload in workloads:
        if workload in SCALE or not _was_run(results, workload):
            continue
        if workload.measure == "small_fits":
            about = f"{workload.trees} trees on {workload.data.n} rows, one thread, again and again."
            sections += [f"## {workload.name}", about, small_fits_table(results, workload)]
            continue
        if workload.measure == "neighbors":
            rows = f"The {workload.neighbors} nearest of {number(workload.data.n)} rows, by {workload.trees} trees."
            about = f"{rows} {workload.about}".rstrip()
            sections += [f"## {workload.name}", about, neighbors_table(results, workload)]
            continue
        if workload.measure == "serving":
            about = f"One row at a time, by {workload.trees} trees: {workload.about}"
            sections += [f"## {workload.name}", about, serving_table(results, workload)]
            continue
        sections += [f"## {workload.name}", _about(workload), workload_table(results, workload)]
        if workload.latency:
            sections += [f"One row, {workload.trees} trees:", latency_table(results)]
    return sections


def _was_run(results: Table, workload: Workload) -> bool:
    return any(rounds(results, workload.name, who.name) for who in workload.contenders)


def _about(workload: Workload) -> str:
    work = (
        f"{number(workload.data.n)} rows, {workload.trees} trees, {workload.candidates} candidates, "
        f"{workload.threads} threads; {number(workload.data.n_test)} rows to predict."
    )
    return f"{work} {workload.about}".rstrip()


def _scale_sections(results: Table) -> list[str]:
    sections = []
    for scaling in SCALINGS:
        if any(_was_run(results, point) for point in scaling.points):
            sections += [f"### {scaling.name}", scaling.about + ".", scaling_table(results, scaling)]
    return ["## How it grows", "![growth](scale.png)", *sections] if sections else []


def _failures(results: Table) -> list[str]:
    rows = failures(results)
    return ["## Runs that failed", table(("workload", "contender", "round", "why"), rows)] if rows else []

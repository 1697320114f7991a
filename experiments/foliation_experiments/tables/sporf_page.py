"""The page of the experiment on SPORF."""

from __future__ import annotations

from foliation_experiments.classes.problems import TEST_ROWS, TREES
from foliation_experiments.classes.sides import READING, listed, side, sides
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection, each, matched, mean_rows, written
from foliation_experiments.tables.sporf_figures import STYLES
from foliation_experiments.tables.sporf_published import NAMES, published

_PAIRS = {"SPORF": "RF", "SPORF, tuned": "RF, tuned"}
_TABLES = """
Errors of stratified 5-fold cross-validation, mean over folds with its 95 % interval; folds share training rows, so
intervals are rather too narrow than too wide. Published errors are those of the paper's authors, whose folds are not
known and who tuned every method: levels, not digits. Their standard deviation over folds is in brackets.
""".strip()


def page(table: Table) -> str:
    reading = f"{READING} Such differences are set in bold."
    pieces = [_settings(table), f"## Is SPORF below RF?\n\n{reading}\n\n{_findings(table)}"]
    pieces += [_simulation(table, problem) for problem in table.problems(part="simulations")]
    return "\n\n".join((*pieces, *_tables(table)))


def _settings(table: Table) -> str:
    draws = len({row["seed"] for row in table.where(part="simulations")})
    return f"""
Simulations have {draws} independent draws of training rows, smaller sets the first rows of larger ones, and of
{TEST_ROWS[table.scale]:,} test rows. Sizes are those of the authors' program; of Trunk's problem, p = 500 is left out.
Forests have {TREES[table.scale]} trees. "Tuned" forests choose the number of candidates, and SPORF the number of
non-zeros, by the error on out-of-bag rows. XGBoost has 100 rounds and is not tuned. The grid is
smaller than the authors', with at most 100 candidates at a node, for time.
""".strip()


def _findings(table: Table) -> str:
    lines = [
        f"- {problem}, error of `{a}` against `{b}`: {sides(table, 'error', a, b, _at(problem))}."
        for problem in table.problems(part="simulations")
        for a, b in _PAIRS.items()
    ]
    return "\n".join([*lines, *(_over_tables(table, a, b) for a, b in _PAIRS.items())])


def _at(problem: str) -> Selection:
    return {"part": "simulations", "problem": problem}


def _methods(table: Table, part: str) -> list[str]:
    return [method for method in STYLES if method in table.methods(part=part)]


def _over_tables(table: Table, a: str, b: str) -> str:
    problems = table.problems(part="tables")
    found = {name: side(table, "error", a, b, {"part": "tables", "problem": name}) for name in problems}
    lower, higher = ([name for name in problems if found[name] == sign] for sign in (-1, 1))
    counts = [f"{len(names)} ({listed(names)})" if names else "0" for names in (lower, higher)]
    return f"- {len(problems)} tables, error of `{a}` against `{b}`: lower on {counts[0]}, higher on {counts[1]}."


def _simulation(table: Table, problem: str) -> str:
    here = _at(problem)
    ats = table.ats(**here)
    columns: dict[str, Selection] = {f"n = {at:,g}": {"at": at, **here} for at in ats}
    rows = mean_rows(table, "error", each("method", _methods(table, "simulations")), columns)
    minus = [
        [f"*{a} minus {b}*", *(matched(table, "error", a, b, selection) for selection in columns.values())]
        for a, b in _PAIRS.items()
    ]
    return f"## {problem}\n\nTest error, mean over draws with its 95 % interval:\n\n" + markdown(
        ("method", *columns), [*rows, *minus]
    )


def _tables(table: Table) -> list[str]:
    problems = table.problems(part="tables")
    if not problems:
        return []
    methods = _methods(table, "tables")
    minus = [f"{a} minus {b}" for a, b in _PAIRS.items()]
    ours = markdown(("table", *methods, *minus), [_ours(table, problem, methods) for problem in problems])
    beside = markdown(_beside_header(), [_beside(table, problem) for problem in problems])
    folds = len({row["seed"] for row in table.where(part="tables")})
    text = f"{_TABLES} There are {folds} folds; each five are one cross-validation, with an order of rows of its own."
    return [f"## Tables\n\n{text}\n\n{ours}", f"### Beside the published errors\n\n{_distance(table)}\n\n{beside}"]


def _ours(table: Table, problem: str, methods: list[str]) -> list[str]:
    here: Selection = {"part": "tables", "problem": problem}
    means = [written(table.mean_interval("error", **here, method=method)) for method in methods]
    return [problem, *means, *(matched(table, "error", a, b, here) for a, b in _PAIRS.items())]


def _beside_header() -> tuple[str, ...]:
    return ("table", *(f"{'*published* ' if known else ''}{name}" for name in NAMES for known in (True, False)))


def _beside(table: Table, problem: str) -> list[str]:
    cells = [problem]
    for method in NAMES:
        found = table.mean_interval("error", part="tables", problem=problem, method=method)
        cells += [str(known) if (known := published(method, problem)) else "-", f"{found.mean:.3f}" if found else "-"]
    return cells


def _distance(table: Table) -> str:
    """Write how far our errors are from the published ones, over the tables."""
    lines = []
    for method in NAMES:
        apart = {}
        for problem in table.problems(part="tables"):
            found = table.mean_interval("error", part="tables", problem=problem, method=method)
            known = published(method, problem)
            if found and known:
                apart[problem] = found.mean - known.error
        if apart:
            most = max(apart, key=lambda name: abs(apart[name]))
            mean = sum(apart.values()) / len(apart)
            absolute = sum(map(abs, apart.values())) / len(apart)
            text = f"{mean:+.3f} on average, {absolute:.3f} in absolute terms, at most {apart[most]:+.3f} ({most})"
            lines.append(f"- `{method}` minus published: {text}.")
    return "\n".join(lines)

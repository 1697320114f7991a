"""The page of an experiment that draws errors against training rows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from foliation_experiments.classes.contenders import Options
from foliation_experiments.classes.problems import TEST_ROWS, TREES
from foliation_experiments.classes.published import ERRORS, Curve
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Interval, Table
from foliation_experiments.markup import Selection, each, matched, mean_rows, reading

FEWEST = 6  # pairs with which that test can have p < .05
_VARIANTS = "MORF as the first paper had it (003, 100 trees), and with weights uniform on (0, 1) inside a patch:"
_TIME = "Median seconds of a fit, and in brackets of predicting the test rows, on one thread beside another run:"


def page(forests: Mapping[str, Options], table: Table) -> str:
    parts = [problem_part(table, problem) for problem in table.problems(part="figure")]
    return "\n\n".join((_settings(table), _forests(forests), *parts))


def _forests(forests: Mapping[str, Options]) -> str:
    texts = {name: ", ".join(f"{key}={value}" for key, value in own.items()) for name, own in forests.items()}
    return "\n".join(f"- `{name}`: `{text}`" for name, text in texts.items())


def _settings(table: Table) -> str:
    draws = len({row["seed"] for row in table.rows})
    return f"""
Each point has {draws} independent draws of training rows and of {TEST_ROWS[table.scale]:,} test rows; smaller training
sets are the first rows of larger ones, half of them of each class. Forests have {TREES[table.scale]} trees and see the
rows as they are; all others see standardised columns. `MORF` has the settings of table S2, `MORF, ours`
what did better on other draws, as listed below. XGBoost has 10 rounds as table S2 says, and 100 as the paper's program
ran. The ConvNet of table S1 starts from new weights at every fit.
""".strip()


def problem_part(table: Table, problem: str, variants: str = _VARIANTS) -> str:
    """Return errors, differences, variants of MORF, which some words introduce, and seconds."""
    here: Selection = {"part": "figure", "problem": problem}
    columns: dict[str, Selection] = {f"n = {at:,g}": {"at": at, **here} for at in table.ats(**here)}
    known = ERRORS.get(problem, {}) if table.scale == "full" else {}
    published = [_published(name, curve, table.ats(**here)) for name, curve in known.items()]
    rows = mean_rows(table, "error", each("method", table.methods(**here)), columns)
    pieces = [
        f"## {problem}",
        "Test error, mean over draws with its 95 % interval:",
        markdown(("method", *columns), [*rows, *published]),
        *([_against_published(table, here)] if "MORF" in known else []),
        f"### Who beats whom\n\nError of `MORF` minus that of another method. {reading('draws')}",
        differences(table, here, "MORF"),
        *_ours(table, here),
        *_variants(table, problem, variants),
        f"### Time\n\n{_TIME}",
        markdown(("method", *columns), _seconds(table, columns)),
    ]
    return "\n\n".join(pieces)


def _published(name: str, curve: Curve, ats: list[float]) -> list[str]:
    return [f"*published {name}*", *(f"{curve[at]:g}" if at in curve else "" for at in ats)]


def _against_published(table: Table, here: Selection) -> str:
    """Write at which sizes a forest of ours is at or below the published MORF."""
    known = ERRORS[str(here["problem"])]["MORF"]
    lines = []
    for method in [name for name in table.methods(**here) if name.startswith(("MORF", "ours"))]:
        found = {at: table.mean_interval("error", method=method, at=at, **here) for at in known}
        above = [at for at, one in found.items() if one is None or one.mean > known[at]]
        within = [at for at in above if (one := found[at]) is not None and one.mean - one.half <= known[at]]
        lines.append(f"- `{method}`: {_places(above, within)}")
    return "At or below the published MORF, whose errors are those of one draw each:\n\n" + "\n".join(lines)


def _places(above: list[float], within: list[float]) -> str:
    if not above:
        return "at every size."
    text = f"at every size but {', '.join(f'{at:,g}' for at in above)}"
    inside = f" (of these the 95 % interval holds the published error at {', '.join(f'{at:,g}' for at in within)})"
    return text + (inside if within else "") + "."


def _ours(table: Table, here: Selection) -> list[str]:
    """Return how the forest of ours does against all others, if it was run."""
    own = [name for name in table.methods(**here) if name.endswith("ours")]
    return [
        f"Error of `{name}` minus that of another method, set in bold as above:\n\n{differences(table, here, name)}"
        for name in own
    ]


def differences(table: Table, here: Selection, method: str) -> str:
    ats = table.ats(**here)
    others = [name for name in table.methods(**here) if name != method]
    rows = [[other, *(matched(table, "error", method, other, {**here, "at": at}) for at in ats)] for other in others]
    return markdown(("minus", *(f"n = {at:,g}" for at in ats)), rows)


def not_beaten(found: Interval) -> str:
    """Write of a difference why it does not count as beating."""
    few = f"{found.n} draws are too few" if found.n > 1 else "one draw is too few"
    return f"{few} to say that one beats the other" if found.n < FEWEST else "neither beats the other"


def _variants(table: Table, problem: str, text: str) -> list[str]:
    """Return the errors of MORF in other forms, if such were run."""
    parts = [part for part in table.parts(problem=problem, method="MORF") if part != "figure"]
    if not parts:
        return []
    here: Selection = {"problem": problem, "method": "MORF"}
    columns = {f"n = {at:,g}": {"at": at, **here} for at in table.ats(**here)}
    rows = mean_rows(table, "error", each("part", ["figure", *parts]), columns)
    return [f"### Variants\n\n{text}", markdown(("variant", *columns), rows)]


def _seconds(table: Table, columns: dict[str, Selection]) -> list[list[str]]:
    methods = table.methods(part="figure")
    return [
        [name, *(_median(table, {"method": name, **selection}) for selection in columns.values())] for name in methods
    ]


def _median(table: Table, selection: Selection) -> str:
    fit, predict = (table.values(f"{what} seconds", **selection) for what in ("fit", "predict"))
    return f"{np.median(fit):.3g} ({np.median(predict):.3g})" if fit.size else "-"

"""Write the page of coverage: `page.py core.json python.json page.md`.

The figures are those of llvm-cov and coverage.py. Of what reads files and decides cuts, the page lists each line with a
branch that no test takes, and why: ``explained.txt`` has the reasons. A line without one is printed, and the exit code
is 1.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
EXPLAINED = Path(__file__).with_name("explained.txt")
ABOUT = """# Coverage

Which lines and branches the tests reach: `make coverage` builds the core and the module with clang's counters, runs the
tests of the core and the Python tests, and writes this page. A branch counts once for each way it can go.
"""
STRICT_ABOUT = """The table below is about the code that reads model files, checks them, and decides cuts. It lists each
line with a branch that no test takes, and the reason. `make coverage` fails if a reason is missing.
"""
STRICT = ("core/cuts/", "core/trees/check.cpp", "src/foliation/io/", "src/foliation/estimators/load.py")


@dataclass(frozen=True)
class Count:
    """How many of something there are, and how many of them the tests reach."""

    reached: int = 0
    total: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.reached + other.reached, self.total + other.total)

    def __str__(self) -> str:
        return f"{100 * self.reached / self.total:.1f} % of {self.total:,}" if self.total else "none"


@dataclass(frozen=True)
class Unit:
    """What the tests reach of one source file."""

    path: str
    lines: Count
    branches: Count
    missed: tuple[int, ...]  # lines that are not reached, or have a branch that is not taken


class Miss(NamedTuple):
    """A line that is not reached, or has a branch that is not taken."""

    path: str
    code: str


def main(core: Path, package: Path, page: Path) -> int:
    units = [*units_of_core(json.loads(core.read_text())), *units_of_package(json.loads(package.read_text()))]
    missed, reasons = misses(units), explained()
    page.write_text("\n".join([ABOUT, *table(units), "", STRICT_ABOUT, *explanations(missed, reasons)]) + "\n")
    unknown = [miss for miss in missed if miss not in reasons]
    for miss in unknown:
        print(f"no test takes a branch of {miss.path}: {miss.code}")
    return 1 if unknown else 0


def units_of_core(report: dict[str, Any]) -> Iterator[Unit]:
    """Yield the units of llvm-cov's report."""
    for file in report["data"][0]["files"]:
        if not Path(file["filename"]).is_relative_to(ROOT):  # of Python and nanobind
            continue
        lines, branches = (file["summary"][kind] for kind in ("lines", "branches"))
        yield Unit(
            Path(file["filename"]).relative_to(ROOT).as_posix(),
            Count(lines["covered"], lines["count"]),
            Count(branches["covered"], branches["count"]),
            tuple(sorted(missed_in_core(file))),
        )


def missed_in_core(file: dict[str, Any]) -> set[int]:
    """Return the lines of a file's branches that are not taken; a line of templates counts once for all of them."""
    taken: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0, 0])
    for *place, if_true, if_false, _, _, _ in file["branches"]:
        counts = taken[tuple(place)]
        counts[0] += if_true
        counts[1] += if_false
    never = {
        line for line, _, count, has_count, _, is_gap in file["segments"] if has_count and not is_gap and count == 0
    }
    return never | {place[0] for place, counts in taken.items() if 0 in counts}


def units_of_package(report: dict[str, Any]) -> Iterator[Unit]:
    """Yield the units of coverage.py's report."""
    for name, file in report["files"].items():
        summary = file["summary"]
        parts = Path(name).parts
        yield Unit(
            Path("src", *parts[parts.index("foliation", parts.index("package")) :]).as_posix(),
            Count(summary["covered_lines"], summary["num_statements"]),
            Count(summary["covered_branches"], summary["num_branches"]),
            tuple(sorted({*file["missing_lines"], *(begin for begin, _ in file["missing_branches"])})),
        )


def table(units: list[Unit]) -> list[str]:
    folders: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        folders[Path(unit.path).parent.as_posix()].append(unit)
    rows = [row(f"`{folder}/`", folders[folder]) for folder in sorted(folders)]
    wholes = {"all of C++": ("core/", "bindings/"), "all of Python": ("src/",)}
    sums = [row(f"**{name}**", [unit for unit in units if unit.path.startswith(of)]) for name, of in wholes.items()]
    return ["| folder | lines | branches |", "|---|---|---|", *rows, *sums]


def row(name: str, units: list[Unit]) -> str:
    lines = sum((unit.lines for unit in units), Count())
    branches = sum((unit.branches for unit in units), Count())
    return f"| {name} | {lines} | {branches} |"


def misses(units: list[Unit]) -> list[Miss]:
    """Return the lines that need a reason, each once."""
    strict = sorted((unit for unit in units if unit.path.startswith(STRICT)), key=lambda unit: unit.path)
    lines = {unit.path: (ROOT / unit.path).read_text().splitlines() for unit in strict}
    return list(dict.fromkeys(Miss(unit.path, lines[unit.path][k - 1].strip()) for unit in strict for k in unit.missed))


def explained() -> dict[Miss, str]:
    """Return why no test takes some branches."""
    pattern = re.compile(r"(?P<path>[^:]+): (?P<code>.*)  # (?P<reason>.*)")
    found = map(pattern.fullmatch, EXPLAINED.read_text().splitlines())
    return {Miss(match["path"], match["code"]): match["reason"] for match in found if match}


def explanations(missed: list[Miss], reasons: dict[Miss, str]) -> list[str]:
    rows = [f"| `{miss.path}` | `{_cell(miss.code)}` | {reasons.get(miss, '')} |" for miss in missed]
    return ["| file | line | why no test takes one of its branches |", "|---|---|---|", *rows]


def _cell(code: str) -> str:
    return code.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))

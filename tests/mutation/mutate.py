"""Mutation testing of the checks of the core: change one operator, and see whether a test of the core fails.

Each mutant is a copy of one source file with one change. The tests that are about it are built with AddressSanitizer
and the assertions of the standard library, and run. A mutant that no test notices survives and is printed.
``survivors.txt`` lists those that no test can notice, each with its line and the reason; any other entry is an error.
``make mutation`` runs all of them; ``FILTER=check`` takes the files whose names contain it.
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutation"
SURVIVORS = ROOT / "tests" / "mutation" / "survivors.txt"
_TIME_LIMIT = 120  # seconds for a test that a mutant keeps from ending

# The checks: where they stand, which functions, and the tests that are about them.
CHECKS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("core/trees/check.cpp", r".*", ("test_check",)),
    ("core/projections/axis.h", r"\bholds\(", ("test_axis", "test_check")),
    ("core/projections/sparse.h", r"\bholds\(", ("test_sparse",)),
    ("core/projections/patches.cpp", r"\bholds\(", ("test_patches",)),
    ("core/projections/kernels.h", r"\bholds\(", ("test_kernels",)),
    ("core/projections/neighborhoods.h", r"\bholds\(", ("test_neighborhoods",)),
    ("core/projections/atoms.h", r"\bholds\(", ("test_atoms",)),
    ("core/projections/dictionary.cpp", r"\bholds\(", ("test_dictionary",)),
)

# A pattern and what takes the place of its group "op"; strings and comments are left alone.
OPERATORS: tuple[tuple[str, str], ...] = (
    (r"(?<![<>=!-])(?P<op><=)(?!>)", "<"),
    (r"(?<![<>=!-])(?P<op>>=)", ">"),
    (r"(?<=\s)(?P<op><)(?=\s)", "<="),
    (r"(?<=\s)(?P<op>>)(?=\s)", ">="),
    (r"(?P<op>==)", "!="),
    (r"(?P<op>!=)", "=="),
    (r"(?P<op>&&)", "||"),
    (r"(?P<op>\|\|)", "&&"),
    (r"(?<=\s)(?P<op>\+)(?= \w)", "-"),
    (r"(?<=\w\s)(?P<op>-)(?= \w)", "+"),
    (r"(?<=\w\s)(?P<op>\*)(?= \w)", "+"),
    (r"(?<=[(\s,])(?P<op>!)(?=[\w(])", ""),
    (r"(?<=return )(?P<op>false)(?=;)", "true"),
    (r"(?<=return )(?P<op>true)(?=;)", "false"),
    (r"^\s*(?P<op>require\()(?!bool)", "static_cast<void>(0); if (false) require("),
    (r"(?<=[^\w.])(?P<op>0)(?=[;,) ])", "1"),
    (r"(?<=[^\w.])(?P<op>1)(?=[;,) ])", "2"),
)


class Outcome(StrEnum):
    """What became of a mutant."""

    NOT_COMPILED = "not compiled"
    KILLED = "killed by a test that failed"
    TIMED_OUT = f"killed by a test that took longer than {_TIME_LIMIT} seconds"
    SURVIVED = "survived"


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int  # from 0
    before: str
    after: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.path}:{self.line + 1}: {self.before.strip()}  ->  {self.after.strip()}"


def mutants(path: str, function: str, tests: tuple[str, ...]) -> Iterator[Mutant]:
    """Yield every mutant of the functions of a file."""
    lines = (COPY / path).read_text().splitlines()
    for number in sorted(_lines_of(lines, function)):
        code, quoted = _without_comment(lines[number]), _quoted(lines[number])
        for pattern, other in OPERATORS:
            for match in re.finditer(pattern, code):
                begin, end = match.span("op")
                if not any(a <= begin < b for a, b in quoted):
                    after = lines[number][:begin] + other + lines[number][end:]
                    yield Mutant(path, number, lines[number], after, tests)


def _lines_of(lines: list[str], function: str) -> set[int]:
    """Return the lines of the functions whose first line matches: up to the brace that closes them."""
    if function == ".*":
        return {k for k, line in enumerate(lines) if not line.startswith(("#", "//", "using", "namespace"))}
    chosen: set[int] = set()
    for first, line in enumerate(lines):
        if re.search(function, line) and not line.strip().startswith("//") and "{" in line:
            depth = 0
            for k in range(first, len(lines)):
                chosen.add(k)
                depth += lines[k].count("{") - lines[k].count("}")
                if depth == 0:
                    break
    return chosen


def _without_comment(line: str) -> str:
    return line.split("//")[0]


def _quoted(line: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r'"[^"]*"', line)]


def _build(tests: tuple[str, ...]) -> bool:
    command = ["cmake", "--build", str(COPY / "build"), "--target", *tests]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _run(tests: tuple[str, ...]) -> Outcome:
    """Run the tests until one fails or takes too long."""
    for test in tests:
        try:
            done = subprocess.run(COPY / "build" / test, capture_output=True, timeout=_TIME_LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return Outcome.TIMED_OUT
        if done.returncode != 0:
            return Outcome.KILLED
    return Outcome.SURVIVED


def outcome(mutant: Mutant) -> Outcome:
    """Build a mutant, and run its tests."""
    place = COPY / mutant.path
    whole = place.read_text()
    lines = whole.splitlines()
    lines[mutant.line] = mutant.after
    place.write_text("\n".join(lines) + "\n")
    try:
        return _run(mutant.tests) if _build(mutant.tests) else Outcome.NOT_COMPILED
    finally:
        place.write_text(whole)


def _copy_changed(source: str | Path, target: str | Path) -> None:
    """Leave equal files alone: the time of a copy tells ninja that what a mutant left is out of date."""
    if not (Path(target).exists() and filecmp.cmp(source, target, shallow=False)):
        shutil.copyfile(source, target)


def prepare() -> None:
    """Copy the sources, and have the tests built without optimization."""
    for folder in ("core", "tests/core", "tests/fuzz", "benchmarks/guard", "cmake"):
        shutil.copytree(ROOT / folder, COPY / folder, copy_function=_copy_changed, dirs_exist_ok=True)
    _copy_changed(ROOT / "CMakeLists.txt", COPY / "CMakeLists.txt")
    options = {
        "FOLIATION_PYTHON": "OFF",
        "FOLIATION_TESTS": "ON",
        "CMAKE_BUILD_TYPE": "Debug",
        # Without -g, which takes longer to write than the code.
        "CMAKE_CXX_FLAGS_DEBUG": "-O0 -D_GLIBCXX_ASSERTIONS",
        "FOLIATION_SANITIZE": "address",
    }
    command = ["cmake", "-S", str(COPY), "-B", str(COPY / "build"), "-G", "Ninja"]
    command += [f"-D{name}={value}" for name, value in options.items()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def explained() -> dict[str, str]:
    """Return the survivors that are known, and why no test can notice them."""
    lines = SURVIVORS.read_text().splitlines()
    return {mutant: reason for mutant, _, reason in (line.partition("  # ") for line in lines if line)}


def main() -> int:
    prepare()
    checks = [check for check in CHECKS if os.environ.get("FILTER", "") in check[0]]
    outcomes: dict[str, Outcome] = {}
    for path, function, tests in checks:
        if not (_build(tests) and _run(tests) is Outcome.SURVIVED):
            print(f"{', '.join(tests)}: the tests fail without a change")
            return 2
        outcomes |= {str(mutant): outcome(mutant) for mutant in mutants(path, function, tests)}
    paths = tuple(f"{path}:" for path, _, _ in checks)
    return report(outcomes, {mutant for mutant in explained() if mutant.startswith(paths)})


def report(outcomes: dict[str, Outcome], known: set[str]) -> int:
    """Print what became of the mutants, and return the exit code: 1 if a survivor or its explanation is missing."""
    survivors = {mutant for mutant, end in outcomes.items() if end is Outcome.SURVIVED}
    for title, names in (("survives", survivors - known), ("stale line of survivors.txt", known - survivors)):
        for name in sorted(names):
            print(f"{title}: {name}")
    counts = Counter(outcomes.values())
    print(f"{len(outcomes)} mutants: " + ", ".join(f"{counts[end]} {end}" for end in Outcome))
    print(f"{len(survivors & known)} of the survivors are explained in survivors.txt")
    return 1 if survivors != known else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compare the instruction counts of small fits and predictions with those on record (see ../README.md).

Exit codes: 0 nothing grew, 1 a count grew by more than 2 %, their sum by more than 1 %, or a result changed,
2 there is nothing to judge by.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

CASES = ("images", "circle", "oblique", "axis", "series", "edges", "regression", "geodesic", "honest")
TOTAL = "all"
TOLERANCE = 0.02  # of each count
TOTAL_TOLERANCE = 0.01  # of their sum
IF_MEANT = "If that is meant, say why in the changelog and renew the record (--record)."
ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("instructions.json")


class CannotJudgeError(Exception):
    pass


@dataclass(frozen=True)
class Counts:
    """What one compiler's program took on one instruction set, and what it computed."""

    compiler: str  # name and version
    instructions: dict[str, int]  # "images fit": how many
    fingerprints: dict[str, str]  # "images": of the forest and its predictions


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="put the counts of this build on record")
    arguments = parser.parse_args()
    try:
        require_valgrind()
        machine, now = measure(build())
    except CannotJudgeError as reason:
        print(reason)
        return 2
    records = read_records(RECORD)
    lines, code = judge(machine, records.get(machine), now)
    print(*lines, sep="\n")
    if not arguments.record:
        return code
    write_records(RECORD, records | {machine: now})
    print(f"Recorded for {machine} and {now.compiler}.")
    return 0


def judge(machine: str, recorded: Counts | None, now: Counts) -> tuple[list[str], int]:
    """Return what to print and the exit code."""
    if recorded is None or recorded.instructions.keys() != now.instructions.keys():
        return [f"There is no record of these cases for {machine}; make one on a state you trust (--record)."], 2
    changed = [name for name, bits in now.fingerprints.items() if bits != recorded.fingerprints.get(name)]
    lines = [f"{name}: the results are not those on record. {IF_MEANT}" for name in changed]
    if major(recorded.compiler) != major(now.compiler):
        lines.append(
            f"The counts on record are of {recorded.compiler}, these of {now.compiler}: they cannot be compared. "
            "Use that compiler, or make a record with this one on a state you trust (--record)."
        )
        return lines, 1 if changed else 2
    lines = [*table(machine, recorded, now), *lines]
    changes = relative_changes(recorded, now)
    grown = [name for name, change in changes.items() if change > tolerance(name)]
    shrunk = [name for name, change in changes.items() if change < -tolerance(name)]
    lines += [f"{name}: more instructions than on record by over {tolerance(name):.0%}. {IF_MEANT}" for name in grown]
    if shrunk:
        lines.append(f"Fewer instructions than on record: {', '.join(shrunk)}. Renew the record (--record).")
    return lines, 1 if grown or changed else 0


def with_total(counts: Counts) -> dict[str, int]:
    return counts.instructions | {TOTAL: sum(counts.instructions.values())}


def tolerance(name: str) -> float:
    return TOTAL_TOLERANCE if name == TOTAL else TOLERANCE


def relative_changes(recorded: Counts, now: Counts) -> dict[str, float]:
    """Return by how much each count and their sum grew, as a share of what is on record."""
    before = with_total(recorded)
    return {name: n / before[name] - 1 for name, n in with_total(now).items()}


def table(machine: str, recorded: Counts, now: Counts) -> list[str]:
    lines = [f"{machine}, {now.compiler}", f"{'case':<20}{'recorded':>14}{'now':>14}{'change':>10}"]
    before, after = with_total(recorded), with_total(now)
    for name, change in relative_changes(recorded, now).items():
        lines.append(f"{name:<20}{before[name]:>14,}{after[name]:>14,}{100 * change:>+8.2f} %")
    return lines


def major(compiler: str) -> str:
    """Return the name and the first number of the version: counts of others cannot be compared."""
    return compiler.split(".")[0]


def read_records(path: Path) -> dict[str, Counts]:
    records = json.loads(path.read_text()) if path.exists() else {}
    return {machine: Counts(**counts) for machine, counts in records.items()}


def write_records(path: Path, records: dict[str, Counts]) -> None:
    plain = {machine: asdict(counts) for machine, counts in sorted(records.items())}
    path.write_text(json.dumps(plain, indent=2) + "\n")


def require_valgrind() -> None:
    if shutil.which("valgrind") is None:
        raise CannotJudgeError(
            "Instructions are counted by valgrind: `apt install valgrind` or `dnf install valgrind`."
        )


def build() -> Path:
    for command in (["--preset", "release"], ["--build", "--preset", "release", "--target", "bench_guard"]):
        run(["cmake", *command])
    return ROOT / "build/release/bench_guard"


def measure(program: Path) -> tuple[str, Counts]:
    """Return the instruction set that was used and its counts."""
    instructions, fingerprints = {}, {}
    for case in CASES:
        said, parts = count(program, case)
        _, instructions[f"{case} fit"], instructions[f"{case} predict"] = parts
        fingerprints[case] = said["fingerprint"]
    return f"{platform.machine()} {said['isa']}", Counts(said["compiler"], instructions, fingerprints)


def count(program: Path, case: str) -> tuple[dict[str, str], list[int]]:
    """Return what the program says and the instructions, of all threads, up to each of its marks."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        options = ["--tool=callgrind", "--dump-before=guard_mark", f"--callgrind-out-file={out}"]
        said = run(["valgrind", "--quiet", *options, str(program), case])
        parts = [total(Path(f"{out}.{k}")) for k in (1, 2, 3)]
    return dict(line.split(" ", 1) for line in said.splitlines()), parts


def total(profile: Path) -> int:
    """Return the sum that a profile of callgrind ends with."""
    if not profile.exists():
        raise CannotJudgeError("valgrind did not see the program's marks; was it built without symbols?")
    return next(int(line.split()[1]) for line in profile.read_text().splitlines() if line.startswith("totals:"))


def run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise CannotJudgeError(f"{command[0]} is not installed.") from error
    if done.returncode != 0:
        raise CannotJudgeError(f"`{' '.join(command)}` failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())

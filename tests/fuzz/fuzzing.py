"""Run fuzz targets for some seconds each, and print what they did and found: ``python tests/fuzz/fuzzing.py 60 load``.

A target starts from the files in ``corpus`` and ``regressions``; what it learns is kept in ``build/fuzz-corpus``.
Inputs that crash, hang or take too much memory are written to ``build/fuzz-found``. If there are any, or if a target
runs no input at all, the exit code is 1. ``make fuzz`` builds what this needs.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build"
CORE = sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.cpp"))
PYTHON = sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.py"))
MOST_FINDINGS = 10  # of a target, after which it is not started again

LIMITS = ["-timeout=60", "-rss_limit_mb=2048", "-malloc_limit_mb=512"]
_OPTIONS = {
    "load": ["-max_len=65536"],
    "data": ["-max_len=4096", f"-dict={HERE / 'data.dict'}"],
}
_STATUS = re.compile(r"^#(\d+)\s.*cov: (\d+) ft: \d+ corp: (\d+)/", re.MULTILINE)
_EDGES = re.compile(r"\((\d+) inline 8-bit counters\)")
_ASAN = "detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16:verify_asan_link_order=0"


class Run(NamedTuple):
    """What one start of a fuzzer did."""

    n_runs: int
    n_covered: int  # edges
    n_edges: int
    n_files: int  # in its corpus
    cpu_seconds: float
    exit_code: int

    @property
    def failed(self) -> bool:
        """Whether there is a finding, or the fuzzer ended without running an input."""
        return self.exit_code != 0 or self.n_runs == 0


def command_of(target: str) -> tuple[list[str], dict[str, str]]:
    """Return how a target is started, and with which environment."""
    if target in CORE:
        return [str(BUILD / "fuzz" / f"fuzz_{target}"), "-max_len=2048", "-len_control=0"], {}
    python = [str(HERE.parents[1] / ".venv-fuzz" / "bin" / "python"), "-W", "ignore"]
    # The fuzzer looks for a mutator when it is loaded, so that atheris' comes with it.
    (mutator,) = (HERE.parents[1] / ".venv-fuzz").glob("lib/python*/site-packages/atheris/custom_mutator.*.so")
    preload = [str(BUILD / "libfuzzer.so"), *([str(mutator)] if target == "load" else [])]
    environment = {"LD_PRELOAD": ":".join(preload), "ASAN_OPTIONS": _ASAN}
    return [*python, str(HERE / f"fuzz_{target}.py"), *_OPTIONS[target]], environment


def folders_of(target: str) -> list[Path]:
    """Return where the inputs of a target are, first the one that new ones are written to."""
    given = [HERE / "corpus" / target, HERE / "regressions" / target]
    if target == "load":
        given += sorted((HERE.parent / "golden").glob("*.*"))  # files of every release
    return [BUILD / "fuzz-corpus" / target, *(folder for folder in given if folder.is_dir())]


def children_cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start(target: str, seconds: int, found: Path) -> Run:
    """Run the fuzzer until time is up or it finds something."""
    command, environment = command_of(target)
    options = [f"-max_total_time={seconds}", f"-artifact_prefix={found}/{target}-", *LIMITS]
    folders = list(map(str, folders_of(target)))
    log = found.with_name("fuzz-logs") / f"{target}.log"
    with log.open("ab") as file:
        begin, cpu_before = file.tell(), children_cpu_seconds()
        ended = subprocess.run(
            [*command, *options, *folders], stdout=file, stderr=file, env=os.environ | environment, check=False
        )
    return run_of(
        log.read_bytes()[begin:].decode(errors="replace"), children_cpu_seconds() - cpu_before, ended.returncode
    )


def run_of(output: str, cpu_seconds: float, exit_code: int) -> Run:
    """Read from the output of a fuzzer what it did."""
    n_edges = sum(map(int, _EDGES.findall(output)))
    n_runs, n_covered, n_files = map(int, (_STATUS.findall(output) or [(0, 0, 0)])[-1])
    return Run(n_runs, n_covered, n_edges, n_files, cpu_seconds, exit_code)


def starts(target: str, seconds: int, found: Path) -> Iterator[Run]:
    """Start the fuzzer again after a finding, until time is up."""
    end = time.monotonic() + seconds
    for _ in range(MOST_FINDINGS):
        left = int(end - time.monotonic())
        if left < 1:
            return
        yield start(target, left, found)


def main(seconds: int, targets: list[str]) -> int:
    found = BUILD / "fuzz-found"
    for folder in (found, found.with_name("fuzz-logs"), *(folders_of(target)[0] for target in targets)):
        folder.mkdir(parents=True, exist_ok=True)
    n_failed = 0
    print(
        f"{'target':12} {'CPU min':>7} {'runs':>10} {'runs/s':>8} {'corpus':>7} {'edges':>15} {'findings':>9}",
        flush=True,
    )
    for target in targets:
        begin, runs = time.monotonic(), list(starts(target, seconds, found))
        minutes = sum(run.cpu_seconds for run in runs) / 60
        n_runs, failed = sum(run.n_runs for run in runs), sum(run.failed for run in runs)
        rate = n_runs / (time.monotonic() - begin)
        edges = f"{max(run.n_covered for run in runs):,}/{max(run.n_edges for run in runs):,}"
        n_files = max(run.n_files for run in runs)
        print(f"{target:12} {minutes:7.1f} {n_runs:10,} {rate:8.0f} {n_files:7,} {edges:>15} {failed:9}", flush=True)
        n_failed += failed
        if not n_runs:
            print(f"{target} ran no input: see its log", file=sys.stderr)
    if n_failed:
        print(f"inputs: {found}; logs: {found.with_name('fuzz-logs')}", file=sys.stderr)
    return min(n_failed, 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:] or [*CORE, *PYTHON]))

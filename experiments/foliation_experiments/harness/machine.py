"""The machine and the commit that figures were made on."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

# Flags of the processor that the core asks for, newest instruction set first
_INSTRUCTION_SETS = {"avx512": {"avx512bw", "avx512dq", "avx512vl", "avx512cd"}, "avx2": {"avx2", "bmi2"}}


def describe() -> dict[str, Any]:
    return {
        "commit": commit(),
        "processor": _processor().get("model name") or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "load": round(os.getloadavg()[0], 2),  # of the last minute, before anything is run
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "instruction_set": os.environ.get("FOLIATION_ISA") or _newest_instruction_set(),
    }


def commit() -> str:
    """Return the commit of this source tree, with a mark if files differ from it; "release" outside of one."""
    folder = Path(__file__).parent

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    revision = git("rev-parse", "--short=12", "HEAD")
    if not revision:
        return "release"
    return revision + (" with changes" if git("status", "--porcelain", "--untracked-files=no") else "")


def _newest_instruction_set() -> str:
    flags = set(_processor().get("flags", "").split())
    return next((name for name, needed in _INSTRUCTION_SETS.items() if needed <= flags), "baseline")


@cache
def _processor() -> dict[str, str]:
    """Return what Linux reports about the last core."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    pairs = (line.partition(":") for line in lines)
    return {name.strip(): value.strip() for name, _, value in pairs}

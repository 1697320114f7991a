"""The machine and the commit that figures were made on."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from foliation._version import __version__
from foliation.rows import _ISA_NAMES, isa


def describe() -> dict[str, Any]:
    return {
        "version": __version__,
        "commit": commit(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "load": round(os.getloadavg()[0], 2),  # of the last minute, before anything is run
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "instruction_set": _ISA_NAMES[isa()],
    }


def commit() -> str:
    """Return the commit of this source tree, with a mark if files differ from it; "release" outside of one."""
    folder = Path(__file__).parent

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    found = git("rev-parse", "--short=12", "HEAD")
    if not found:
        return "release"
    return found + (" with changes" if git("status", "--porcelain", "--untracked-files=no") else "")


def _processor() -> str:
    books = Path("/proc/cpuinfo")
    lines = books.read_text().splitlines() if books.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()

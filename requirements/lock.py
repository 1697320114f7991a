"""Write exact versions and hashes of all that `make test` installs on this machine (run it by `make lock`).

pip says what it would install into an empty environment. The lock is named after the interpreter, so that others do
not take it for theirs. PyTorch has a lock of its own: the usual index has no build of it for Linux without CUDA, pip
finds one only where it is told to look, and the tests do without it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = {".": "[test]", "./experiments": "[test]", "./benchmarks": ""}
WITHOUT_CUDA = "torch==2.13.0+cpu"
HEADER = "# Exact versions for {name}, written by `make lock`.\n"


def main() -> None:
    name = sysconfig.get_config_var("SOABI")
    pins = {item["metadata"]["name"].lower(): pin(item) for item in would_install() if "archive_info" in source(item)}
    header = HEADER.format(name=name)
    torch = pins.pop("torch")
    folder = ROOT / "requirements"
    (folder / f"{name}.lock").write_text(header + "".join(pins[project] for project in sorted(pins)))
    (folder / f"{name}.torch.lock").write_text(header + torch)


def would_install() -> list[dict[str, Any]]:
    """Return pip's report of each project that it would install."""
    projects = [project + extra for project, extra in PROJECTS.items()]
    options = ["--quiet", "--dry-run", "--ignore-installed", "--report=-"]
    command = [sys.executable, "-m", "pip", "install", *options, *projects, *builders(), WITHOUT_CUDA]
    report = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    installed: list[dict[str, Any]] = json.loads(report)["install"]
    return installed


def builders() -> list[str]:
    """Return what builds the projects, and installs them in place."""
    files = [ROOT / project / "pyproject.toml" for project in PROJECTS]
    required = {name for file in files for name in tomllib.loads(file.read_text())["build-system"]["requires"]}
    return [*sorted(required), "editables"]


def source(item: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = item["download_info"]
    return found


def pin(item: dict[str, Any]) -> str:
    """Return the line of the lock for one project."""
    digest = source(item)["archive_info"]["hashes"]["sha256"]
    return f"{item['metadata']['name']}=={item['metadata']['version']} --hash=sha256:{digest}\n"


if __name__ == "__main__":
    main()

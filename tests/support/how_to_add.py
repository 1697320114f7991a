"""The code of docs/how_to_add.md: read from the page, applied to a copy of the sources, built and run."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how_to_add.md"
FOLDER = ROOT / "build" / "how_to_add"  # kept between runs: only what has changed is built again
SOURCE, BUILD = FOLDER / "source", FOLDER / "build"
SUPPORT = Path(__file__).parent

_BLOCK = re.compile(r"^\*\*(New file|Change)\*\* `([^`\n]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COPIED = {
    "core": {".h", ".cpp"},
    "bindings": {".h", ".cpp"},
    "src/foliation": {".py", ".pyi", ".typed"},
    "cmake": {".cmake", ".in"},
}
# Appended to CMakeLists.txt; halves the time to compile. The headers are those that most files include.
_FASTER = """
target_precompile_headers(foliation_core PRIVATE core/projections/dictionary.h core/criteria/criterion.h)
target_precompile_headers(_core PRIVATE bindings/arrays.h <nanobind/stl/string.h> <nanobind/stl/vector.h>)
foreach(target nanobind-static nanobind-static-abi3)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 100)
  endif()
endforeach()
"""


class Block(NamedTuple):
    """A piece of code of the page: a whole file, or a diff of one."""

    is_new: bool
    path: str
    text: str


def blocks() -> list[Block]:
    """Return all code of the page that belongs to a file."""
    return [Block(kind == "New file", path, text) for kind, path, text in _BLOCK.findall(PAGE.read_text())]


def changed(text: str, diff: str) -> str:
    """Apply a diff whose places are separated by @@; raise ValueError unless each place is found exactly once."""
    lines = text.splitlines()
    for place in re.split(r"^@@.*\n", diff, flags=re.MULTILINE):
        marked = [line or " " for line in place.splitlines()]  # editors strip the space of an empty line
        before = [line[1:] for line in marked if line[0] in " -"]
        found = [at for at in range(len(lines)) if lines[at : at + len(before)] == before]
        if len(found) != 1:
            raise ValueError("\n".join([f"found {len(found)} times, expected once:", *before]))
        lines[found[0] : found[0] + len(before)] = [line[1:] for line in marked if line[0] in " +"]
    return "\n".join([*lines, ""])


def sources() -> dict[str, str]:
    """Return the sources of the package with the code of the page in them, by their paths."""
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for folder, kinds in _COPIED.items()
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in kinds
    }
    files["CMakeLists.txt"] = (ROOT / "CMakeLists.txt").read_text() + _FASTER
    for block in blocks():
        if block.is_new == (block.path in files):
            raise ValueError(f"{block.path} {'exists already' if block.is_new else 'does not exist'}")
        files[block.path] = block.text if block.is_new else changed(files[block.path], block.text)
    return files


def write_sources() -> None:
    """Write the sources to the folder, and only files that differ, so that ninja builds no more than it must."""
    files = sources()
    for path, text in files.items():
        written = SOURCE / path
        if not written.is_file() or written.read_text() != text:
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(text)
    kinds = set().union(*_COPIED.values())
    for written in [path for path in SOURCE.rglob("*") if path.suffix in kinds]:
        if written.relative_to(SOURCE).as_posix() not in files:
            written.unlink()


def missing_tool() -> str:
    """Return what is needed to build and is not installed; empty if nothing is missing."""
    tools = {compiler(): compiler(), "cmake": tool("cmake"), "ninja": tool("ninja")}
    absent = [name for name, path in tools.items() if shutil.which(path) is None]
    if importlib.util.find_spec("nanobind") is None:
        absent.append("nanobind")
    return ", ".join(absent)


def compiler() -> str:
    return os.environ.get("CXX", "c++")


def tool(name: str) -> str:
    """Return a program of this environment, or one on the path."""
    own = Path(sys.executable).with_name(name)
    return str(own) if own.is_file() else name


def build() -> None:
    """Build the module into the copied package, with assertions and without optimization."""
    cmake_dir = subprocess.check_output([sys.executable, "-m", "nanobind", "--cmake_dir"], text=True).strip()
    settings = {
        "CMAKE_BUILD_TYPE": "Debug",
        "CMAKE_CXX_COMPILER": compiler(),
        "CMAKE_CXX_FLAGS_DEBUG": "-O0 -D_GLIBCXX_ASSERTIONS",
        "CMAKE_LIBRARY_OUTPUT_DIRECTORY": str(SOURCE / "src" / "foliation"),
        "CMAKE_MAKE_PROGRAM": shutil.which(tool("ninja")),
        "FOLIATION_WERROR": "ON",
        "Python_EXECUTABLE": sys.executable,
        "nanobind_DIR": cmake_dir,
    }
    defined = [f"-D{name}={value}" for name, value in settings.items()]
    check_run([tool("cmake"), "-S", str(SOURCE), "-B", str(BUILD), "-G", "Ninja", *defined])
    check_run([tool("cmake"), "--build", str(BUILD)])


def check_run(command: list[str], **options: str | dict[str, str]) -> str:
    """Run a program and return what it prints; raise AssertionError with that if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}"
    return str(done.stdout)


def python(*arguments: str) -> list[str]:
    """Return the command that runs Python without the packages that are installed in place, such as ours."""
    return [sys.executable, "-S", *arguments]


def environment() -> dict[str, str]:
    """Return the environment variables with which Python finds the copied package before all others."""
    packages = [path for path in sys.path if path.endswith("-packages")]
    paths = [str(SOURCE / "src"), str(SUPPORT), *packages]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths), "MPLBACKEND": "Agg"}


@contextmanager
def locked() -> Iterator[None]:
    """Let one process at a time write and build."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compile_errors(folder: Path, path: str, text: str) -> str:
    """Return what the compiler says of the registration of an addition whose header is replaced by a text."""
    header = folder / path
    header.parent.mkdir(parents=True)
    header.write_text(text)
    program = folder / "program.cpp"
    program.write_text(f'#include "{registration_of(path)}"\n')
    command = [compiler(), "-std=c++20", "-fsyntax-only", f"-I{folder}", f"-I{SOURCE}", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"})
    assert done.returncode != 0, "it compiles"
    return done.stderr


def registration_of(header: str) -> str:
    """Return the file of the core in which the page includes a header."""
    (path,) = {block.path for block in blocks() if f'\n+#include "{header}"' in block.text}
    return path

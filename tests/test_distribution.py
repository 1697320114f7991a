"""What an installation holds beside the package: notices, a bill of materials, and a hardened module."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from foliation import _core

ROOT = Path(__file__).resolve().parents[1]
ROBIN_MAP = Path(str(distribution("nanobind").locate_file("nanobind/ext/robin_map/include/tsl")))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
INSTALLED = {str(file).split(".dist-info/")[-1]: file for file in distribution("foliation").files or ()}


def installed(name: str) -> str:
    """Return the text of a file in the folder that describes the installation."""
    return Path(str(INSTALLED[name].locate())).read_text()


# ---- notices ----


@pytest.mark.parametrize("name", ["LICENSE", "licenses/nanobind.txt", "licenses/robin_map.txt"])
def test_an_installation_has_the_notices_of_what_is_compiled_in(name: str) -> None:
    assert installed(f"licenses/{name}") == (ROOT / name).read_text()


def test_the_notice_of_nanobind_is_its_own() -> None:
    (own,) = (file for file in distribution("nanobind").files or () if file.name == "LICENSE")
    assert (ROOT / "licenses/nanobind.txt").read_text() == Path(str(own.locate())).read_text()


def test_the_notice_of_robin_map_is_its_own() -> None:
    """It stands above the code."""
    notice, _ = (ROBIN_MAP / "robin_map.h").read_text().split("*/", 1)
    words = re.sub(r"^/?[ *]*", "", notice, flags=re.MULTILINE).split()
    assert (ROOT / "licenses/robin_map.txt").read_text().split() == words


# ---- bill of materials ----


def bill() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(installed("sboms/foliation.cdx.json"))
    return read


def test_the_bill_of_materials_names_what_this_build_holds() -> None:
    held = {part["name"]: part for part in bill()["components"] if not part.get("isExternal")}
    macros = (ROBIN_MAP / "robin_growth_policy.h").read_text()
    robin_map = ".".join(re.findall(r"#define TSL_RH_VERSION_[A-Z]+ (\d+)", macros))
    versions = {"foliation_core": version("foliation"), "nanobind": version("nanobind"), "robin-map": robin_map}
    assert {name: part["version"] for name, part in held.items()} == versions
    assert {part["licenses"][0]["license"]["id"] for part in held.values()} == {"BSD-3-Clause", "MIT"}
    tags = {
        "nanobind": f"pkg:pypi/nanobind@{versions['nanobind']}",
        "robin-map": f"pkg:github/tessil/robin-map@v{robin_map}",
    }
    assert {name: part["purl"] for name, part in held.items() if "purl" in part} == tags
    whole = bill()["metadata"]["component"]
    assert (whole["name"], whole["version"]) == ("foliation", version("foliation"))
    assert whole["purl"] == f"pkg:pypi/foliation@{version('foliation')}"
    assert whole["licenses"] == [{"license": {"id": PROJECT["license"]}}]


def test_the_bill_of_materials_names_what_the_project_needs() -> None:
    external = {part["name"]: part["versionRange"] for part in bill()["components"] if part.get("isExternal")}
    needed = {Requirement(text).name: f"vers:pypi/{Requirement(text).specifier}" for text in PROJECT["dependencies"]}
    assert external == needed


def test_the_bill_of_materials_says_what_depends_on_what() -> None:
    parts = {part["bom-ref"] for part in bill()["components"]}
    needs = {entry["ref"]: set(entry["dependsOn"]) for entry in bill()["dependencies"]}
    assert needs == {"foliation": parts - {"robin-map"}, "nanobind": {"robin-map"}}


# ---- the compiled module ----


def elf(*options: str) -> str:
    """Return what binutils say of the module."""
    if shutil.which("readelf") is None:
        pytest.skip("binutils are not installed: the module cannot be read")
    command = ["readelf", "--wide", *options, _core.__file__ or ""]
    return subprocess.run(command, check=True, capture_output=True, text=True, env={"LC_ALL": "C"}).stdout


def test_relocations_are_done_at_once_and_then_read_only() -> None:
    assert re.search(r"\bGNU_RELRO\b", elf("--program-headers"))
    assert re.search(r"\(FLAGS(_1)?\).*\bNOW\b", elf("--dynamic"))


def test_the_stack_is_not_executable_and_nothing_is_writable_and_executable() -> None:
    segments = re.findall(r"^ +([A-Z_]+) .* ([R ][W ][E ]) +0x", elf("--program-headers"), flags=re.MULTILINE)
    flags = dict(segments)
    assert flags["GNU_STACK"] == "RW "
    assert all("W" not in flag or "E" not in flag for _, flag in segments)


def test_code_is_loaded_as_it_is() -> None:
    """No relocation changes code, and no folder of the build machine is searched for libraries."""
    assert not re.search(r"TEXTREL|RPATH|RUNPATH", elf("--dynamic"))


def test_stacks_are_protected_and_calls_of_the_c_library_checked() -> None:
    symbols = elf("--dyn-syms")
    assert "__stack_chk_fail" in symbols
    assert re.search(r"__\w+_chk@", symbols.replace("__stack_chk", "")), "no call is checked by FORTIFY"


def test_jumps_land_where_they_may() -> None:
    """Every function that may be jumped to is marked. (Debian's C library is not, so the module cannot claim it is.)"""
    if "X86-64" not in elf("--file-header"):
        pytest.skip("control-flow protection of this kind is of x86")
    endbr64 = b"\xf3\x0f\x1e\xfa"
    assert Path(_core.__file__ or "").read_bytes().count(endbr64) > 100

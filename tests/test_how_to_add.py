"""The code of docs/how_to_add.md works: it is taken from the page, built once, and used."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import how_to_add
import pytest
from how_to_add import ROOT, SOURCE, SUPPORT, blocks, check_run, python, tool

pytestmark = pytest.mark.skipif(
    bool(how_to_add.missing_tool()), reason=f"needed to build the page's code: {how_to_add.missing_tool()}"
)
NEW = [block.path for block in blocks() if block.is_new]
# What each addition lacks when a name is misspelled, and the concept that says so.
MISSPELLED = {
    "core/projections/differences.h": ("draw", "ProjectionFamily"),
    "core/criteria/powers.h": ("term", "ClassImpurity"),
    "core/views/curvature.h": ("fill", "SignalView"),
}


@pytest.fixture(scope="module")
def source() -> Iterator[Path]:
    """Return the folder with the sources and the code of the page."""
    with how_to_add.locked():
        how_to_add.write_sources()
    yield SOURCE


@pytest.fixture(scope="module")
def built(source: Path) -> Path:
    """Return that folder with the module in its package."""
    with how_to_add.locked():
        how_to_add.build()
    return source


@pytest.mark.parametrize("addition", ["family", "criterion", "view", "plot"])
def test_additions_work(built: Path, addition: str, tmp_path: Path) -> None:
    program = SUPPORT / "additions.py"
    options = ["-q", "-p", "no:cacheprovider", "-k", f"test_{addition}", f"--basetemp={tmp_path / 'inner'}"]
    shown = check_run(python("-m", "pytest", str(program), *options), env=how_to_add.environment(), cwd=str(ROOT))
    assert re.search(r"\d+ passed", shown) and "skipped" not in shown, shown


def test_the_copied_package_is_used(built: Path) -> None:
    program = "import foliation, foliation._core as core; print(foliation.__file__, core.__file__)"
    files = check_run(python("-c", program), env=how_to_add.environment()).split()
    assert [Path(file).parent for file in files] == [built / "src" / "foliation"] * 2


@pytest.mark.parametrize("path", MISSPELLED)
def test_a_missing_member_gives_one_readable_error(source: Path, path: str, tmp_path: Path) -> None:
    member, concept = MISSPELLED[path]
    (text,) = (block.text for block in blocks() if block.path == path)
    found = how_to_add.compile_errors(tmp_path, path, text.replace(f" {member}(", f" {member}_misspelled("))
    assert len(re.findall(r"\berror:", found)) == 1, found
    assert concept in found and re.search(rf"\.{member}\(", found), found


def test_the_page_shows_four_additions() -> None:
    assert NEW == [
        "core/projections/differences.h",
        "src/foliation/projections/differences.py",
        "core/criteria/powers.h",
        "core/views/curvature.h",
        "src/foliation/plotting/leaf_sizes.py",
    ]


def test_all_code_of_the_page_belongs_to_a_file() -> None:
    assert how_to_add.PAGE.read_text().count("\n```\n") == len(blocks())


def test_files_that_the_page_names_exist() -> None:
    named = set(re.findall(r"`([\w/]+/[\w/]+\.\w+)`", how_to_add.PAGE.read_text()))
    stems = {Path(path).stem for path in NEW}
    to_write = {path for path in named if path in NEW or Path(path).stem.removeprefix("test_") in stems}
    assert sorted(path for path in named - to_write if not (ROOT / path).is_file()) == []
    assert all((ROOT / path).parent.is_dir() for path in to_write)


def test_the_code_of_the_page_is_formatted(source: Path) -> None:
    paths = {path: source / path for path in dict.fromkeys(block.path for block in blocks())}
    for path, file in paths.items():
        if file.suffix == ".h":
            style = f"--style=file:{ROOT / '.clang-format'}"
            subprocess.run([tool("clang-format"), "--dry-run", "-Werror", style, str(file)], check=True)
        else:
            config = ["--config", str(ROOT / "pyproject.toml"), str(file)]
            check_run([tool("ruff"), "format", "--check", *config])
            check_run([tool("ruff"), "check", *config])
        assert path in how_to_add.sources()


def test_a_place_of_a_diff_must_be_found_once() -> None:
    assert how_to_add.changed("a\nb\nc\n", " a\n-b\n+d\n@@\n c\n+e\n") == "a\nd\nc\ne\n"
    for text in ("a\n", "b\nb\n", "xb\n"):
        with pytest.raises(ValueError, match="expected once"):
            how_to_add.changed(text, "-b\n+d\n")

"""Commands of other packages: run where they are installed, explained where they are not."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest
import typer
from typer.testing import CliRunner

from foliation.cli import extensions


def shout(word: str) -> None:
    """Print a word in capitals."""
    typer.echo(word.upper())


def app(monkeypatch: pytest.MonkeyPatch, **commands: str) -> typer.Typer:
    points = [EntryPoint(name, value, extensions.GROUP) for name, value in commands.items()]
    monkeypatch.setattr(extensions, "entry_points", lambda group: points if group == extensions.GROUP else [])
    found = typer.Typer()
    extensions.add_extensions(found)
    return found


def test_an_installed_command_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EntryPoint, "load", lambda point: shout)
    found = CliRunner().invoke(app(monkeypatch, bench="somewhere:shout"), ["bench", "loud"])
    assert (found.exit_code, found.output) == (0, "LOUD\n")


@pytest.mark.parametrize(
    ("name", "package"), [("reproduce", '"./experiments[peers]"'), ("bench", "./experiments ./benchmarks")]
)
def test_a_command_that_is_not_installed_says_what_to_install(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in ([], ["circle", "--scale", "quick"]):
        found = CliRunner().invoke(app(monkeypatch), [name, *arguments])
        assert found.exit_code == 2
        assert found.output == (
            f"`foliation {name}` is not installed: run `pip install {package}` in a checkout of Foliation.\n"
        )


def test_a_command_that_cannot_be_imported_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = app(monkeypatch, broken="no_such_package:command")
    found = CliRunner().invoke(broken, ["broken"])
    assert found.exit_code == 2
    assert "no_such_package" in found.output
    assert CliRunner().invoke(broken, ["--help"]).exit_code == 0

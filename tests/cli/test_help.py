"""Help texts: one for every command and every parameter, and none for what does not exist."""

from __future__ import annotations

import inspect

import typer

from foliation.cli.app import app
from foliation.cli.help import COMMANDS, PARAMETERS
from foliation.cli.parameters import FORESTS


def test_every_command_of_the_package_has_a_text() -> None:
    names = set(typer.main.get_group(app).commands) - {"bench", "reproduce"}
    assert names == set(COMMANDS)


def test_every_parameter_of_a_forest_has_a_text() -> None:
    parameters = {name for forest in FORESTS.values() for name in inspect.signature(forest).parameters}
    assert parameters == {*PARAMETERS, "projections"}  # fit has an option of its own for projections


def test_texts_of_parameters_are_one_sentence() -> None:
    assert [text for text in PARAMETERS.values() if not text.endswith(".") or ". " in text] == []

"""Names of strangers, in a model, in data and in file names, reach neither terminal nor spreadsheet as orders."""

from __future__ import annotations

import csv
import subprocess
import sys
import warnings
from pathlib import Path

import hostile
import numpy as np
import polars as pl
import pytest
from commands import read_npz
from typer.testing import CliRunner

import foliation as fo
from foliation.cli.app import app
from foliation.cli.tables import write_columns

ODD = "\x1b[31m$x^{_=1 <b>\u202e"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with hostile names of files: models, rows with and without targets."""
    folder = tmp_path_factory.mktemp("hostile") / ODD
    folder.mkdir()
    X, y = hostile.frame()
    with warnings.catch_warnings():  # whichever test comes first
        warnings.simplefilter("ignore")
        forest = fo.ForestClassifier(5, random_state=0, oob_score=True).fit(X, y)
    forest.save(folder / f"{ODD}.fol")
    fo.GeodesicForest(5, random_state=0).fit(X).save(folder / "geodesic.fol")
    frame = pl.DataFrame({**{name: X[name].to_numpy() for name in X.columns}, "class": y.tolist()})
    frame.write_parquet(folder / f"{ODD}.parquet")
    frame.drop(hostile.FEATURES[0]).write_parquet(folder / "lacks.parquet")
    frame.with_columns(pl.lit("\x1b[2Jnew").alias("class")).write_parquet(folder / "unknown.parquet")
    return folder


COMMANDS = {
    "fit": ["fit", "{p}", "-o", "{dir}/new\x1b.fol", "--target", "class", "--test-size", "0.3", "--n-estimators", "5"],
    "describe": ["describe", "{m}"],
    "predict": ["predict", "{m}", "{p}", "--target", "class"],
    "evaluate": ["evaluate", "{m}", "{p}", "--target", "class"],
    "explain": ["explain", "{m}", "-o", "{dir}/\x1b.csv"],
    "explain picture": ["explain", "{m}", "-o", "{dir}/\x1b.png", "--data", "{p}", "--target", "class"],
    "report": ["report", "{m}", "--data", "{p}", "--target", "class", "-o", "{dir}/\x1b.html"],
    "neighbors": ["neighbors", "{m}", "-k", "2"],
    "embed": ["embed", "{dir}/geodesic.fol", "-k", "10"],
}
REFUSED = {
    "fit no column": ["fit", "{p}", "--target", "\x1b[2J", "-o", "{dir}/x.fol"],
    "fit shape": ["fit", "{p}", "--shape", "\x1b[2J", "-o", "{dir}/x.fol"],
    "fit projections": ["fit", "{p}", "--projections", "\x1b[2J:a=\x9b", "-o", "{dir}/x.fol"],
    "fit parameter": ["fit", "{p}", "--target", "class", "--criterion", "\x1b[2J", "-o", "{dir}/x.fol"],
    "fit no folder": ["fit", "{p}", "-o", "{dir}/no\x1b/x.fol"],
    "describe no file": ["describe", "{dir}/no\x1b"],
    "describe no model": ["describe", "{p}"],
    "predict lacks": ["predict", "{m}", "{dir}/lacks.parquet"],
    "predict type": ["predict", "{m}", "{p}", "-o", "{dir}/\x1b.\x9b"],
    "predict geodesic": ["predict", "{dir}/geodesic.fol", "{p}"],
    "evaluate unknown": ["evaluate", "{m}", "{dir}/unknown.parquet", "--target", "class"],
    "explain channels": ["explain", "{m}", "-o", "{dir}/x.png", "--channels", "\x1b,\x9b"],
    "report times": ["report", "{m}", "--data", "{p}", "--target", "class", "--times", "\x1b"],
    "neighbors lacks": ["neighbors", "{m}", "--data", "{dir}/lacks.parquet"],
    "embed classifier": ["embed", "{m}"],
    "demo": ["demo", "--figure", "{dir}/\x1b.txt"],
    "describe usage": ["describe", "{m}", "b\u202e\u200b\x1b[2J.fol"],
    "fit usage": ["fit", "{p}", "--kind", "\u202e\u200b\x9b"],
    "neighbors usage": ["neighbors", "{m}", "-k", "\u202e1\u2028"],
    "embed usage": ["embed", "--\u202e\u200b"],
}


@pytest.mark.parametrize("name", [*COMMANDS, *REFUSED])
@pytest.mark.filterwarnings("ignore")
def test_nothing_that_a_terminal_obeys_is_printed(name: str, files: Path) -> None:
    places = {"m": str(files / f"{ODD}.fol"), "p": str(files / f"{ODD}.parquet"), "dir": str(files)}
    arguments = (COMMANDS | REFUSED)[name]
    filled = [argument.format(**places) if "{" in argument else argument for argument in arguments]
    result = CliRunner().invoke(app, filled, env={"COLUMNS": "400"})
    assert result.exit_code == (0 if name in COMMANDS else 2), result.output
    assert not hostile.raw_controls(result.output), repr(result.output)
    assert result.output or name == "explain picture"


def test_names_of_commands_are_shown_not_obeyed() -> None:
    result = CliRunner().invoke(app, ["fit\u202e\u200b", "x"])
    assert result.exit_code == 2 and not hostile.raw_controls(result.output), repr(result.output)
    assert r"fit\u202e\u200b" in result.output


def test_every_command_is_tried() -> None:
    ours = {command.callback.__name__ for command in app.registered_commands if command.callback is not None}
    assert ours - {"command", "reproduce", "bench"} == {name.split()[0] for name in COMMANDS | REFUSED}


def test_what_is_written_to_files_is_exact_but_for_formulas(files: Path, tmp_path: Path) -> None:
    model, rows = files / f"{ODD}.fol", files / f"{ODD}.parquet"
    for kind in ("csv", "npz", "parquet"):
        result = CliRunner().invoke(app, ["predict", str(model), str(rows), "-o", str(tmp_path / f"p.{kind}")])
        assert result.exit_code == 0, result.output
    exact = read_npz(tmp_path / "p.npz")["prediction"].tolist()
    assert pl.read_parquet(tmp_path / "p.parquet")["prediction"].to_list() == exact
    assert set(exact) == set(hostile.CLASSES)
    with (tmp_path / "p.csv").open(newline="", encoding="utf-8") as file:
        cells = [line["prediction"] for line in csv.DictReader(file)]
    assert [cell.removeprefix("'") for cell in cells] == exact
    assert {cell[0] for cell in cells} == {"\x1b", "'", "_"}


FORMULAS = {
    **{text: f"'{text}" for text in ("=1+1", "+A1", "-A1", "@SUM(A1)", "-1;2", "+", "=", "\uff1d1")},
    "\t=1": "'\t'=1",
    "\r=1": "'\r'=1",
    "a;=1": "a;'=1",  # to a reader that separates cells by semicolons
    ';"=1': ";'\"=1",  # and that takes quotes away
    ';" " \u00a0=1': ';\'" " \u00a0=1',
    ' "=1"': '\' "=1"',
    "a\n=1": "a\n'=1",
    'a\r\n"-1': "a\r\n'\"-1",
}
PLAIN = ["-1.5", "+3", "-.5e-3", "a=b", "", "'=1", "1-2", "größe", "-1", " -1 ", 'a;"b"', "a\r\n\r\n\tb"]


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_a_spreadsheet_would_run_is_led_by_an_apostrophe(text: str, tmp_path: Path) -> None:
    write_columns({text: np.array([text, "x"], dtype=object)}, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [[FORMULAS[text]], [FORMULAS[text]], ["x"]]


@pytest.mark.parametrize("text", PLAIN)
def test_other_text_stays(text: str, tmp_path: Path) -> None:
    write_columns({"a": np.array([text, "x"], dtype=object), "b": np.arange(2)}, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[1][0] == text


@pytest.mark.parametrize("seed", range(3))
def test_no_cell_is_a_formula_to_any_reader(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    texts = ["".join(rng.choice(list(';;\t""\' =+\nab,'), rng.integers(1, 10))) for _ in range(3000)]
    table = np.array(texts, dtype=object).reshape(1000, 3)
    write_columns({f"{k}{table[0, k]}": table[:, k] for k in range(3)}, tmp_path / "t.csv")
    n_cells = 0
    for separator in (",", ";", "\t"):
        with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as file:
            for line in csv.reader(file, delimiter=separator):
                n_cells += len(line)
                assert not [cell for cell in line if cell.strip('" ')[:1] in ("=", "+")], (separator, line)
    assert n_cells > 6000


def test_numbers_are_never_touched(tmp_path: Path) -> None:
    numbers = np.array([-1.5, -np.inf, -0.0, 1e-300])
    write_columns({"x": numbers, "n": np.arange(-2, 2)}, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "x,n\n-1.5,-2\n-inf,-1\n-0.0,0\n1e-300,1\n"


def test_halves_of_surrogate_pairs_are_written_as_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = {"half \ud800": np.array(["\udfff"], dtype=object)}
    for kind in ("csv", "parquet"):
        write_columns(columns, tmp_path / f"t.{kind}")
    write_columns(columns, None)
    assert (tmp_path / "t.csv").read_text() == "half \\ud800\n\\udfff\n" == capsys.readouterr().out
    assert pl.read_parquet(tmp_path / "t.parquet").to_dict(as_series=False) == {"half \\ud800": ["\\udfff"]}


def test_the_interpreter_ends_without_a_word_after_errors(files: Path) -> None:
    """Also without what nanobind would say of objects that outlive it."""
    code = (
        "import sys\nfrom foliation.cli.app import app\n"
        "for line in sys.argv[1].split('\\n'):\n"
        "    try:\n        app(line.split('|'))\n    except SystemExit as stopped:\n        print(stopped.code)\n"
    )
    model, rows = str(files / "geodesic.fol"), str(files / f"{ODD}.parquet")
    lines = [f"describe|{model}", f"explain|{model}|-o|{files}/e.png", f"predict|{model}|{rows}"]
    result = subprocess.run([sys.executable, "-c", code, "\n".join(lines)], capture_output=True, text=True, check=True)
    assert result.stdout.count("\n") > 3
    assert "nanobind" not in result.stderr and "leaked" not in result.stderr

"""Whatever fails while a file is written, the old file stays, nothing is left beside it, and one error says why."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from commands import read_npz
from failing import Failing, fail_each
from sklearn.datasets import load_wine
from typer.testing import CliRunner

import foliation as fo
from foliation.cli.app import app
from foliation.export import to_onnx

X, Y = load_wine(return_X_y=True)
OLD = b"what was there before"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    fo.ForestClassifier(5, random_state=0).fit(X, Y).save(folder / "m.fol")
    fo.GeodesicForest(5, random_state=0).fit(X).save(folder / "g.fol")
    np.savez(folder / "d.npz", X=X, y=Y)
    return folder


def in_python(write: Callable[[fo.ForestClassifier, Path], object]) -> Callable[[Path, Path], None]:
    forest = fo.ForestClassifier(5, random_state=0).fit(X, Y)

    def act(inputs: Path, path: Path) -> None:
        write(forest, path)

    return act


class StoppedError(Exception):
    """A command ended with exit code 2."""


def command(*arguments: str) -> Callable[[Path, Path], None]:
    def act(inputs: Path, path: Path) -> None:
        filled = [argument.format(**{"in": inputs, "out": path}) for argument in arguments]
        result = CliRunner().invoke(app, filled)
        if result.exit_code:
            assert result.exit_code == 2 and isinstance(result.exception, SystemExit), result.output
            raise StoppedError(" ".join(result.output.split()))

    return act


MODEL, ROWS, OUT = "{in}/m.fol", "{in}/d.npz", "{out}"
WRITERS: dict[str, tuple[str, Callable[[Path, Path], None]]] = {
    "save": ("m.fol", in_python(lambda forest, path: forest.save(path))),
    "to_onnx": ("m.onnx", in_python(to_onnx)),
    "fit": ("m.fol", command("fit", ROWS, "-o", OUT, "--n-estimators", "3")),
    "predict csv": ("p.csv", command("predict", MODEL, ROWS, "-o", OUT)),
    "predict npz": ("p.npz", command("predict", MODEL, ROWS, "-o", OUT)),
    "predict parquet": ("p.parquet", command("predict", MODEL, ROWS, "-o", OUT)),
    "evaluate json": ("e.json", command("evaluate", MODEL, ROWS, "-o", OUT)),
    "evaluate csv": ("e.csv", command("evaluate", MODEL, ROWS, "-o", OUT)),
    "neighbors": ("n.csv", command("neighbors", MODEL, "-k", "3", "-o", OUT)),
    "embed": ("x.npz", command("embed", "{in}/g.fol", "-k", "20", "-o", OUT)),
    "explain csv": ("i.csv", command("explain", MODEL, "-o", OUT)),
    "explain png": ("i.png", command("explain", MODEL, "-o", OUT)),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.filterwarnings("ignore")
def test_each_operation_of_a_writer_may_fail(
    name: str, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, act = WRITERS[name]
    path = tmp_path.resolve() / file
    monkeypatch.setattr("failing.KINDS", KINDS_OF.get(name, FEW_KINDS))

    def write() -> None:
        path.write_bytes(OLD)
        act(inputs, path)

    def check(system: Failing, error: BaseException | None) -> None:
        assert list(tmp_path.iterdir()) == [path], system.failed
        if error is None:  # nothing but the folder's entry, or its owner, is not as it should be
            assert system.failed == "fchown" or "rename" in system.done
            return
        assert path.read_bytes() == OLD, system.failed
        text = str(error)
        assert str(path) in text and os.strerror(system.kind).lower() in text.lower(), text
        assert ".unfinished" not in text and "Traceback" not in text

    assert fail_each(monkeypatch, write, check) >= 8


FEW_KINDS = (28,)  # a full disk
KINDS_OF: dict[str, tuple[int, ...]] = {"save": (5, 28, 122)}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.filterwarnings("ignore")
def test_an_output_that_cannot_be_written_is_noticed_before_the_work(
    name: str, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object, **__: object) -> Any:
        raise AssertionError("the work was begun")

    for target in (
        "foliation.estimators.forest.Forest.fit",
        "foliation.estimators.forest.stored",
        "foliation.cli.predict.load",
        "foliation.cli.evaluate.load",
        "foliation.cli.report.load",
        "foliation.cli.neighbors.load",
        "foliation.cli.fit.read",
        "foliation.export.onnx_model",
    ):
        monkeypatch.setattr(target, work)
    file, act = WRITERS[name]
    with pytest.raises((OSError, StoppedError), match=r"cannot write .*missing is not a folder"):
        act(inputs, tmp_path / "missing" / file)
    (tmp_path / file).mkdir()
    with pytest.raises((OSError, StoppedError), match="it is a folder"):
        act(inputs, tmp_path / file)


def test_reports_check_their_place_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forest = fo.ForestClassifier(3, random_state=0).fit(X, Y)
    monkeypatch.setattr("foliation.report.page.evaluate", lambda *_: pytest.fail("the work was begun"))
    with pytest.raises(OSError, match="missing is not a folder"):
        forest.report(X, Y, tmp_path / "missing" / "r.html")


def test_what_is_written_without_a_failure_can_be_read(inputs: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for file, act in WRITERS.values():
            act(inputs, tmp_path / file)
            assert (tmp_path / file).stat().st_size > 50
    assert len(pl.read_parquet(tmp_path / "p.parquet")) == len(read_npz(tmp_path / "p.npz")["prediction"]) == len(X)
    assert fo.load(tmp_path / "m.fol").n_outputs_ == 1

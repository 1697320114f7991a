"""Files that many commands read."""

from __future__ import annotations

from pathlib import Path

import commands
import polars as pl
import pytest
from sklearn.datasets import load_digits, load_wine


@pytest.fixture(scope="session")
def wine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table of 13 named columns and the column target."""
    frame = load_wine(as_frame=True).frame
    path = tmp_path_factory.mktemp("wine") / "wine.csv"
    pl.DataFrame({name: frame[name].to_numpy() for name in frame.columns}).write_csv(path)
    return path


@pytest.fixture(scope="session")
def model(wine: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model of the wine."""
    path = tmp_path_factory.mktemp("model") / "wine.fol"
    commands.run("fit", wine, "-o", path, "--target", "target", *commands.FEW)
    return path


@pytest.fixture(scope="session")
def digits_csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table of 300 flat images, c0 to c63, and the column digit."""
    bunch = load_digits()
    path = tmp_path_factory.mktemp("digits") / "digits.csv"
    columns = {f"c{k}": bunch.data[:300, k] for k in range(64)}
    pl.DataFrame({**columns, "digit": bunch.target[:300]}).write_csv(path)
    return path

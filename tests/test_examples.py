"""What the README shows runs as it stands, and so does the demo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foliation import demo

ROOT = Path(__file__).parent.parent


def test_readme_example(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert code is not None
    exec(code[1], {})
    shown = capsys.readouterr().out
    accuracy = re.search(r"accuracy (0\.\d+)", shown)
    assert accuracy is not None and float(accuracy[1]) > 0.9
    assert "<=" in shown


def test_demo(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    demo.main(n_trees=10, figure=tmp_path / "figure.png")
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if re.search(r"(RF|SPORF|MORF) +0\.\d{4} ", line)]) == 12
    assert (tmp_path / "figure.png").stat().st_size > 10_000

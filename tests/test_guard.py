"""What the guard over instruction counts says of counts; counting itself needs valgrind (`make bench-guard`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import guard
import pytest

RECORDED = guard.Counts("gcc 12.2.0", {"images fit": 1_000_000, "images predict": 2_000_000}, {"images": "ab"})


def judge(now: guard.Counts, recorded: guard.Counts | None = RECORDED) -> tuple[str, int]:
    lines, code = guard.judge("x86_64 avx2", recorded, now)
    return "\n".join(lines), code


def counts_of(fit: int, predict: int = 2_000_000) -> guard.Counts:
    return replace(RECORDED, instructions={"images fit": fit, "images predict": predict})


@pytest.mark.parametrize("instructions", [1_000_000, 1_019_000, 981_000])
def test_within_two_percent(instructions: int) -> None:
    text, code = judge(counts_of(instructions))
    assert code == 0
    assert f"{instructions:,}" in text
    assert "more" not in text and "Renew" not in text


def test_grown() -> None:
    text, code = judge(counts_of(1_021_000))
    assert code == 1
    assert "+2.10 %" in text
    assert "images fit: more instructions" in text
    assert "images predict: more" not in text and "all: more" not in text


def test_the_sum_is_judged_more_strictly() -> None:
    text, code = judge(counts_of(1_015_000, 2_030_000))
    assert code == 1
    assert "all: more instructions than on record by over 1%" in text
    assert "images fit: more" not in text
    assert judge(counts_of(1_015_000, 1_990_000))[1] == 0


def test_shrunk() -> None:
    text, code = judge(counts_of(900_000))
    assert code == 0
    assert "-10.00 %" in text
    assert "images fit, all. Renew the record" in text


def test_other_results() -> None:
    text, code = judge(replace(RECORDED, fingerprints={"images": "cd"}))
    assert code == 1
    assert "images: the results are not those on record" in text
    assert "more" not in text


@pytest.mark.parametrize("compiler", ["gcc 13.1.0", "clang 12.2.0"])
def test_another_compiler_is_not_judged_by_counts(compiler: str) -> None:
    for instructions in (2_000_000, 1_000_000, 500_000):
        text, code = judge(replace(counts_of(instructions), compiler=compiler))
        assert code == 2
        assert compiler in text and "gcc 12.2.0" in text and "cannot be compared" in text
    text, code = judge(replace(RECORDED, compiler=compiler, fingerprints={"images": "cd"}))
    assert code == 1, "bits do not depend on the compiler"


def test_a_minor_version_is_judged() -> None:
    assert judge(replace(counts_of(2_000_000), compiler="gcc 12.4.1"))[1] == 1


def test_no_record() -> None:
    text, code = judge(RECORDED, None)
    assert code == 2
    assert "no record" in text
    other_cases = replace(RECORDED, instructions={"images fit": 1_000_000})
    assert judge(other_cases)[1] == 2


def test_records_come_back(tmp_path: Path) -> None:
    path = tmp_path / "instructions.json"
    assert guard.read_records(path) == {}
    records = {"x86_64 avx2": RECORDED, "x86_64 baseline": counts_of(5)}
    guard.write_records(path, records)
    assert guard.read_records(path) == records


def test_the_record_holds_every_case() -> None:
    for counts in guard.read_records(guard.RECORD).values():
        assert list(counts.fingerprints) == list(guard.CASES)
        assert list(counts.instructions) == [f"{case} {what}" for case in guard.CASES for what in ("fit", "predict")]


def test_without_valgrind(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.argv", ["guard.py"])
    assert guard.main() == 2
    assert "apt install valgrind" in capsys.readouterr().out


def test_total_of_a_profile(tmp_path: Path) -> None:
    profile = tmp_path / "counts.1"
    profile.write_text("version: 1\nevents: Ir\nfn=(1)\n+1 7\ntotals: 1234\n")
    assert guard.total(profile) == 1234
    with pytest.raises(guard.CannotJudgeError, match="marks"):
        guard.total(tmp_path / "counts.2")

"""Hashes of rows by their names."""

from __future__ import annotations

import numpy as np
import pytest
import siphash

from foliation._core import Machine
from foliation.data.old_row_hash import old_fingerprint, old_row_digests
from foliation.data.row_hash import CRC32, ROW_HASHES, SIPHASH
from foliation.data.rows import fingerprint_of

ROWS = np.random.default_rng(0).normal(size=(20, 3))


def test_names_mean_the_hashes_that_files_were_written_with() -> None:
    new, old = ROW_HASHES[SIPHASH], ROW_HASHES[CRC32]
    np.testing.assert_array_equal(new.digests(ROWS, Machine(1)), siphash.row_digests(ROWS))
    np.testing.assert_array_equal(old.digests(ROWS, Machine(1)), old_row_digests(ROWS))
    assert new.fingerprint(ROWS, Machine(1)) == fingerprint_of(siphash.row_digests(ROWS), 3)
    assert old.fingerprint(ROWS, Machine(1)) == old_fingerprint(ROWS)


@pytest.mark.parametrize("name", ROW_HASHES)
def test_equal_values_are_the_same_rows(name: str) -> None:
    rows, machine = ROWS.round().astype(np.float32), Machine(2)
    for form in (np.asfortranarray(rows), rows.astype(np.int16), np.where(rows == 0, -0.0, rows)):
        assert ROW_HASHES[name].fingerprint(form, machine) == ROW_HASHES[name].fingerprint(rows, machine)
        np.testing.assert_array_equal(ROW_HASHES[name].digests(form, machine), ROW_HASHES[name].digests(rows, machine))

"""How files of 0.1.0 recognize training rows: the numbers stay what they were."""

from __future__ import annotations

import numpy as np
from forged import forged

from foliation.data.old_row_hash import old_fingerprint, old_row_digests

FINGERPRINT = 4044057392
DIGESTS = [5868023303324166122, 1966714406172403269, 2250901405122337468, 17449219043019767102]
ROWS = np.arange(12.0).reshape(4, 3) - 5


def test_numbers_are_those_that_0_1_0_wrote() -> None:
    assert old_fingerprint(ROWS) == FINGERPRINT
    assert old_row_digests(ROWS).tolist() == DIGESTS
    for form in (np.asfortranarray(ROWS), ROWS.astype(np.int16), np.where(ROWS == 0, -0.0, ROWS)):
        assert old_fingerprint(form) == FINGERPRINT and old_row_digests(form).tolist() == DIGESTS


def test_a_fingerprint_of_many_numbers_reads_some_rows_only() -> None:
    rows = np.zeros((300_000, 4), np.uint8)
    changed = rows.copy()
    changed[-2] += 1  # neither the last row, which is read, nor one of those that are spread evenly
    assert old_fingerprint(changed) == old_fingerprint(rows)
    assert old_row_digests(changed)[-2] != old_row_digests(rows)[-2]


def test_a_row_can_be_made_to_have_the_number_of_another() -> None:
    made = forged(ROWS[0])
    assert made[0] != ROWS[0, 0] and made[2] != ROWS[0, 2]
    assert old_row_digests(made[None])[0] == old_row_digests(ROWS)[0]

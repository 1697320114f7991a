"""Recordings around seizures of subjects whose surgery succeeded or failed: a stand-in for data that are private."""

from __future__ import annotations

import numpy as np

from foliation.simulations._common import Floats, Labels, RandomState, alternating_labels, generator

_N_TIMES = 105
_N_QUANTILES = 10  # of the electrodes that clinicians suspect, and as many of all others
_RECORDINGS = (2, 6)  # of a subject, from this half-open range
_N_WAVES = 12  # cosines that make a smooth course, the faster the smaller
_LEVEL_SD = 0.5  # of the subject's course, and of the recording's
_SPREAD_SD = 0.3  # of the same two, for the logarithm of the spread
_ONSETS = (35.0, 65.0)  # of a subject's excursion, uniform
_WINDOW = 15.0  # times that it lasts
_HIGHEST = 4  # quantiles that take part
_HEIGHT = 2.5  # at most, before it is spread; uniform
_FALLING = 0.25  # share of subjects whose quantiles fall


def surgical_outcome(n: int = 91, *, random_state: RandomState = None) -> tuple[Floats, Labels, Labels]:
    """Draw recordings of subjects around seizures: quantiles over electrodes of a statistic, by time.

    A recording has ten quantiles of the electrodes that are thought to start the seizure and ten of all others. The
    level and the spread of both groups follow smooth courses, the sum of one of the subject and one of the recording.
    In a window of 15 times that sets in between 35 and 65, drawn for each subject, the four highest quantiles of one
    group rise, or in a quarter of the subjects fall: those of the first group if surgery succeeded (class 1), of the
    second if it failed. The shape is that of figure 6 of the MORF paper, whose data are private. Two things were
    chosen by what classifiers made of earlier drafts: some excursions fall, because if all rise the problem is linear
    and logistic regression is far ahead of every forest, and their height lets MORF do about as well as in the paper.

    Parameters
    ----------
    n : int, default=91
        Number of subjects, at least 1; each has 2 to 5 recordings.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    X : ndarray of float64, shape (recordings, 20, 105)
        Quantiles by time points, those of the first group above.
    y : ndarray of int64, shape (recordings,)
        Outcomes, equal in all recordings of a subject; subjects have 0, 1, 0, 1, ...
    subject : ndarray of int64, shape (recordings,)
        Whose recordings they are: 0, 0, 1, 1, 1, ...
    """
    outcome = alternating_labels(n)
    rng = generator(random_state)
    subject = np.repeat(np.arange(n), rng.integers(*_RECORDINGS, size=n))
    level, spread = (_courses(n, rng)[subject] + _courses(len(subject), rng) for _ in range(2))
    rows = np.sort(rng.standard_normal((len(subject), 2, _N_QUANTILES, _N_TIMES)), axis=2)
    y = outcome[subject]
    rows[np.arange(len(y)), 1 - y, -_HIGHEST:] += _excursions(n, rng)[subject][:, None]
    rows = _LEVEL_SD * level[:, :, None] + np.exp(_SPREAD_SD * spread[:, :, None]) * rows
    return rows.reshape(len(y), 2 * _N_QUANTILES, _N_TIMES), y, subject


def _courses(n: int, rng: np.random.Generator) -> Floats:
    """Draw smooth courses of unit variance on average, (n, 2, times)."""
    waves = np.arange(1, _N_WAVES + 1)[:, None]
    shapes = np.cos(np.pi * waves * (np.arange(_N_TIMES) + 0.5) / _N_TIMES) / np.sqrt(waves)
    curves: Floats = rng.standard_normal((n, 2, _N_WAVES)) @ shapes / np.sqrt((shapes**2).sum(axis=0).mean())
    return curves


def _excursions(n: int, rng: np.random.Generator) -> Floats:
    """Draw what is added to the highest quantiles, (n, times)."""
    since = np.arange(_N_TIMES) - rng.uniform(*_ONSETS, size=n)[:, None]
    heights = rng.uniform(0.0, _HEIGHT, size=n) * np.where(rng.random(n) < _FALLING, -1.0, 1.0)
    return heights[:, None] * ((since >= 0) & (since < _WINDOW))

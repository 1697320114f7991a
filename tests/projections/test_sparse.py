"""Sparse projections: numbers of features, which ones, and their weights."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from frequencies import (
    Atom,
    assert_frequencies,
    assert_mean,
    atoms_of,
    count_probabilities,
    dictionary_of,
    ids_of,
    weights_of,
    words_of,
)
from numpy.typing import NDArray
from scipy.stats import kstest

from foliation import Sparse


@pytest.mark.parametrize(
    ("rate", "p"),
    [(0.01, 5), (0.5, 10), (1.5, 20), (5.0, 3), (5.0, 50), (3.0, 1), (40.0, 1000), (40.0, 45)],
)
def test_number_of_features_is_a_truncated_poisson(rate: float, p: int) -> None:
    found = [len(atom) for atom in atoms_of(Sparse(nonzeros=rate), (p,), 20000)]
    assert_frequencies(found, count_probabilities(rate, p))


@pytest.mark.parametrize("rate", [1.5, 3.0])
def test_every_signed_subset_has_its_exact_frequency(rate: float) -> None:
    exact: dict[Atom, float] = {}
    for count, probability in count_probabilities(rate, 4).items():
        for ids in combinations(range(4), count):
            for signs in product([-1.0, 1.0], repeat=count):
                exact[tuple(zip(ids, signs, strict=True))] = probability / (comb(4, count) * 2**count)
    assert_frequencies(atoms_of(Sparse(nonzeros=rate), (4,), 40000), exact)


def test_features_are_distinct_and_equally_likely_at_large_rates() -> None:
    ids = [ids_of(atom) for atom in atoms_of(Sparse(nonzeros=40), (1000,), 4000)]
    assert all(len(set(features)) == len(features) for features in ids)
    counts = np.bincount(np.concatenate(ids), minlength=1000)
    share = counts.sum() / 1000 / 4000
    assert (np.abs(counts - 4000 * share) < 5 * np.sqrt(4000 * share * (1 - share))).all()


@pytest.mark.parametrize(("weights", "words_per_feature"), [("signs", 1), ("uniform", 2), ("normal", 2)])
def test_an_atom_is_stored_as_distinct_features_in_order(weights: Any, words_per_feature: int) -> None:
    dictionary = dictionary_of(Sparse(nonzeros=6, weights=weights), (10,))
    for words in words_of(dictionary, 3, 1000):
        features = np.where(words < 0, ~words, words)[::words_per_feature]
        assert (np.diff(features) > 0).all()
        np.testing.assert_array_equal(dictionary.expand(words)[0], features)
        assert len(words) == words_per_feature * len(features)


def test_density_is_a_rate_relative_to_the_number_of_features() -> None:
    assert atoms_of(Sparse(density=0.25), (8,), 2000) == atoms_of(Sparse(nonzeros=2.0), (8,), 2000)
    found = [len(atom) for atom in atoms_of(Sparse(density=0.05), (60,), 20000)]
    assert_frequencies(found, count_probabilities(3.0, 60))


def test_density_takes_the_place_of_nonzeros() -> None:
    by_density = atoms_of(Sparse(nonzeros=7.0, density=0.25), (8,), 500)
    assert by_density == atoms_of(Sparse(nonzeros=2.0), (8,), 500)


def all_weights(weights: str) -> NDArray[np.float64]:
    found = atoms_of(Sparse(nonzeros=2.0, weights=weights), (30,), 20000)
    return np.array([weight for atom in found for weight in weights_of(atom)])


def test_weights_of_one() -> None:
    assert set(all_weights("ones")) == {1.0}


def test_signs_are_equally_likely() -> None:
    assert_frequencies(all_weights("signs").tolist(), {-1.0: 0.5, 1.0: 0.5})


@pytest.mark.parametrize(
    ("weights", "distribution", "variance", "fourth_moment"),
    [("normal", "norm", 1.0, 3.0), ("uniform", lambda x: (x + 1) / 2, 1 / 3, 1 / 5)],
    ids=["normal", "uniform"],
)
def test_continuous_weights_have_their_distribution(
    weights: str, distribution: str | Callable[[float], float], variance: float, fourth_moment: float
) -> None:
    found = all_weights(weights)
    assert kstest(found, distribution).pvalue > 1e-4
    assert_mean(found, 0.0, variance)
    assert_mean(found**2, variance, fourth_moment - variance**2)
    assert 0.0 not in found


def test_weights_of_one_atom_are_independent() -> None:
    found = [weights_of(atom) for atom in atoms_of(Sparse(nonzeros=2.0, weights="normal"), (30,), 20000)]
    pairs = np.array([weights[:2] for weights in found if len(weights) >= 2])
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 4 / np.sqrt(len(pairs))

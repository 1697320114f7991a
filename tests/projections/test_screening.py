"""Screening: which features depart from a normal distribution, and how projections are drawn from these."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frequencies import assert_frequencies, atoms_of, count_probabilities, ids_of, uniform_on
from numpy.typing import NDArray
from refusals import assert_refused
from scipy.spatial.distance import cdist

import foliation as fo
from foliation import simulations
from foliation.metrics import geodesic_precision
from foliation.model import plan
from foliation.projections import screening
from foliation.projections.screening import departs_from_normal


def forest(n_estimators: int = 8, **settings: Any) -> Any:
    return fo.GeodesicForest(n_estimators, **({"random_state": 0} | settings))


def noise_and_signal(n: int = 150, n_signal: int = 2, seed: int = 0) -> NDArray[np.float64]:
    """Return columns of normal noise, then some that are exponential."""
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.normal(size=(n, 10)), rng.exponential(size=(n, n_signal))])


# ---- the test ----

SHAPES = {
    "uniform": lambda rng: rng.uniform(size=300),
    "two clusters": lambda rng: rng.normal(size=300) + 4 * rng.integers(0, 2, size=300),
    "skew": lambda rng: rng.exponential(size=300),
    "heavy tails": lambda rng: rng.standard_t(2, size=300),
    "two values": lambda rng: rng.integers(0, 2, size=300).astype(float),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_not_normal_is_found_among_noise(name: str) -> None:
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        noise = rng.normal(size=(300, 50))
        found.append(departs_from_normal(np.column_stack([noise, SHAPES[name](rng)])))
    assert np.mean(found, axis=0)[50] >= 0.9
    assert np.mean(found, axis=0)[:50].max() <= 0.1


@pytest.mark.parametrize("name", ["line", "helix", "gaussian_mixture"])
def test_manifolds_are_found_among_noise(name: str) -> None:
    for seed in range(5):
        points = getattr(simulations, name)(250, noise_dimensions=60, random_state=seed).points
        found = departs_from_normal(points)
        assert found[:3].all() and found[3:].sum() <= 1


@pytest.mark.parametrize(("n", "p"), [(20, 300), (100, 1000), (400, 100)])
def test_false_alarms_are_as_rare_as_promised(n: int, p: int) -> None:
    """In no more than a twentieth of all data sets is any normal column named; four standard errors are granted."""
    n_sets = 200
    alarms = sum(departs_from_normal(np.random.default_rng(seed).normal(size=(n, p))).any() for seed in range(n_sets))
    assert alarms <= 0.05 * n_sets + 4 * np.sqrt(0.05 * 0.95 * n_sets)


def test_a_stricter_level_names_fewer() -> None:
    X = np.random.default_rng(0).normal(size=(200, 400)) ** 3
    X[:, ::2] = np.random.default_rng(1).standard_t(12, size=(200, 200))
    strict, usual, mild = (departs_from_normal(X, level) for level in (1e-6, 0.05, 1.0))
    assert 0 < strict.sum() < usual.sum() < mild.sum()
    assert (strict <= usual).all() and (usual <= mild).all()


def test_constant_columns_and_few_rows() -> None:
    X = np.random.default_rng(0).exponential(size=(200, 3))
    X[:, 1] = 0.1
    assert departs_from_normal(X).tolist() == [True, False, True]
    assert not departs_from_normal(X[:19]).any()
    assert not departs_from_normal(np.full((50, 2), 1e280)).any()


@pytest.mark.parametrize("factor", [1e-280, 1e280, -3.0])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_units_do_not_matter(factor: float, shift: float) -> None:
    X = noise_and_signal()
    expected = [False] * 10 + [True] * 2
    assert departs_from_normal(X).tolist() == expected
    assert departs_from_normal(factor * (X + shift)).tolist() == expected


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "bool"])
def test_numbers_of_any_type(dtype: str) -> None:
    X = (100 * np.random.default_rng(0).uniform(size=(200, 4)) + 5).astype("uint8" if dtype == "bool" else dtype)
    X = X > 30 if dtype == "bool" else X
    np.testing.assert_array_equal(departs_from_normal(X), departs_from_normal(X.astype(np.float64)))
    assert departs_from_normal(X).all()


def test_blocks_of_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    X = noise_and_signal()
    whole = departs_from_normal(X)
    for size in (1, 150 * 5):
        monkeypatch.setattr(screening, "_BLOCK", size)
        np.testing.assert_array_equal(departs_from_normal(X), whole)
        np.testing.assert_array_equal(departs_from_normal(np.asfortranarray(X)), whole)


# ---- projections on some features ----


@pytest.mark.parametrize(("settings", "rate"), [({"nonzeros": 2.0}, 2.0), ({"density": 0.5}, 2.5)])
def test_sparse_draws_only_the_features_given(settings: dict[str, Any], rate: float) -> None:
    """Numbers of features are those of a family on as many features as are given, each equally likely."""
    given = [31, 2, 3, 7, 12]
    ids = [ids_of(atom) for atom in atoms_of(fo.Sparse(**settings, features=given), (40,), 20_000)]
    assert_frequencies([len(features) for features in ids], count_probabilities(rate, 5))
    assert_frequencies([features[0] for features in ids if len(features) == 1], uniform_on(given))
    assert all(list(features) == sorted(set(features)) for features in ids)


def test_all_features_given_are_no_choice() -> None:
    every = atoms_of(fo.Sparse(nonzeros=3, weights="normal", features=range(9)), (9,), 500)
    assert every == atoms_of(fo.Sparse(nonzeros=3, weights="normal"), (9,), 500)


@pytest.mark.parametrize(
    "features", [[], [1, 1], [6], [-1], [0.5], 3, "ab", [[1, 2]], [True, False], [2**40], [[1], [1, 2]]]
)
def test_features_that_are_no_features(features: Any) -> None:
    X = np.random.default_rng(0).normal(size=(30, 6))
    assert_refused(lambda: forest(projections=fo.Sparse(features=features)).fit(X), r"^Sparse: features")


def test_features_are_kept_by_copies_and_searches() -> None:
    X = np.random.default_rng(0).normal(size=(60, 6))
    model = forest(projections=fo.Sparse(features=np.array([1, 4], dtype=np.uint8))).fit(X)
    assert np.flatnonzero(model.importance()).tolist() == [1, 4]
    model.set_params(projections__features=(0, 5)).fit(X)
    assert np.flatnonzero(model.importance()).tolist() == [0, 5]


# ---- forests ----


@pytest.mark.parametrize("projections", [None, "axis", "sparse", fo.Sparse(density=0.3, weights="uniform")])
def test_a_whole_share_draws_screened_features_only(projections: Any) -> None:
    model = forest(screen=1.0, projections=projections).fit(noise_and_signal())
    assert model.screened_.tolist() == [False] * 10 + [True] * 2
    assert np.flatnonzero(model.importance()).tolist() == [10, 11]


@pytest.mark.parametrize("projections", ["axis", fo.Sparse(nonzeros=1e-9)])
def test_a_part_is_that_share_of_candidates(projections: Any) -> None:
    model = forest(screen=0.4, projections=projections).fit(noise_and_signal())
    drawn = [ids_of(atom) for atom in atoms_of(model.projections_, (12,), 20_000)]
    expected = {(feature,): 0.6 / 12 + (0.2 if feature >= 10 else 0.0) for feature in range(12)}
    assert_frequencies(drawn, expected)


def test_without_a_screen_nothing_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "departs_from_normal", None)
    model = forest().fit(noise_and_signal())
    assert not hasattr(model, "screened_")


def test_what_was_screened_is_forgotten_without_a_screen() -> None:
    model = forest(screen=0.5).fit(noise_and_signal())
    assert not hasattr(model.set_params(screen=0.0).fit(noise_and_signal()), "screened_")


@pytest.mark.parametrize(
    "X", [np.random.default_rng(0).normal(size=(100, 5)), noise_and_signal(19)], ids=["noise", "few"]
)
def test_nothing_found(X: NDArray[np.float64]) -> None:
    with pytest.warns(UserWarning, match="^no feature departs from a normal distribution: screen has no effect$"):
        model = forest(screen=0.5).fit(X)
    assert not model.screened_.any()
    np.testing.assert_array_equal(model.apply(X), forest().fit(X).apply(X))


GRAPH = np.eye(12, k=1) + np.eye(12, k=-1)
NOT_SINGLE: dict[str, Any] = {
    "patches": fo.Patches(),
    "name": "patches",
    "kernels": fo.Kernels(np.ones((3, 2))),
    "neighborhoods": fo.Neighborhoods(GRAPH),
    "atoms": fo.Atoms(np.eye(12)),
    "mixture": fo.Mixture([fo.Axis(), fo.Sparse()]),
    "chosen already": fo.Sparse(features=[1, 2]),
}


@pytest.mark.parametrize("name", NOT_SINGLE)
def test_families_that_cannot_be_screened(name: str) -> None:
    model = forest(screen=0.5, projections=NOT_SINGLE[name])
    assert_refused(
        lambda: model.fit(noise_and_signal()), r"^screen chooses among single features: .* Axis\(\) or Sparse\(\)"
    )


def test_a_screen_finds_a_helix_in_much_noise() -> None:
    helix = simulations.helix(300, noise_dimensions=400, random_state=0)
    with_screen, without = (
        geodesic_precision(
            helix.distances, 1.0 - forest(40, screen=screen).fit(helix.points).proximity(sparse=False), 20
        ).mean()
        for screen in (1.0, 0.0)
    )
    euclidean = geodesic_precision(helix.distances, cdist(helix.points, helix.points), 20).mean()
    assert with_screen > 0.6 > without and with_screen > 4 * euclidean

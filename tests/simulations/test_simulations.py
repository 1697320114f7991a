"""What all generators of simulated problems share."""

from __future__ import annotations

import numpy as np
import pytest
from simulated import DESIGNED, DRAWS, GENERATORS, SHAPES


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("n", [1, 7])
def test_shapes_and_types(name: str, n: int) -> None:
    X, y = GENERATORS[name](n, random_state=0)
    assert X.shape == (n, *SHAPES[name])
    assert X.dtype == (np.uint8 if name in ("circle", "bars") else np.float64)
    assert X.flags.c_contiguous
    assert y.shape == (n,)
    assert y.dtype == np.int64


@pytest.mark.parametrize("name", DESIGNED)
def test_labels_alternate(name: str) -> None:
    _, y = DESIGNED[name](7, random_state=0)
    assert y.tolist() == [0, 1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize("name", DRAWS)
def test_same_seed_same_draw(name: str) -> None:
    generate = DRAWS[name]
    drawn = generate(20, random_state=3)
    for state in (3, np.random.default_rng(3)):
        for array, again in zip(drawn, generate(20, random_state=state), strict=True):
            np.testing.assert_array_equal(array, again)


@pytest.mark.parametrize("name", DRAWS)
def test_other_seed_other_draw(name: str) -> None:
    generate = DRAWS[name]
    X = generate(20, random_state=3)[0]
    assert not np.array_equal(X, generate(20, random_state=4)[0])
    assert not np.array_equal(generate(20)[0], generate(20)[0])


@pytest.mark.parametrize("name", DRAWS)
def test_generator_is_advanced(name: str) -> None:
    rng = np.random.default_rng(3)
    first, second = (DRAWS[name](20, random_state=rng)[0] for _ in range(2))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("name", DRAWS)
def test_rows_differ(name: str) -> None:
    X = DRAWS[name](40, random_state=5)[0]
    assert len(np.unique(X.reshape(40, -1), axis=0)) >= 37  # the circle has a few thousand patterns


@pytest.mark.parametrize("name", DRAWS)
def test_global_state_is_left_alone(name: str) -> None:
    module = vars(np.random)
    module["seed"](0)
    DRAWS[name](20)
    DRAWS[name](20, random_state=1)
    assert module["random"]() == np.random.RandomState(0).random()


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("n", [0, -1, 2.5, 4.0, "10", True, None])
def test_bad_n(name: str, n: object) -> None:
    with pytest.raises(ValueError, match=r"^n is .*; it must be an integer of at least 1$") as error:
        DRAWS[name](n)
    assert repr(n) in str(error.value)


@pytest.mark.parametrize("name", DRAWS)
def test_numpy_integers_are_integers(name: str) -> None:
    X = DRAWS[name](np.int32(3), random_state=0)[0]
    assert len(X) == 3

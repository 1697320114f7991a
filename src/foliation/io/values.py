"""Values of a forest's state as JSON and arrays: numbers, text, lists, arrays, projections. All else is refused.

What JSON has no word for is an object with one key, the kind of value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from foliation.data.arrays import Array, Matrix
from foliation.io import container
from foliation.parameters import Parameters

_LAST_LETTER = 0x10FFFF  # of Unicode
_MOST_LABEL_AXES = 2  # of arrays of text
_MOST_LEVELS = 64  # of lists and objects within each other
_LARGEST = 2**64  # a number beyond it is no seed, count or label; as keys, such numbers can be made to collide


class DamagedError(ValueError):
    """A value in a file is not one that ``Writer`` writes."""


# ---- writing ----


class Writer:
    """Turns values into JSON, and collects their arrays."""

    def __init__(self) -> None:
        self.arrays: list[Array] = []
        self._level = 0

    def __call__(self, value: Any) -> Any:
        if self._level == _MOST_LEVELS:
            raise TypeError(f"it is nested more than {_MOST_LEVELS} levels deep")
        self._level += 1
        node = self._written(value)
        self._level -= 1
        return node

    def _written(self, value: Any) -> Any:
        if value is None or isinstance(value, bool | str):
            return value
        if type(value) is int:
            return _bounded(value)
        if sp.issparse(value):  # before dicts, which some are
            return self._sparse(value)
        if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):
            return self(value.item())
        if isinstance(value, float):
            return value if math.isfinite(value) else {"float": str(value)}
        if isinstance(value, list):
            return [self(item) for item in value]
        if isinstance(value, tuple):
            return {"tuple": [self(item) for item in value]}
        if isinstance(value, dict):
            keys = [key.item() if isinstance(key, np.generic) else key for key in value]
            if not all(isinstance(key, str | int | float | None) for key in keys):
                raise TypeError("it holds a dict with a key that is not a number or text")
            return {"dict": [[self(key), self(item)] for key, item in zip(keys, value.values(), strict=True)]}
        return self._object(value)

    def _object(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.random.RandomState):
            return {"random": self(value.get_state(legacy=False))}
        if isinstance(value, Parameters) and Parameters.registry.get(type(value).__name__) is type(value):
            return {"object": [type(value).__name__, self(value.get_params(deep=False))]}
        raise TypeError(f"it holds a value of type {type(value).__name__}")

    def _sparse(self, value: Any) -> Any:
        matrix: Matrix = sp.csr_array(value)
        parts = [self(part) for part in (matrix.data, matrix.indices, matrix.indptr, list(matrix.shape))]
        return {"sparse": parts}

    def _array(self, array: Array) -> Any:
        if array.dtype.kind in "OU" and array.ndim > _MOST_LABEL_AXES:
            raise TypeError(f"it holds text with {array.ndim} axes")
        if array.dtype.kind == "O":
            return {"labels": [list(array.shape), [self(item) for item in array.ravel().tolist()]]}
        if array.dtype.kind == "U":
            letters = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(-1, 1)
            return {"text": [list(array.shape), self(letters.view(np.uint32))]}
        if array.dtype.newbyteorder("<").str not in container.TYPES:
            raise TypeError(f"it holds an array of {array.dtype}")
        self.arrays.append(array)
        return {"array": len(self.arrays) - 1}


# ---- reading ----


class Reader:
    """Turns JSON into values. An array is given out once, so that a short text cannot stand for much memory."""

    def __init__(self, arrays: list[Array], *, newer: bool = False) -> None:
        self._arrays: list[Array | None] = list(arrays)
        self._newer = newer  # the file may have parameters that this version does not know
        self._level = 0

    def __call__(self, node: Any) -> Any:
        if self._level == 2 * _MOST_LEVELS:  # an entry of a dict is a list
            raise DamagedError(f"invalid value: expected at most {2 * _MOST_LEVELS} levels")
        self._level += 1
        value = self._read(node)
        self._level -= 1
        return value

    def _read(self, node: Any) -> Any:
        if node is None or isinstance(node, bool | str | float):
            return node
        if isinstance(node, int):
            return _bounded(node)
        if isinstance(node, list):
            return [self(item) for item in node]
        if not isinstance(node, dict) or len(node) != 1:
            raise DamagedError("invalid value; expected a scalar, a list or an object with one key")
        ((kind, inside),) = node.items()
        kinds: dict[str, Callable[[Any], Any]] = {
            "float": self._float,
            "tuple": self._tuple,
            "dict": self._dict,
            "array": self._array,
            "labels": self._labels,
            "text": self._text,
            "sparse": self._sparse,
            "random": self._random,
            "object": self._parameters,
        }
        if kind not in kinds:
            raise DamagedError(f"unknown kind of value {kind[:20]!r}")
        return kinds[kind](inside)

    @staticmethod
    def _float(inside: Any) -> float:
        if inside not in ("nan", "inf", "-inf"):
            raise DamagedError(f"invalid float literal {str(inside)[:20]!r}; expected nan, inf or -inf")
        return float(inside)

    def _tuple(self, inside: Any) -> tuple[Any, ...]:
        return tuple(self(item) for item in _list(inside))

    def _dict(self, inside: Any) -> dict[Any, Any]:
        pairs = [self(_list(pair, 2)) for pair in _list(inside)]
        if not all(isinstance(key, str | int | float | None) for key, _ in pairs):
            raise DamagedError("invalid key; expected a number or text")
        return dict(pairs)

    def _array(self, inside: Any) -> Array:
        if type(inside) is not int or not 0 <= inside < len(self._arrays):
            raise DamagedError("reference to an array that is not there")
        array, self._arrays[inside] = self._arrays[inside], None
        if array is None:
            raise DamagedError("two references to one array")
        return array

    def _labels(self, inside: Any) -> Array:
        shape, labels = self(_list(inside, 2))
        _check_shape(shape, len(_list(labels)))
        if not all(isinstance(one, str | int | float | None) for one in labels):
            raise DamagedError("invalid label; expected a number or text")
        objects = np.empty(len(labels), dtype=object)
        objects[:] = labels
        return objects.reshape(shape)

    def _text(self, inside: Any) -> Array:
        """Read text of a fixed length from the numbers of its letters."""
        shape, letters = self(_list(inside, 2))
        if not isinstance(letters, np.ndarray) or letters.dtype != np.uint32 or letters.ndim != 2:
            raise DamagedError("invalid text; expected a table of code points")
        _check_shape(shape, len(letters))
        if letters.shape[1] == 0 or (letters.size and letters.max() > _LAST_LETTER):
            raise DamagedError("invalid code point")
        return np.ascontiguousarray(letters).view(f"U{letters.shape[1]}").reshape(shape)

    def _sparse(self, inside: Any) -> Any:
        data, indices, indptr, shape = self(_list(inside, 4))
        try:
            matrix = sp.csr_array((data, indices, indptr), shape=tuple(shape))
            matrix.check_format(full_check=True)
        except (ValueError, TypeError, OverflowError, IndexError) as error:
            raise DamagedError(f"invalid sparse matrix: {error}") from error
        return matrix

    def _random(self, inside: Any) -> np.random.RandomState:
        generator = np.random.RandomState(0)
        state = self(inside)
        known = generator.get_state(legacy=False)
        if not _same_kinds(state, known) or not 0 <= state["state"]["pos"] <= len(known["state"]["key"]):
            raise DamagedError("invalid state of a random number generator")
        generator.set_state(state)
        return generator

    def _parameters(self, inside: Any) -> Any:
        name, parameters = self(_list(inside, 2))
        known = Parameters.registry.get(name) if isinstance(name, str) else None
        if known is None or not isinstance(parameters, dict):
            raise DamagedError(f"unknown class {str(name)[:40]!r}; if it is yours, import it before loading")
        if self._newer:
            parameters = {key: value for key, value in parameters.items() if key in known._get_param_names()}
        try:
            return known(**parameters)
        except TypeError as error:
            raise DamagedError(f"unexpected parameters of {name}") from error


def _list(inside: Any, length: int | None = None) -> list[Any]:
    if not isinstance(inside, list) or (length is not None and len(inside) != length):
        raise DamagedError("invalid list, or one of unexpected length")
    return inside


def _bounded(number: int) -> int:
    if not -_LARGEST < number < _LARGEST:
        raise DamagedError("integer out of range")
    return number


def _same_kinds(value: Any, known: Any) -> bool:
    """Say whether a value is put together as one that is known: the same keys, words, types and shapes."""
    if isinstance(known, dict):
        same_keys = isinstance(value, dict) and value.keys() == known.keys()
        return same_keys and all(_same_kinds(value[key], known[key]) for key in known)
    if isinstance(known, np.ndarray):
        return isinstance(value, np.ndarray) and (value.dtype, value.shape) == (known.dtype, known.shape)
    return type(value) is type(known) and (value == known or not isinstance(known, str))


def _check_shape(shape: Any, size: int) -> None:
    sides = _list(shape)
    if (
        len(sides) > _MOST_LABEL_AXES
        or not all(type(side) is int and side >= 0 for side in sides)
        or math.prod(sides) != size
    ):
        raise DamagedError("invalid shape of an array")

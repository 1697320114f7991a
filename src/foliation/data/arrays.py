"""Types of arrays, named once."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]  # of any number type, or of labels
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Hashes: TypeAlias = NDArray[np.uint64]
Data: TypeAlias = Any  # what a user hands over: an array, a frame, a list; validated where it comes in
Outputs: TypeAlias = Any  # an array, or several if there are several outputs: the data decide
Matrix: TypeAlias = Any  # a matrix of scipy.sparse, whose stubs do not know what operators return

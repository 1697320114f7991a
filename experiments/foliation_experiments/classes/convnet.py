"""The ConvNets of table S1 of the MORF paper, as scikit-learn estimators.

The table mixes layers of one and two dimensions; here all have as many as the data. Windows are as wide as the table
says along every axis, but never wider than what is left of it, and pooling leaves an axis alone that is one cell wide:
six channels would not outlive the layers otherwise. Nets start anew at every fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

_BATCH = 250
_MOST_EPOCHS = 1000
_MOST_STEPS = 8000  # as many as 1000 epochs of 2,000 rows have
_STEP = 1e-3
_PATIENCE = 20  # epochs without a smaller loss after which a fit ends
_PATIENT_STEPS = 160  # instead, if they are fewer: what 20 epochs of 2,000 rows have
_LEAST_PATIENCE = 3  # epochs, however many steps they have
_LEAST_GAIN = 0.01  # share of the smallest loss so far that counts as smaller
_ENOUGH = 1e-4  # a loss below which there is nothing left to learn


@dataclass(frozen=True)
class Layers:
    """Channels and windows of the convolutions, width of the hidden layer, and the share that is dropped before it."""

    channels: tuple[int, ...]
    windows: tuple[int, ...]
    hidden: int
    dropout: float = 0.5


class ConvNet(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Convolutions with ReLU and pooling by two, one hidden layer; Adam until the loss of an epoch falls no more.

    Parameters
    ----------
    layers : Layers
        Sizes of the layers.
    random_state : int
        What first weights, batches and dropout are drawn from.
    """

    def __init__(self, layers: Layers, random_state: int = 0) -> None:
        self.layers = layers
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> ConvNet:
        import torch

        torch.manual_seed(self.random_state)
        rows = _tensor(X)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.net_ = _net(self.layers, tuple(rows.shape[2:]), len(self.classes_))
        self.n_epochs_ = _train(self.net_, rows, torch.from_numpy(codes.astype(np.int64)))
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        import torch

        self.net_.eval()
        with torch.inference_mode():
            parts = [torch.softmax(self.net_(part), dim=1) for part in _tensor(X).split(1000)]
        return np.asarray(torch.cat(parts).numpy(), dtype=np.float64)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        found: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return found


def _tensor(X: ArrayLike) -> Any:
    """Return rows as (n, 1, *shape)."""
    import torch

    return torch.from_numpy(np.ascontiguousarray(X, dtype=np.float32)[:, None])


def _net(layers: Layers, shape: tuple[int, ...], n_classes: int) -> Any:
    from torch import nn

    convolution, pool = (nn.Conv1d, nn.MaxPool1d) if len(shape) == 1 else (nn.Conv2d, nn.MaxPool2d)
    stack: list[Any] = []
    before, sides = 1, shape
    for channels, window in zip(layers.channels, layers.windows, strict=True):
        windows = tuple(min(window, side) for side in sides)
        sides = tuple(side - width + 1 for side, width in zip(sides, windows, strict=True))
        pools = tuple(min(2, side) for side in sides)
        sides = tuple(side // width for side, width in zip(sides, pools, strict=True))
        stack += [convolution(before, channels, windows), nn.ReLU(), pool(pools)]
        before = channels
    width = before * int(np.prod(sides))
    dropout = [nn.Dropout(layers.dropout)] if layers.dropout else []
    return nn.Sequential(
        *stack, nn.Flatten(), *dropout, nn.Linear(width, layers.hidden), nn.ReLU(), nn.Linear(layers.hidden, n_classes)
    )


def _train(net: Any, rows: Any, codes: Any) -> int:
    """Train until the loss stays where it is; return the number of epochs."""
    import torch

    optimizer = torch.optim.Adam(net.parameters(), lr=_STEP)
    loss_of = torch.nn.CrossEntropyLoss()
    least, since = np.inf, 0
    most, patience = _limits(len(rows))
    net.train()
    for epoch in range(most):
        total = 0.0
        for batch in torch.randperm(len(rows)).split(_BATCH):
            optimizer.zero_grad()
            loss = loss_of(net(rows[batch]), codes[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch) / len(rows)
        since = 0 if total < least * (1 - _LEAST_GAIN) else since + 1
        least = min(least, total)
        if since >= patience or least < _ENOUGH:
            return epoch + 1
    return most


def _limits(n_rows: int) -> tuple[int, int]:
    """Return the most epochs of a fit, and after how many without a smaller loss it ends: fewer above 2,000 rows."""
    steps = -(-n_rows // _BATCH)
    patience = max(_LEAST_PATIENCE, -(-_PATIENT_STEPS // steps))
    return min(_MOST_EPOCHS, -(-_MOST_STEPS // steps)), min(_PATIENCE, patience)

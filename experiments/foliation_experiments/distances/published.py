"""Figures of the Geodesic Forests paper, from its saved results: precision of the nearest 50 of 1000 points."""

from __future__ import annotations

from collections.abc import Mapping

_NOISE = (0, 10, 100, 1000, 10_000)


def _over_noise(*values: float) -> Mapping[float, float]:
    return dict(zip(_NOISE, values, strict=True))


NOISE: dict[str, dict[str, Mapping[float, float]]] = {  # raw columns; on the mixture the truth is Euclidean
    "line": {
        "published GF": _over_noise(0.81, 0.75, 0.65, 0.41, 0.26),
        "published Isomap": _over_noise(1.0, 0.05, 0.05, 0.05, 0.05),
        "published UMAP": _over_noise(0.82, 0.05, 0.05, 0.05, 0.05),
    },
    "helix": {
        "published GF": _over_noise(0.83, 0.75, 0.56, 0.28, 0.17),
        "published Isomap": _over_noise(1.0, 0.24, 0.09, 0.06, 0.05),
        "published UMAP": _over_noise(0.83, 0.33, 0.15, 0.05, 0.05),
    },
    "sphere": {"published GF": _over_noise(0.53, 0.60, 0.48, 0.32, 0.24)},
    "mixture": {"published GF": _over_noise(0.49, 0.48, 0.36, 0.30, 0.24)},
}

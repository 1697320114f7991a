"""What is compared with each preset: the same but for one thing, and what the papers have."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from foliation import Kernels, Mixture, Patches, gabor_bank
from foliation_experiments.classes.contenders import Options

Shape = tuple[int, ...]
Setting = Callable[[Shape], Options]  # options of a forest for rows of a shape

PRESET = "preset"
VIEWS = ("raw", "difference", "spectrum")
RELATIVE = ("relative", "relative_spectrum")
EDGES = ("raw", "east", "west", "south", "north")


def _about_a_square_root(side: int) -> int:
    """Return the largest size that `Patches` takes by default."""
    return min(side, max(2, round(math.sqrt(side))))


def _image(
    *, largest: Callable[[int], int] = lambda side: math.ceil(side / 3), bootstrap: bool = False, **more: Any
) -> Setting:
    def options(shape: Shape) -> Options:
        sizes = [min(side, largest(side)) for side in shape]
        patches = Patches(max_size=sizes, **{"views": EDGES, **more})
        return {"projections": patches, "bootstrap": bootstrap}

    return options


def _times(times: float, setting: Setting) -> Setting:
    """Let nodes have more candidates than by default, the square root of the number of cells of all views."""

    def options(shape: Shape) -> Options:
        found = setting(shape)
        n_cells = math.prod(shape) * len(found["projections"].views)
        return {**found, "max_features": max(1, int(times * math.sqrt(n_cells)))}

    return options


def _series(
    contrast: float,
    *,
    largest: Callable[[int], int] = _about_a_square_root,
    channels: Callable[[int], int] = lambda n: min(n, 2),
    bootstrap: bool,
    **more: Any,
) -> Setting:
    def options(shape: Shape) -> Options:
        sizes = [*(channels(side) for side in shape[:-1]), min(shape[-1], largest(shape[-1]))]
        ordered = [False] * (len(shape) - 1) + [True]
        patches = Patches(max_size=sizes, contiguous=ordered, **{"contrast": contrast, "views": VIEWS, **more})
        return {"projections": patches, "bootstrap": bootstrap}

    return options


def _several(contrast: float, *, bootstrap: bool) -> Setting:
    """Add relative views where there are several channels."""

    def options(shape: Shape) -> Options:
        views = (*VIEWS, *RELATIVE) if len(shape) > 1 and shape[-2] > 1 else VIEWS
        return _series(contrast, bootstrap=bootstrap, views=views)(shape)

    return options


def _half(first: Setting, second: Setting) -> Setting:
    """Mix the projections of two settings that agree in all else."""
    return lambda shape: {
        **first(shape),
        "projections": Mixture([one(shape)["projections"] for one in (first, second)]),
    }


def _named(name: str) -> Setting:
    return lambda shape: {"projections": name}


def _gabor(share: float) -> Setting:
    """Mix kernels with patches that have no views, which no mixture of other families may have."""

    def options(shape: Shape) -> Options:
        kernels = Kernels(gabor_bank(min(5, *shape)))
        patches = Patches(max_size=[math.ceil(side / 4) for side in shape], contrast=0.8)
        mixed = kernels if share == 1 else Mixture([patches, kernels], p=[1 - share, share])
        return {"projections": mixed, "bootstrap": False}

    return options


def _of_series(contrast: float, *, bootstrap: bool, views: tuple[str, ...]) -> dict[str, Setting]:
    """Return what is compared with "series" and "channels", which differ in these."""
    of = partial(_series, bootstrap=bootstrap, views=views)
    like = partial(of, contrast)
    return {
        **{f"contrast {c:g}": of(c) for c in (0.0, 0.25, 0.5, 0.75, 1.0) if c != contrast},
        "raw": like(views=VIEWS[:1]),
        "raw, difference": like(views=VIEWS[:2]),
        "raw, spectrum": like(views=(VIEWS[0], VIEWS[2])),
        "up to a tenth": like(largest=lambda side: max(2, side // 10)),
        "up to a quarter": like(largest=lambda side: max(2, side // 4)),
        "one channel": like(channels=lambda n: 1),
        "up to sqrt channels": like(channels=_about_a_square_root),
        "no bootstrap" if bootstrap else "bootstrap": like(bootstrap=not bootstrap),
        "half the candidates": _times(0.5, like()),
        "2 x candidates": _times(2, like()),
        "random signs": like(weights="signs"),
        "half random signs": _half(like(), like(weights="signs")),
        "patches": _named("patches"),
        "sparse": _named("sparse"),
        "axis": _named("axis"),
    }


SETTINGS: dict[str, dict[str, Setting]] = {
    "image": {
        PRESET: _named("image"),
        **{f"contrast {c:g}": _image(contrast=c) for c in (0.2, 0.5, 0.8)},
        "no edges, contrast 0.8": _image(views=("raw",), contrast=0.8),
        "edges alone": _image(views=EDGES[1:]),
        "up to sqrt": _image(largest=_about_a_square_root),
        "up to a half": _image(largest=lambda side: side // 2),
        "from 2 cells": _image(min_size=2),
        "bootstrap": _image(bootstrap=True),
        "half the candidates": _times(0.5, _image()),
        "2 x candidates": _times(2, _image()),
        "half Gabor": _gabor(0.5),
        "Gabor": _gabor(1.0),
        "patches": _named("patches"),
        "sparse": _named("sparse"),
        "axis": _named("axis"),
    },
    "series": {
        PRESET: _named("series"),
        "with relative views": _several(0.5, bootstrap=True),
        **_of_series(0.5, bootstrap=True, views=VIEWS),
    },
    "channels": {
        PRESET: _named("channels"),
        "no relative views": _series(0.25, bootstrap=False),
        "relative alone": _series(0.25, bootstrap=False, views=RELATIVE),
        **_of_series(0.25, bootstrap=False, views=(*VIEWS, *RELATIVE)),
    },
}

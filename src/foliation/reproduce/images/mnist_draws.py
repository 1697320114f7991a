"""How often each method is fitted to how many images, so that two cores are done within about an hour."""

from __future__ import annotations

from foliation.reproduce.classes.problems import DRAWS
from foliation.reproduce.experiment import Scale

SIZES: dict[Scale, tuple[int, ...]] = {
    "full": (100, 500, 1000, 5000, 10_000, 30_000, 60_000),
    "quick": (100, 500, 1000),
}
MANY = 10_000  # images, up to which there are all draws
FEW_DRAWS = 3
EXCEPTIONS: dict[tuple[str, int], int] = {  # draws of methods that take minutes; none: left out
    ("SVM", 30_000): 1,
    ("SVM", 60_000): 1,
    ("ConvNet", 5000): 6,
    ("ConvNet", 10_000): 3,
    ("ConvNet", 30_000): 1,
    ("ConvNet", 60_000): 1,
}


def n_draws(method: str, n: int, scale: Scale) -> int:
    usual = DRAWS[scale] if n <= MANY else FEW_DRAWS
    return min(usual, EXCEPTIONS.get((method, n), usual))


def exceptions_in_words() -> str:
    """Say which methods have fewer draws than others, or none."""
    found = []
    for method in dict.fromkeys(method for method, _ in EXCEPTIONS):
        places = [f"{_counted(draws)} of {n:,}" for (name, n), draws in EXCEPTIONS.items() if name == method]
        found.append(f"`{method}` has {', '.join(places)}")
    return f"Fits that take long have fewer: {'; '.join(found)}."


def _counted(draws: int) -> str:
    return {0: "no draw", 1: "one draw"}.get(draws, f"{draws} draws")

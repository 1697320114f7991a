"""Workloads of many callers that predict single rows with one stored model, as data."""

from __future__ import annotations

from foliation_benchmarks.contenders import LIGHTGBM, PATCHES, SCIKIT_LEARN, XGBOOST, YDF_AXIS
from foliation_benchmarks.worker.contract import Patch, Serving
from foliation_benchmarks.workload import Data, Workload

_CONTENDERS = (PATCHES, SCIKIT_LEARN, YDF_AXIS, XGBOOST, LIGHTGBM)


def _serving(name: str, serving: Serving, ours_alone: bool, about: str) -> Workload:
    return Workload(
        name,
        Data("circle", 1000, 100),
        100,
        50,
        (PATCHES,) if ours_alone else _CONTENDERS,
        Patch((3,), (12,), wrap=True),
        serving,
        threads=1,
        measure="serving",
        most_rounds=1,
        about=about,
    )


MILLION = (
    _serving("a million calls, 16 threads", Serving(1, 16, 1_000_000, 3600), True, "16 threads of one process."),
    _serving("a million calls, 8 processes", Serving(8, 1, 1_000_000, 3600), True, "8 processes of one thread."),
)
SOAK_SECONDS = 600.0
SOAK = _serving("soak", Serving(1, 4, 10**12, SOAK_SECONDS), True, "Four threads of one process, for ten minutes.")
SERVING = (
    _serving("4 threads", Serving(1, 4, 1_000_000, 60), False, "4 threads of one process, for a minute at most."),
    _serving("16 threads", Serving(1, 16, 1_000_000, 60), False, "16 threads of one process, for a minute at most."),
    _serving("8 processes", Serving(8, 1, 1_000_000, 60), False, "8 processes, for a minute at most."),
    *MILLION,
    SOAK,
)

"""Test errors of the MORF paper, from its saved results; the linear dynamical system is read off its figure."""

from __future__ import annotations

from collections.abc import Mapping

from foliation_experiments.classes.problems import SIZES

Curve = Mapping[float, float]


def _curve(*errors: float, sizes: tuple[int, ...] = SIZES) -> Curve:
    return dict(zip(sizes, errors, strict=True))


_MNIST = (100, 500, 1000, 5000, 10_000, 30_000, 60_000)

ERRORS: dict[str, dict[str, Curve]] = {
    "circle": {
        "RF": _curve(0.498, 0.485, 0.494, 0.492, 0.488, 0.443, 0.391),
        "SPORF": _curve(0.494, 0.488, 0.494, 0.495, 0.488, 0.446, 0.391),
        "XGB 100": _curve(0.500, 0.484, 0.488, 0.497, 0.481, 0.286, 0.061),
        "MORF": _curve(0.504, 0.417, 0.304, 0.126, 0.073, 0.051, 0.037),
        "ConvNet": _curve(0.501, 0.488, 0.370, 0.122, 0.022, 0.005, 0.001),
    },
    "bars": {
        "RF": _curve(0.472, 0.035, 0.002, 0.001, 0.0005, 0.0005, 0.0005),
        "SPORF": _curve(0.458, 0.120, 0.006, 0.003, 0.0005, 0.0005, 0.0005),
        "MORF": _curve(0.182, 0.012, 0.013, 0.001, 0.0005, 0.0005, 0.0005),
        "ConvNet": _curve(0.020, 0.004, 0.0005, 0.0005, 0.0015, 0.0005, 0.0005),
    },
    "impulse": {
        "RF": _curve(0.389, 0.242, 0.214, 0.188, 0.166, 0.147, 0.142),
        "SPORF": _curve(0.342, 0.232, 0.210, 0.180, 0.149, 0.142, 0.135),
        "SVM": _curve(0.325, 0.233, 0.210, 0.183, 0.162, 0.150, 0.143),
        "MORF": _curve(0.187, 0.142, 0.151, 0.142, 0.139, 0.133, 0.131),
        "ConvNet": _curve(0.290, 0.182, 0.191, 0.171, 0.174, 0.171, 0.182),
    },
    "lds, code": {
        "RF": _curve(0.54, 0.49, 0.49, 0.47, 0.45, 0.41, sizes=SIZES[1:]),
        "SPORF": _curve(0.52, 0.50, 0.49, 0.47, 0.45, 0.43, sizes=SIZES[1:]),
        "XGB 100": _curve(0.53, 0.48, 0.50, 0.46, 0.39, 0.34, sizes=SIZES[1:]),
        "MORF": _curve(0.51, 0.42, 0.40, 0.36, 0.33, 0.32, sizes=SIZES[1:]),
    },
    "mnist": {
        "RF": _curve(0.259, 0.123, 0.099, 0.063, 0.051, 0.037, 0.030, sizes=_MNIST),
        "SPORF": _curve(0.255, 0.122, 0.098, 0.063, 0.052, 0.038, 0.031, sizes=_MNIST),
        "XGB 100": _curve(0.422, 0.165, 0.122, 0.066, 0.050, 0.029, 0.023, sizes=_MNIST),
        "MORF": _curve(0.234, 0.113, 0.085, 0.056, 0.047, 0.033, 0.028, sizes=_MNIST),
        "ConvNet": _curve(0.180, 0.074, 0.059, 0.025, 0.020, 0.015, 0.012, sizes=_MNIST),
    },
}

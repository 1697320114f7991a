"""Fit one classifier of aeon: ``python aeon_worker.py task.json outcome.json``.

The task holds the name of the classifier, the path of a file of arrays, and a seed. Runs in an environment without
Foliation, so it imports nothing of ours.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np


def classifier(name: str, seed: int):  # type: ignore[no-untyped-def]
    from aeon.classification import distance_based, interval_based

    if name == "1NN-DTW":
        return distance_based.KNeighborsTimeSeriesClassifier(distance="dtw", n_neighbors=1)
    kind = {"TSF": "TimeSeriesForestClassifier", "CIF": "CanonicalIntervalForestClassifier"}[name]
    return getattr(interval_based, kind)(random_state=seed)


def main(task: str, outcome: str) -> None:
    warnings.simplefilter("ignore")
    told = json.loads(Path(task).read_text())
    Path(outcome).write_text(json.dumps(measure(**told)))


def measure(name: str, path: str, seed: int) -> dict[str, float]:
    with np.load(path, allow_pickle=False) as file:
        X, X_test = (file[key].astype(np.float64) for key in ("X", "X_test"))  # CIF takes no others
        y, y_test = file["y"], file["y_test"]
    few = np.concatenate([np.flatnonzero(y == label)[:2] for label in np.unique(y)])
    short = slice(None, min(X.shape[2], 30))
    classifier(name, 0).fit(X[few, :, short], y[few]).predict(X[few, :, short])  # compiles
    begin = time.perf_counter()
    fitted = classifier(name, seed).fit(X, y)
    middle = time.perf_counter()
    right = float(np.mean(fitted.predict(X_test) == y_test))
    seconds = {"fit seconds": middle - begin, "predict seconds": time.perf_counter() - middle}
    return {"accuracy": right, **seconds}


if __name__ == "__main__":
    main(*sys.argv[1:])

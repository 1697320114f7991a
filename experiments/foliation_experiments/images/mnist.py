"""Figure 5, top, of the MORF paper: handwritten digits."""

from __future__ import annotations

from collections.abc import Iterator

from foliation import Patches
from foliation_experiments.classes.contenders import Options
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.learning import Contest, classifier, score
from foliation_experiments.harness.data import MNIST
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.images.digits import digits
from foliation_experiments.images.mnist_draws import SIZES, n_draws
from foliation_experiments.images.mnist_figure import figures
from foliation_experiments.images.mnist_page import page

MORF: Options = {"projections": Patches(min_size=2, max_size=(2, 5)), "max_features": 28}
OURS: Options = {"projections": "image"}

CONTEST = Contest(
    forests={"MORF": MORF, "ours": OURS},
    layers=Layers(channels=(32, 64), windows=(5, 5), hidden=200),
    variants={"003": {"projections": Patches(min_size=1, max_size=3, border="inside"), "max_features": 28}},
)
BOUNDS: dict[str, Options] = {"linear SVM": {"linearsvc__dual": True, "linearsvc__max_iter": 50}}  # hours otherwise

_SLOW = ("ConvNet", "SVM", "linear SVM", "LR", "XGB 100", "MLP")  # the slowest first


def runs(scale: Scale) -> list[Run]:
    """Return slow runs last; the slowest of each size before others, so that no process is left alone with it."""
    return sorted(_runs(scale), key=_place)


def _place(run: Run) -> tuple[float, int]:
    return (run.at, _SLOW.index(run.method)) if run.method in _SLOW else (0, 0)


def _runs(scale: Scale) -> Iterator[Run]:
    """Yield the runs of all methods, and of MORF in another form."""
    for n in SIZES[scale]:
        for part, methods in {"figure": CONTEST.methods(), **dict.fromkeys(CONTEST.variants, ("MORF",))}.items():
            for method in methods:
                yield from (Run(part, "mnist", method, n, seed) for seed in range(n_draws(n, scale)))


def measure(run: Run) -> dict[str, float]:
    """Return the error on test images, and the seconds that fit and predict took."""
    return score(classifier(CONTEST, run).set_params(**BOUNDS.get(run.method, {})), digits(run))


EXPERIMENT = Experiment(
    name="mnist",
    about="Handwritten digits: error against training images, up to 60,000 (MORF, figure 5, top).",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 4, "full": 180},
    needs=("torch", "xgboost"),
    data=(MNIST,),
    variants=tuple(CONTEST.variants),
)

"""One benchmark as a user asks for it: what to run, going on where it stopped, what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from foliation.bench import machine, results
from foliation.bench.page import page
from foliation.bench.results import Results
from foliation.bench.running import Tell, run_all
from foliation.bench.scale import SCALE
from foliation.bench.workload import Workload
from foliation.bench.workloads import WORKLOADS


@dataclass(frozen=True)
class Request:
    """What to run and where to write."""

    quick: bool = False
    scale_only: bool = False
    only: tuple[str, ...] = ()
    rounds: int = 3
    output: Path = Path("results/bench")
    resume: bool = False

    @property
    def mode(self) -> str:
        return "quick" if self.quick else "full"


def chosen(request: Request) -> list[Workload]:
    """Return the workloads that a request names; complain about names that do not exist."""
    everything = SCALE if request.scale_only else (*WORKLOADS, *SCALE)
    known = {workload.name for workload in everything}
    unknown = [name for name in request.only if name not in known]
    if unknown:
        raise ValueError(f"no workload is called {unknown[0]!r}; there are: {', '.join(w.name for w in everything)}")
    wanted = [workload for workload in everything if not request.only or workload.name in request.only]
    if not request.quick or request.scale_only:
        return wanted
    return [quick for workload in wanted if (quick := workload.quickly()) is not None]


def opened(request: Request) -> Results:
    """Return the results to add to: new ones, or those of a stopped run of the same code and kind."""
    path = request.output / "results.json"
    about = {**machine.describe(), "mode": request.mode, "rounds": request.rounds}
    if request.resume and path.exists():
        found = results.load(path)
        for name in ("commit", "mode", "processor"):
            before = found.header.get(name)
            if before != about[name]:
                raise ValueError(f"{path} was made with {name} {before}, this is {about[name]}: run without --resume")
        found.header["rounds"] = request.rounds
        return found
    return Results({**about, "date": f"{datetime.now(UTC):%Y-%m-%d}"}, path=path)


def run(request: Request, tell: Tell) -> Results:
    """Measure, then write the page and the figures of all that is finished, also after an interrupt."""
    workloads = chosen(request)
    found = opened(request)
    try:
        run_all(workloads, request.rounds, found, tell)
    finally:
        write(found, chosen(replace(request, only=(), scale_only=False)), request.output)
    return found


def write(found: Results, workloads: list[Workload], output: Path) -> None:
    found.save()
    output.mkdir(parents=True, exist_ok=True)
    (output / "benchmarks.md").write_text(page(found, workloads))
    if find_spec("matplotlib") is not None:
        from foliation.bench.figure import draw_contenders, draw_scale

        draw_contenders(found, workloads, output / "benchmarks.png")
        draw_scale(found, output / "scale.png")

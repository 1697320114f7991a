"""The tables of the page, one function for each."""

from __future__ import annotations

from collections.abc import Sequence

from foliation.bench.contenders import CONTENDERS, SPARSE, Contender
from foliation.bench.markdown import megabytes, number, table, with_interval, with_spread
from foliation.bench.results import Results
from foliation.bench.scale import Experiment
from foliation.bench.summary import (
    difference_in_work,
    error_rate,
    nanoseconds_spread,
    of,
    ratio,
)
from foliation.bench.targets import HELD, Verdict
from foliation.bench.workloads import Workload

_WORKLOAD_HEADER = (
    "contender", "fit s", "predict s", "fit ratio", "predict ratio", "error", "trees", "candidates", "nodes",
    "peak MB", "ns per pair", "ns per visit",
)  # fmt: skip


def verdict_table(verdicts: Sequence[Verdict]) -> str:
    rows = [
        (v.target, v.where, v.measured or "-", _bold(v.outcome) + (f": {v.reason}" if v.reason else ""))
        for v in verdicts
    ]
    return table(("target", "workload", "measured", "held?"), rows)


def _bold(outcome: str) -> str:
    return outcome if outcome == HELD else f"**{outcome}**"


def workload_table(results: Results, workload: Workload) -> str:
    there = [who for who in workload.contenders if results.rounds(workload.name, who.name)]
    return table(_WORKLOAD_HEADER, [_row(results, workload.name, who) for who in there])


def _row(results: Results, workload: str, who: Contender) -> tuple[str, ...]:
    def field(name: str) -> str:
        return with_spread(of(results, workload, who.name, name))

    def against(name: str) -> str:
        return with_spread(ratio(results, workload, who.ours, who.name, name), "x") if who.ours else ""

    splits, leaves = (of(results, workload, who.name, name) for name in ("splits", "leaves"))
    nodes = splits.median + leaves.median if splits and leaves else None
    return (
        who.name,
        field("fit_seconds"),
        field("predict_seconds"),
        against("fit_seconds"),
        against("predict_seconds"),
        with_interval(error_rate(results.rounds(workload, who.name).values())),
        field("trees"),
        _candidates(results, workload, who),
        number(nodes),
        megabytes(of(results, workload, who.name, "fit_peak_bytes")),
        with_spread(nanoseconds_spread(results, workload, who.name, "fit_seconds", "pairs")),
        with_spread(nanoseconds_spread(results, workload, who.name, "predict_seconds", "visits")),
    )


def _candidates(results: Results, workload: str, who: Contender) -> str:
    """Write the effective candidates, and loudly what is not the same work as ours."""
    runs = results.rounds(workload, who.name)
    if not who.same_work:
        return "-"
    effective = number(of(results, workload, who.name, "effective").median)  # type: ignore[union-attr]
    if any(run.get("at_least") for run in runs.values()):
        effective = f"{effective} or more"
    ours = results.rounds(workload, who.ours) if who.ours else {}
    found = [difference_in_work(ours[n], run) for n, run in runs.items() if n in ours]
    unequal = next((text for text in found if text), "")
    return f"{effective} **NOT COMPARABLE: {unequal}**" if unequal else effective


def latency_table(results: Results) -> str:
    """Write the time of one row, fastest first."""
    found = [(of(results, "circle", name, "latency_ms"), name) for name in CONTENDERS]
    there = sorted(((spread, name) for spread, name in found if spread is not None), key=lambda pair: pair[0].median)
    return table(("contender", "milliseconds"), [(name, with_spread(spread)) for spread, name in there])


def small_fits_table(results: Results, workload: Workload) -> str:
    rows = []
    for who in workload.contenders:
        seconds = of(results, workload.name, who.name, "fit_seconds")
        fits = of(results, workload.name, who.name, "fits")
        if seconds is not None and fits is not None:
            each = number(1e3 * seconds.median / fits.median)
            rows.append((who.name, number(fits.median), with_spread(seconds), each))
    return table(("contender", "fits", "seconds", "ms per fit"), rows)


def neighbors_table(results: Results, workload: Workload) -> str:
    rows = []
    for who in workload.contenders:
        if not results.rounds(workload.name, who.name):
            continue
        against = (
            ratio(results, workload.name, SPARSE.name, who.name, "neighbors_seconds") if who is not SPARSE else None
        )
        seconds = (
            with_spread(of(results, workload.name, who.name, f"{what}_seconds")) for what in ("fit", "neighbors")
        )
        peak = megabytes(of(results, workload.name, who.name, "neighbors_peak_bytes"))
        rows.append((who.name, *seconds, with_spread(against, "x"), peak))
    return table(("contender", "fit s", "neighbours s", "ratio", "peak MB"), rows)


def experiment_table(results: Results, experiment: Experiment) -> str:
    header = (experiment.axis, "fit s", "predict s", "ns per pair", "ns per visit", "peak MB", "model MB")
    rows = [
        _point(results, point) for point in experiment.points if results.rounds(point.name, point.contenders[0].name)
    ]
    return table(header, rows)


def _point(results: Results, point: Workload) -> tuple[str, ...]:
    who = point.contenders[0].name
    anonymous = of(results, point.name, who, "anonymous_peak_bytes")
    return (
        number(point.at),
        with_spread(of(results, point.name, who, "fit_seconds")),
        with_spread(of(results, point.name, who, "predict_seconds")),
        with_spread(nanoseconds_spread(results, point.name, who, "fit_seconds", "pairs")),
        with_spread(nanoseconds_spread(results, point.name, who, "predict_seconds", "visits")),
        megabytes(anonymous or of(results, point.name, who, "fit_peak_bytes")) + (" (anonymous)" if anonymous else ""),
        megabytes(of(results, point.name, who, "model_bytes")),
    )

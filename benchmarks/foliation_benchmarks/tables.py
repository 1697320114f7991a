"""The tables of the page, one function for each."""

from __future__ import annotations

from collections.abc import Sequence

from foliation_benchmarks.contenders import CONTENDERS, Contender
from foliation_benchmarks.formats import megabytes, with_interval, with_spread
from foliation_benchmarks.scale import Scaling
from foliation_benchmarks.summary import (
    Spread,
    difference_in_work,
    error_rate,
    nanoseconds_spread,
    of,
    ratio,
    rounds,
)
from foliation_benchmarks.targets import HELD, Verdict
from foliation_benchmarks.workload import Workload
from foliation_experiments.harness.markdown import number, table, without_gaps
from foliation_experiments.harness.table import Table

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


def workload_table(results: Table, workload: Workload) -> str:
    """Write a row for each contender, without columns in which nothing was measured."""
    there = [who for who in workload.contenders if rounds(results, workload.name, who.name)]
    return table(*without_gaps(_WORKLOAD_HEADER, [_row(results, workload.name, who) for who in there]))


def _row(results: Table, workload: str, who: Contender) -> tuple[str, ...]:
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
        with_interval(error_rate(rounds(results, workload, who.name).values())),
        field("trees"),
        _candidates(results, workload, who),
        number(nodes),
        megabytes(of(results, workload, who.name, "fit_peak_bytes")),
        with_spread(nanoseconds_spread(results, workload, who.name, "fit_seconds", "pairs")),
        with_spread(nanoseconds_spread(results, workload, who.name, "predict_seconds", "visits")),
    )


def _candidates(results: Table, workload: str, who: Contender) -> str:
    """Write the effective candidates, and loudly what is not the same work as ours."""
    runs = rounds(results, workload, who.name)
    if not who.same_work:
        return "-"
    effective = number(of(results, workload, who.name, "effective").median)  # type: ignore[union-attr]
    if any(run.get("at_least") for run in runs.values()):
        effective = f"{effective} or more"
    ours = rounds(results, workload, who.ours) if who.ours else {}
    differences = [difference_in_work(ours[n], run) for n, run in runs.items() if n in ours]
    unequal = next((text for text in differences if text), "")
    return f"{effective} **NOT COMPARABLE: {unequal}**" if unequal else effective


def latency_table(results: Table) -> str:
    """Write the time of one row, fastest first."""
    latencies = [(of(results, "circle", name, "latency_ms"), name) for name in CONTENDERS]
    there = sorted(
        ((spread, name) for spread, name in latencies if spread is not None), key=lambda pair: pair[0].median
    )
    return table(("contender", "milliseconds"), [(name, with_spread(spread)) for spread, name in there])


def small_fits_table(results: Table, workload: Workload) -> str:
    rows = []
    for who in workload.contenders:
        seconds = of(results, workload.name, who.name, "fit_seconds")
        fits = of(results, workload.name, who.name, "fits")
        if seconds is not None and fits is not None:
            each = number(1e3 * seconds.median / fits.median)
            rows.append((who.name, number(fits.median), with_spread(seconds), each))
    return table(("contender", "fits", "seconds", "ms per fit"), rows)


def neighbors_table(results: Table, workload: Workload) -> str:
    """Write times, against those of the first contender, and how often a neighbor has the label of the row."""
    first = workload.contenders[0].name
    header = ("contender", "fit s", "neighbors s", "ratio", "same label", "fit peak MB", "neighbors peak MB")
    rows = []
    for who in workload.contenders:
        measures = {
            name: of(results, workload.name, who.name, name)
            for name in ("fit_seconds", "neighbors_seconds", "same_label", "fit_peak_bytes", "neighbors_peak_bytes")
        }
        if measures["fit_seconds"] is None:
            continue
        against = ratio(results, workload.name, first, who.name, "neighbors_seconds") if who.name != first else None
        fit, seconds, same, *peaks = measures.values()
        texts = with_spread(fit), with_spread(seconds), with_spread(against, "x"), with_spread(same)
        rows.append((who.name, *texts, *map(megabytes, peaks)))
    return table(header, rows)


def serving_table(results: Table, workload: Workload) -> str:
    """Write how long calls took, whether answers were right, and what memory did."""
    header = ("contender", "calls", "per second", "p50 ms", "p99 ms", "p99.9 ms", "longest ms", "wrong", "other bits",
              "private MB", "resident MB, first to last", "stored MB")  # fmt: skip
    rows = []
    for who in workload.contenders:
        for run in rounds(results, workload.name, who.name).values():
            times = (number(run[name]) for name in ("p50_ms", "p99_ms", "p999_ms", "longest_ms"))
            counts = (f"{run[name]:,.0f}" for name in ("wrong", "other_bits"))
            private, first, last, stored = (
                f"{run[name] / 1e6:,.1f}" for name in ("private_bytes", "first_bytes", "last_bytes", "stored_bytes")
            )
            called = f"{run['calls']:,.0f}", number(run["calls_per_second"])
            rows.append((who.name, *called, *times, *counts, private, f"{first} to {last}", stored))
    return table(header, rows)


_POINT_HEADER = (
    "fit s", "neighbors s", "predict s", "ns per pair", "ns per visit", "same label", "peak MB", "whole process MB",
    "model MB",
)  # fmt: skip


def scaling_table(results: Table, scaling: Scaling) -> str:
    """Write a row for each point, without columns in which nothing was measured."""
    there = [point for point in scaling.points if rounds(results, point.name, point.contenders[0].name)]
    rows = [(number(point.at), *_point(results, point)) for point in there]
    return table(*without_gaps((scaling.axis, *_POINT_HEADER), rows))


def _point(results: Table, point: Workload) -> tuple[str, ...]:
    who = point.contenders[0].name

    def field(name: str) -> Spread | None:
        return of(results, point.name, who, name)

    anonymous = field("anonymous_peak_bytes")
    return (
        with_spread(field("fit_seconds")),
        with_spread(field("neighbors_seconds")),
        with_spread(field("predict_seconds")),
        with_spread(nanoseconds_spread(results, point.name, who, "fit_seconds", "pairs")),
        with_spread(nanoseconds_spread(results, point.name, who, "predict_seconds", "visits")),
        with_spread(field("same_label")),
        megabytes(anonymous or field("fit_peak_bytes")) + (" (anonymous)" if anonymous else ""),
        megabytes(field("process_peak_bytes")),
        megabytes(field("model_bytes")),
    )

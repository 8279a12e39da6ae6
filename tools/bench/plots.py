"""The content of the plots: pure functions of the stored numbers. drawing.py draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from . import load_report, reconcile_report, report
from .report import megabytes

Stored = Mapping[str, Any]

SERIES = ("lvmd", "TopoLVM's lvmd", "floor")
_MEDIANS = ("ours_p50_ms", "peer_p50_ms", "floor_p50_ms")
_MIDDLES = ("ours_middle_ms", "peer_middle_ms", "floor_middle_ms")


@dataclass(frozen=True)
class Bars:
    """One panel: for each call, a bar of each of SERIES, in milliseconds."""

    volumes: int
    title: str
    calls: tuple[str, ...]
    heights: tuple[tuple[float, ...], ...]
    """For each of SERIES, one number for each call."""
    middles: tuple[tuple[tuple[float, float], ...], ...]
    """Likewise, the range without the lowest tenth and the highest tenth."""


@dataclass(frozen=True)
class Growth:
    """One panel: a change, in groups with more and more volumes."""

    call: str
    volumes: tuple[int, ...]
    milliseconds: tuple[tuple[float, ...], ...]
    """For each of SERIES, one number for each of `volumes`."""


@dataclass(frozen=True)
class Creates:
    """Volumes created one after another: the milliseconds of each, and means of a hundred."""

    numbers: tuple[int, ...]
    milliseconds: tuple[float, ...]
    mean_numbers: tuple[float, ...]
    means: tuple[float, ...]
    ratio: float


@dataclass(frozen=True)
class Memory:
    """In MB (of 1,000,000 bytes) after this number of calls."""

    volumes: int
    calls: tuple[int, ...]
    private_dirty: tuple[float, ...]
    pss: tuple[float, ...]


@dataclass(frozen=True)
class Starts:
    """The requests and bytes of a start of the reconciler, by the number of foreign or of own
    CRs."""

    title: str
    label: str
    crs: tuple[int, ...]
    kilobytes: tuple[float, ...]
    requests: tuple[int, ...]


def bars(peer: Stored) -> list[Bars]:
    """Two panels for each number of volumes: changes and reads. A call that was not measured, because
    the numbers are older than it, is left out."""
    panels = []
    for volumes in sorted({entry["volumes"] for entry in peer["calls"]}):
        entries = {entry["call"]: entry for entry in peer["calls"] if entry["volumes"] == volumes}
        for title, known in (("changes", report.CHANGES), ("reads", report.READS)):
            calls = tuple(call for call in known if call in entries)
            heights = tuple(tuple(entries[call][key] for call in calls)
                            for key in _MEDIANS)
            middles = tuple(tuple(tuple(entries[call][key]) for call in calls) for key in _MIDDLES)
            panels.append(Bars(volumes, title, calls, heights, middles))
    return panels


def growth(peer: Stored) -> list[Growth]:
    """A panel for each change that was measured."""
    panels = []
    for call in report.CHANGES:
        entries = sorted((entry for entry in peer["calls"] if entry["call"] == call),
                         key=lambda entry: int(entry["volumes"]))
        if entries:
            panels.append(Growth(call, tuple(entry["volumes"] for entry in entries),
                                 tuple(tuple(entry[key] for entry in entries)
                                       for key in _MEDIANS)))
    return panels


def creates(load: Stored) -> Creates:
    times: Sequence[float] = load[load_report.CREATES]["ms"]
    hundreds = [times[begin:begin + 100] for begin in range(0, len(times), 100)]
    return Creates(
        numbers=tuple(range(1, len(times) + 1)), milliseconds=tuple(times),
        mean_numbers=tuple(100 * index + (len(some) + 1) / 2
                           for index, some in enumerate(hundreds)),
        means=tuple(mean(some) for some in hundreds),
        ratio=load[load_report.CREATES]["ratio"])


def memory(load: Stored) -> Memory:
    stored = load[load_report.CALLS]
    return Memory(
        volumes=load[load_report.PRIVATE]["volumes"], calls=tuple(stored["calls"]),
        private_dirty=tuple(megabytes(kb) for kb in stored["private_dirty_kb"]),
        pss=tuple(megabytes(kb) for kb in stored["pss_kb"]))


def starts(reconcile: Stored) -> list[Starts]:
    """By foreign CRs with the same number of own ones, and by own CRs."""
    stored = reconcile[reconcile_report.STARTS]
    by_foreign = [entry for entry in stored["starts"] if entry["own"] == stored["own"]]
    # One for each number of own CRs: the one with the fewest foreign CRs is first.
    by_own = {entry["own"]: entry for entry in reversed(stored["starts"])}
    return [_starts(f"with {stored['own']:,} own CRs", "foreign", by_foreign),
            _starts(f"with none to {stored['foreign']:,} foreign CRs", "own",
                    sorted(by_own.values(), key=lambda entry: int(entry["own"])))]


def _starts(title: str, kind: str, taken: Sequence[Stored]) -> Starts:
    return Starts(title=title, label=f"{kind} CRs", crs=tuple(entry[kind] for entry in taken),
                  kilobytes=tuple(map(reconcile_report.kilobytes, taken)),
                  requests=tuple(map(reconcile_report.request_count, taken)))

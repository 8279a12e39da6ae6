"""What the plots show: pure functions of the stored numbers. drawing.py draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from . import load_report, report
from .report import megabytes

Stored = Mapping[str, Any]

SERIES = ("lvmd", "TopoLVM's lvmd", "floor")


@dataclass(frozen=True)
class Bars:
    """One panel: for each call a bar of each of SERIES, in milliseconds."""

    volumes: int
    title: str
    calls: tuple[str, ...]
    heights: tuple[tuple[float, ...], ...]
    """For each of SERIES, one number for each call."""


@dataclass(frozen=True)
class Creates:
    """Volumes made one after the other: the milliseconds of each, and means of a hundred."""

    numbers: tuple[int, ...]
    milliseconds: tuple[float, ...]
    mean_numbers: tuple[float, ...]
    means: tuple[float, ...]
    ratio: float


@dataclass(frozen=True)
class Memory:
    """In MB (of 1,000,000 bytes) after so many calls."""

    volumes: int
    calls: tuple[int, ...]
    private_dirty: tuple[float, ...]
    pss: tuple[float, ...]


def bars(peer: Stored) -> list[Bars]:
    """Two panels for each number of volumes: the changes and the reads."""
    panels = []
    for volumes in sorted({entry["volumes"] for entry in peer["calls"]}):
        entries = {entry["call"]: entry for entry in peer["calls"] if entry["volumes"] == volumes}
        for title, calls in (("changes", report.CHANGES), ("reads", report.READS)):
            heights = tuple(tuple(entries[call][key] for call in calls)
                            for key in ("ours_p50_ms", "peer_p50_ms", "floor_p50_ms"))
            panels.append(Bars(volumes, title, calls, heights))
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

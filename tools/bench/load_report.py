"""The content of load.json and its table: pure functions of the measured values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from .report import megabytes, milliseconds
from .stage import Memory

PARALLEL = "two groups in parallel"
CREATES = "a thousand creates"
PRIVATE = "private memory at 1,010 volumes"
CALLS = "memory after 10,000 calls"
IDLE = "idle"
SUSTAINED = "sustained changes"
FIGURES = (PARALLEL, SUSTAINED, CREATES, PRIVATE, CALLS, IDLE)


def parallel(ours: Sequence[tuple[int, float]],
             library: Sequence[tuple[int, float]]) -> dict[str, float]:
    """From pairs of (number of groups written at the same time, milliseconds until all had the same
    number of new volumes), for lvmd and for the LVM library alone: the factor by which two groups
    get more volumes than one in the same time."""

    def times(taken: Sequence[tuple[int, float]]) -> tuple[float, float, float]:
        one = mean(time for groups, time in taken if groups == 1)
        two = mean(time for groups, time in taken if groups == 2)
        return round(one, 1), round(two, 1), round(2 * one / two, 3)

    one, two, ratio = times(ours)
    return {"one_ms": one, "two_ms": two, "ratio": ratio, "library_ratio": times(library)[2]}


def sustained(ours: Sequence[tuple[int, float]],
              library: Sequence[tuple[int, float]]) -> dict[str, float]:
    """From pairs of (number of changes, seconds until all their files were written), for lvmd and
    for the LVM library alone: the changes in a second."""

    def rate(taken: Sequence[tuple[int, float]]) -> float:
        return sum(changes for changes, _ in taken) / sum(seconds for _, seconds in taken)

    return {"changes": sum(changes for changes, _ in ours), "per_second": round(rate(ours), 2),
            "library_per_second": round(rate(library), 2),
            "ratio": round(rate(ours) / rate(library), 3)}


def creates(times: Sequence[float]) -> dict[str, Any]:
    """From the milliseconds of volumes that were created one after another."""
    first, last = mean(times[:100]), mean(times[-100:])
    return {"first_hundred_ms": round(first, 1), "last_hundred_ms": round(last, 1),
            "ratio": round(last / first, 3), "ms": list(times)}


def memory(volumes: int, calls: int, samples: Sequence[Memory]) -> dict[str, Any]:
    """From the memory before and after each block of calls. If memory grows with every call, it is
    larger in the second half than it ever was in the first."""
    dirty = [sample.private_dirty_kb for sample in samples]
    half = len(samples) // 2 + 1
    return {
        PRIVATE: {"volumes": volumes, "private_dirty_kb": dirty[0], "pss_kb": samples[0].pss_kb},
        CALLS: {"calls": [calls * number for number in range(len(samples))],
                "private_dirty_kb": dirty, "pss_kb": [sample.pss_kb for sample in samples],
                "largest_kb": max(dirty),
                "growth": round(max(dirty[half:]) / max(dirty[:half]) - 1, 4)},
    }


def rows(stored: Mapping[str, Any]) -> list[list[str]]:
    """A heading, and a line for each measured figure."""
    told = {
        PARALLEL: lambda two: f"{two['ratio']:.2f} times one (the LVM library alone: "
                              f"{two['library_ratio']:.2f})",
        SUSTAINED: lambda made: f"{made['per_second']:.1f} changes a second with all backups and "
                                f"archives (the LVM library alone: {made['library_per_second']:.1f})",
        CREATES: lambda made: f"first hundred {milliseconds(made['first_hundred_ms'])} ms, last "
                              f"hundred {milliseconds(made['last_hundred_ms'])} ms: "
                              f"{made['ratio']:.2f} times",
        PRIVATE: lambda memory: f"{megabytes(memory['private_dirty_kb']):.1f} MB private dirty, "
                                f"{megabytes(memory['pss_kb']):.1f} MB PSS",
        CALLS: lambda memory: f"{megabytes(memory['private_dirty_kb'][-1]):.1f} MB private dirty, "
                              f"second half {memory['growth'] * 100:+.1f} %",
        IDLE: lambda idle: f"{idle['forks']} forks, {'some' if idle['lvm_commands'] else 'no'} LVM "
                           f"command, {idle['processor_percent']:.3f} % of a processor",
    }
    return [["", "measured"]] + [[name, told[name](stored[name])] for name in FIGURES
                                 if name in stored]

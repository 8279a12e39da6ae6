"""The content of reconcile.json and its table: pure functions of the measured values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from statistics import mean, median
from typing import Any

from .api_requests import writes
from .byte_relay import Traffic
from .create_calls import CreateCall, busy_milliseconds
from .report import figure_rows, megabytes, milliseconds
from .samples import BenchError

Stored = Mapping[str, Any]

LATENCY = "volumeID after CreateLV"
AT_ONCE = "a hundred CRs at once"
STARTS = "bytes and requests at start"
IDLE = "idle at 10,000 CRs"
MEMORY = "memory at 10,000 CRs"
RESTART = "restart with 1,000 CRs"
FIGURES = (LATENCY, AT_ONCE, STARTS, IDLE, MEMORY, RESTART)

# A new CR needs two: finalizer with label, and status.
_NEEDED_WRITES = 2


def latency(totals: Sequence[float], calls: Sequence[CreateCall]) -> dict[str, Any]:
    """From the milliseconds between each CR's creation and its volumeID, and the CreateLV of
    each."""
    own = [call.milliseconds for call in calls]
    more = [total - create for total, create in zip(totals, own, strict=True)]
    return {"median_ms": _rounded(median(more)), "p99_ms": _rounded(percentile(more, 99)),
            "median_create_ms": _rounded(median(own)), "ms": [_rounded(each) for each in more],
            "create_ms": [_rounded(each) for each in own]}


def at_once(total: float, calls: Sequence[CreateCall], alone: Sequence[float]) -> dict[str, Any]:
    """From the milliseconds until the last of the CRs had its volumeID. They are compared with the
    smaller of two sums: that of these CreateLVs without their waiting for each other, and that of
    as many similar ones that ran alone (`alone`)."""
    busy = busy_milliseconds(calls)
    like_alone = mean(alone) * len(calls)
    return {"count": len(calls), "total_ms": _rounded(total), "busy_ms": _rounded(busy),
            "alone_ms": _rounded(like_alone), "ratio": round(total / min(busy, like_alone), 3)}


def start(own: int, foreign: int, requests: Mapping[str, int],
          traffic: Traffic) -> dict[str, Any]:
    """One start of the reconciler, until it is idle."""
    return {"own": own, "foreign": foreign, "requests": dict(requests),
            "sent_bytes": traffic.sent, "received_bytes": traffic.received}


def starts(taken: Sequence[Stored]) -> dict[str, Any]:
    """All starts, and the factor between the start with the most foreign CRs and the one with none
    and the same number of own CRs. Raises BenchError if there is no such pair."""
    most = max(entry["foreign"] for entry in taken)
    own = min(entry["own"] for entry in taken if entry["foreign"] == most)
    by_foreign = {entry["foreign"]: entry for entry in taken if entry["own"] == own}
    if 0 not in by_foreign:
        raise BenchError(f"no start with {own} own CRs and none of other nodes to compare with")
    none, many = by_foreign[0], by_foreign[most]
    return {"own": own, "foreign": most, "starts": list(taken),
            "bytes_ratio": round(_bytes(many) / _bytes(none), 4),
            "requests_ratio": round(request_count(many) / request_count(none), 4)}


def idle(own: int, foreign: int, seconds: int, requests: Mapping[str, int],
         traffic: Traffic) -> dict[str, Any]:
    return {"own": own, "foreign": foreign, "seconds": seconds, "requests": dict(requests),
            "connections": traffic.connections, "sent_bytes": traffic.sent,
            "received_bytes": traffic.received}


def memory(own: int, foreign: int, samples: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The largest of each (private dirty, RSS), in kB."""
    return {"own": own, "foreign": foreign,
            "private_dirty_kb": max(dirty for dirty, _ in samples),
            "rss_kb": max(rss for _, rss in samples)}


def restart(own: int, foreign: int, unchanged: Mapping[str, int], first_writes: Sequence[float],
            changed: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """From the requests of a start without work, and of starts with one new CR each, with the
    milliseconds from the start to its first write. Raises BenchError if the API server has counted
    fewer writes than the new CR shows."""
    redundant = writes(unchanged)
    for requests in changed:
        more = writes(requests, "logicalvolumes") - _NEEDED_WRITES
        if more < 0:
            raise BenchError("a new CR has its volume, but the API server counts too few writes: "
                             f"{dict(requests)}")
        redundant += more
    return {"own": own, "foreign": foreign, "redundant_writes": redundant,
            "first_write_ms": [_rounded(each) for each in first_writes],
            "slowest_ms": _rounded(max(first_writes)),
            "requests": [dict(requests) for requests in (unchanged, *changed)]}


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest value that this percentage of the values does not exceed."""
    return sorted(values)[ceil(len(values) * percent / 100) - 1]


def rows(stored: Stored) -> list[list[str]]:
    """As figure_rows."""
    return figure_rows(stored, _TOLD)


def kilobytes(entry: Stored) -> float:
    """The bytes of a start, in both directions, in kB of 1,000 bytes."""
    return _bytes(entry) / 1000


def request_count(entry: Stored) -> int:
    return int(sum(entry["requests"].values()))


def _told_latency(late: Stored) -> list[str]:
    return [f"median {_whole(late['median_ms'])} ms, p99 {_whole(late['p99_ms'])} ms beside "
            f"CreateLV's {_whole(late['median_create_ms'])} ms, {len(late['ms'])} CRs"]


def _told_at_once(made: Stored) -> list[str]:
    total, busy, alone = (made[key] / 1000 for key in ("total_ms", "busy_ms", "alone_ms"))
    return [f"{made['count']} CRs in {total:.1f} s: {made['ratio']:.2f} times CreateLV, which "
            f"took {busy:.1f} s, one after the other {alone:.1f} s"]


def _told_starts(found: Stored) -> list[str]:
    return [f"{kilobytes(entry):.1f} kB, {request_count(entry)} requests {_scale(entry)}"
            for entry in found["starts"]]


def _told_idle(quiet: Stored) -> list[str]:
    return [f"{request_count(quiet)} requests, {quiet['sent_bytes']} bytes sent in "
            f"{quiet['seconds']} s {_scale(quiet)}"]


def _told_memory(size: Stored) -> list[str]:
    return [f"{megabytes(size['private_dirty_kb']):.1f} MB private dirty, "
            f"{megabytes(size['rss_kb']):.1f} MB RSS {_scale(size)}"]


def _told_restart(again: Stored) -> list[str]:
    return [f"first write after {_whole(again['slowest_ms'])} ms, {again['redundant_writes']} "
            f"redundant writes {_scale(again)}"]


def _scale(entry: Stored) -> str:
    return f"with {entry['own']:,} own and {entry['foreign']:,} foreign CRs"


def _bytes(entry: Stored) -> int:
    return int(entry["sent_bytes"] + entry["received_bytes"])


def _whole(value: float) -> str:
    """A difference can be negative."""
    return milliseconds(value) if value >= 0 else f"{value:.0f}"


def _rounded(value: float) -> float:
    return round(value, 3)


_TOLD = {LATENCY: _told_latency, AT_ONCE: _told_at_once, STARTS: _told_starts, IDLE: _told_idle,
         MEMORY: _told_memory, RESTART: _told_restart}

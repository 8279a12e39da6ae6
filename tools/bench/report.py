"""The stored and the printed results of a measurement: pure functions of the times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .samples import Samples, middle, p50

READS = ("GetLVList thick", "GetLVList thin", "GetFreeBytes thick", "GetFreeBytes thin")
CHANGES = ("CreateLV thick", "CreateLV thin", "CreateLVSnapshot", "ResizeLV", "RemoveLV thick",
           "RemoveLV thin")
CALLS = CHANGES + READS
EMPTY = "empty RPC"
SAME_BYTES = "GetLVList from memory"
"""A server that answers with the bytes of `GetLVList thick`, and does nothing else."""
MEMORY = "memory (PSS, MB)"


def floor_of(call: str) -> str:
    """The lower limit of the call: for a change, the same change with the LVM library alone; for a
    read, which needs no LVM, a call that does nothing."""
    return EMPTY if call in READS else call


def megabytes(kb: float) -> float:
    """For values that the kernel counts in kB of 1024 bytes."""
    return kb * 1024 / 1e6


@dataclass(frozen=True)
class Round:
    """All times with one number of volumes in the group, and the memory of both daemons."""

    volumes: int
    ours: Samples
    peer: Samples
    floor: Samples
    ours_kb: int
    peer_kb: int


def floor_report(rounds: Sequence[tuple[int, Samples]]) -> dict[str, Any]:
    """The content of floor.json. Raises BenchError if a floor is missing."""
    return {
        "floors": [
            {"call": call, "volumes": volumes, "p50_ms": _rounded(p50(floor, call)),
             "min_ms": _rounded(min(floor[call])), "max_ms": _rounded(max(floor[call]))}
            for volumes, floor in rounds
            for call in _floors(floor)
        ]
    }


def peer_report(rounds: Sequence[Round]) -> dict[str, Any]:
    """The content of peer-VOLUMES.json, without the description of the run.

    A ratio is the factor by which lvmd is faster. `middle`: the range of the times without the
    lowest tenth and the highest tenth. Raises BenchError if a call has no times.
    """
    return {
        "calls": [_entry(taken, call) for taken in rounds for call in CALLS],
        "same_bytes": [{"volumes": taken.volumes, "p50_ms": _rounded(p50(taken.floor, SAME_BYTES))}
                       for taken in rounds],
        "memory": [{"volumes": taken.volumes, "ours_pss_kb": taken.ours_kb,
                    "peer_pss_kb": taken.peer_kb} for taken in rounds],
    }


def _entry(taken: Round, call: str) -> dict[str, Any]:
    ours, peer = p50(taken.ours, call), p50(taken.peer, call)
    return {
        "call": call,
        "volumes": taken.volumes,
        "ours_calls": len(taken.ours[call]),
        "peer_calls": len(taken.peer[call]),
        "ours_p50_ms": _rounded(ours),
        "peer_p50_ms": _rounded(peer),
        "floor_p50_ms": _rounded(p50(taken.floor, floor_of(call))),
        "ours_middle_ms": _middle(taken.ours[call]),
        "peer_middle_ms": _middle(taken.peer[call]),
        "floor_middle_ms": _middle(taken.floor[floor_of(call)]),
        "ratio": round(peer / ours, 2),
    }


def _floors(floor: Samples) -> tuple[str, ...]:
    """The floors that `./dev bench floor` measures, and those that a run beside lvmd adds."""
    return (*CHANGES, EMPTY, *(call for call in (SAME_BYTES,) if call in floor))


def floor_table(floor: Samples, volumes: int) -> str:
    rows = [["", "p50", "min", "max", "calls"]]
    for call in _floors(floor):
        times = floor[call]
        rows.append([call, milliseconds(p50(floor, call)), milliseconds(min(times)),
                     milliseconds(max(times)), str(len(times))])
    title = (f"floor, in ms: one lvm2_run in a warm process, one RPC that does nothing "
             f"({volumes} volumes)")
    return table(title, rows)


def peer_table(taken: Round) -> str:
    rows = [["", "ours", "min–max", "calls", "peer", "min–max", "calls", "peer ÷ ours", "floor"]]
    for call in CALLS:
        entry = _entry(taken, call)
        rows.append([call, milliseconds(entry["ours_p50_ms"]), _range(taken.ours[call]),
                     str(entry["ours_calls"]), milliseconds(entry["peer_p50_ms"]),
                     _range(taken.peer[call]), str(entry["peer_calls"]),
                     f"{entry['ratio']:.2f}", milliseconds(entry["floor_p50_ms"])])
    same_bytes = taken.floor[SAME_BYTES]
    rows.append([SAME_BYTES, milliseconds(p50(taken.floor, SAME_BYTES)), _range(same_bytes),
                 str(len(same_bytes)), "", "", "", "", ""])
    rows.append([MEMORY, f"{megabytes(taken.ours_kb):.1f}", "", "",
                 f"{megabytes(taken.peer_kb):.1f}", "", "",
                 f"{taken.peer_kb / taken.ours_kb:.2f}", ""])
    title = f"lvmd and TopoLVM's lvmd, p50 in ms ({taken.volumes} volumes, one client)"
    return table(title, rows)


def figure_rows(stored: Mapping[str, Any],
                told: Mapping[str, Callable[[Any], list[str]]]) -> list[list[str]]:
    """A heading, and the lines of each measured figure, in the order of `told`. The figure's name is
    in its first line."""
    found = [["", "measured"]]
    for name, lines_of in told.items():
        if name in stored:
            first, *others = lines_of(stored[name])
            found += [[name, first], *(["", other] for other in others)]
    return found


def table(title: str, rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [title]
    for name, *cells in rows:
        aligned = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join(["", name.ljust(widths[0]), *aligned]).rstrip())
    return "\n".join(lines)


def milliseconds(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}"


def between(low: float, high: float) -> str:
    return f"{milliseconds(low)}–{milliseconds(high)}"


def _range(times: list[float]) -> str:
    return between(min(times), max(times))


def _middle(times: list[float]) -> list[float]:
    return [_rounded(time) for time in middle(times)]


def _rounded(value: float) -> float:
    return round(value, 3)

"""What is stored and printed of a measurement: pure functions of the times."""

from __future__ import annotations

from typing import Any

from .samples import Samples, p50

READS = ("GetLVList thick", "GetLVList thin", "GetFreeBytes thick", "GetFreeBytes thin")
CHANGES = ("CreateLV thick", "CreateLV thin", "CreateLVSnapshot", "ResizeLV", "RemoveLV")
CALLS = CHANGES + READS
EMPTY = "empty RPC"


def floor_of(call: str) -> str:
    """What the call can't be faster than: the same change by the LVM library alone; for a read,
    which needs no LVM, a call that does nothing."""
    return EMPTY if call in READS else call


def floor_report(floor: Samples, volumes: int) -> dict[str, Any]:
    """The content of floor.json. Raises BenchError when a floor is missing."""
    return {
        "floors": [
            {"call": call, "volumes": volumes, "p50_ms": _rounded(p50(floor, call)),
             "min_ms": _rounded(min(floor[call])), "max_ms": _rounded(max(floor[call]))}
            for call in (*CHANGES, EMPTY)
        ]
    }


def peer_report(ours: Samples, peer: Samples, floor: Samples, volumes: int,
                memory_kb: dict[str, int]) -> dict[str, Any]:
    """The content of peer.json; `memory_kb` has the keys `ours` and `peer`.

    A ratio says how many times faster ours is. Raises BenchError when a call has no times.
    """
    calls = []
    for call in CALLS:
        ours_p50, peer_p50 = p50(ours, call), p50(peer, call)
        calls.append({
            "call": call,
            "volumes": volumes,
            "ours_p50_ms": _rounded(ours_p50),
            "peer_p50_ms": _rounded(peer_p50),
            "floor_p50_ms": _rounded(p50(floor, floor_of(call))),
            "ratio": round(peer_p50 / ours_p50, 2),
        })
    memory = {"ours_pss_kb": memory_kb["ours"], "peer_pss_kb": memory_kb["peer"]}
    return {"calls": calls, "memory": memory}


def floor_table(floor: Samples, volumes: int) -> str:
    rows = [["", "p50", "min", "max"]]
    for call in (*CHANGES, EMPTY):
        times = floor[call]
        rows.append([call, _ms(p50(floor, call)), _ms(min(times)), _ms(max(times))])
    title = (f"floor, in ms: one lvm2_run in a warm process, one RPC that does nothing "
             f"({volumes} volumes, {_count(floor)} calls each)")
    return _table(title, rows)


def peer_table(report: dict[str, Any], ours: Samples, peer: Samples) -> str:
    rows = [["", "ours", "min–max", "peer", "min–max", "peer ÷ ours", "floor"]]
    for entry in report["calls"]:
        call = entry["call"]
        rows.append([call, _ms(entry["ours_p50_ms"]), _range(ours[call]),
                     _ms(entry["peer_p50_ms"]), _range(peer[call]),
                     f"{entry['ratio']:.2f}", _ms(entry["floor_p50_ms"])])
    memory = report["memory"]
    ours_kb, peer_kb = memory["ours_pss_kb"], memory["peer_pss_kb"]
    rows.append(["memory (PSS, MB)", f"{ours_kb / 1000:.1f}", "", f"{peer_kb / 1000:.1f}", "",
                 f"{peer_kb / ours_kb:.2f}", ""])
    volumes = report["calls"][0]["volumes"]
    title = (f"lvmd and TopoLVM's lvmd, p50 in ms "
             f"({volumes} volumes, {_count(ours)} calls each, one client)")
    return _table(title, rows)


def _table(title: str, rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [title]
    for name, *cells in rows:
        aligned = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join(["", name.ljust(widths[0]), *aligned]).rstrip())
    return "\n".join(lines)


def _count(samples: Samples) -> int:
    return min(len(times) for times in samples.values())


def _range(times: list[float]) -> str:
    return f"{_ms(min(times))}–{_ms(max(times))}"


def _ms(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}"


def _rounded(value: float) -> float:
    return round(value, 3)

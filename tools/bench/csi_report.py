"""The content of csi.json and its table: pure functions of the measured values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from .reconcile_report import percentile
from .report import figure_rows, megabytes, milliseconds
from .stage import Memory

Stored = Mapping[str, Any]

CREATE = "CreateVolume"
DELETE = "DeleteVolume"
MOUNT = "stage and publish"
CLAIM = "claim to running pod"
AT_ONCE = "50 claims at once"
MEMORY = "memory on a node"
IDLE = "idle driver"
FIGURES = (CREATE, DELETE, MOUNT, CLAIM, AT_ONCE, MEMORY, IDLE)

BEGIN, MADE, READY, BOUND, SCHEDULED, STAGED, PUBLISHED, RUNNING = (
    "begin", "LogicalVolume", "volume", "bound", "scheduled", "staged", "published", "running")
MOMENTS = (BEGIN, MADE, READY, BOUND, SCHEDULED, STAGED, PUBLISHED, RUNNING)
"""From the creation of a claim with its pod to the pod's start, in order."""
PROGRAMS = ("csi-controller", "lvmd-reconciler")
"""Those of lvmd's driver that use the API, by their user agents."""
_PARTS = {MADE: "claim to LogicalVolume", READY: "LogicalVolume to volume",
          BOUND: "volume to bound claim", SCHEDULED: "bound claim to scheduled pod",
          STAGED: "scheduled pod to staged volume", PUBLISHED: "staged to published volume",
          RUNNING: "published volume to running pod"}
REGISTRAR = "driver-registrar.service"
"""Stands for node-driver-registrar. lvmd registers itself."""
_CALLS = ("NodeStageVolume", "NodePublishVolume")


@dataclass
class Taken:
    """What has been measured of a driver. Times without a unit are in milliseconds."""

    creates: list[float] = field(default_factory=list)
    deletes: list[float] = field(default_factory=list)
    create_lvs: list[float] = field(default_factory=list)
    """The CreateLV of each of `creates`."""
    mounts: list[dict[str, float]] = field(default_factory=list)
    """The calls for one volume, by their names."""
    by_hand: list[float] = field(default_factory=list)
    """mkfs and mount, as often as `mounts`."""
    claims: list[dict[str, float]] = field(default_factory=list)
    """The parts of each."""
    at_once: list[tuple[int, float, float]] = field(default_factory=list)
    """The number of claims, and the seconds until all were bound, and until all were gone."""
    memory: list[dict[str, Memory]] = field(default_factory=list)
    """That of each unit, after the work of each turn."""
    idle: tuple[int, Mapping[str, Mapping[str, int]]] | None = None
    """The seconds, and the requests of each program in them."""


def parts(moments: Mapping[str, float]) -> dict[str, float]:
    """The milliseconds before each moment since the one before, from the moments in seconds. Those
    of staged and published come from another clock, so a short part can be negative."""
    return {after: _rounded((moments[after] - moments[before]) * 1000)
            for before, after in zip(MOMENTS, MOMENTS[1:])}


def content(ours: Taken, peer: Taken) -> dict[str, Any]:
    """The content of csi.json, without the description of the run."""
    found = {CREATE: _create(ours, peer), DELETE: _times(ours.deletes, peer.deletes),
             MOUNT: _mount(ours, peer), CLAIM: _claim(ours, peer),
             AT_ONCE: {"ours": _at_once(ours), "peer": _at_once(peer)},
             MEMORY: _memory(ours, peer)}
    if ours.idle is not None:
        seconds, requests = ours.idle
        found[IDLE] = {"seconds": seconds, "requests": {
            program: dict(each) for program, each in requests.items()}}
    return found


def _times(ours: Sequence[float], peer: Sequence[float]) -> dict[str, Any]:
    """A ratio is the factor by which lvmd is faster."""
    return {"ours_median_ms": _rounded(median(ours)), "peer_median_ms": _rounded(median(peer)),
            "ratio": round(median(peer) / median(ours), 3),
            "ours_ms": _all_rounded(ours), "peer_ms": _all_rounded(peer)}


def _create(ours: Taken, peer: Taken) -> dict[str, Any]:
    own, creates = median(ours.create_lvs), ours.creates
    return {**_times(creates, peer.creates), "create_lv_median_ms": _rounded(own),
            "more_median_ms": _rounded(median(creates) - own),
            "more_p99_ms": _rounded(percentile(creates, 99) - own),
            "create_lv_ms": _all_rounded(ours.create_lvs)}


def _mount(ours: Taken, peer: Taken) -> dict[str, Any]:
    both = [sum(each[call] for call in _CALLS) for each in ours.mounts]
    by_hand = median(ours.by_hand)
    calls = {name: _rounded(median(each[name] for each in ours.mounts)) for name in ours.mounts[0]}
    return {"ours_median_ms": _rounded(median(both)), "by_hand_median_ms": _rounded(by_hand),
            "ratio": round(median(both) / by_hand, 3), "ours_calls_ms": calls,
            "peer_publish_median_ms": _rounded(
                median(each["NodePublishVolume"] for each in peer.mounts)),
            "ours_ms": _all_rounded(both), "by_hand_ms": _all_rounded(ours.by_hand),
            "peer_publish_ms": _all_rounded([each["NodePublishVolume"] for each in peer.mounts])}


def _claim(ours: Taken, peer: Taken) -> dict[str, Any]:
    figures = {name: _parts_of(taken.claims) for name, taken in (("ours", ours), ("peer", peer))}
    return {**figures, "ratio": round(figures["peer"]["median_ms"]
                                      / figures["ours"]["median_ms"], 3)}


def _parts_of(claims: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Means of the parts, because they add up to the mean of the whole."""
    totals = [sum(each.values()) for each in claims]
    return {"median_ms": _rounded(median(totals)), "mean_ms": _rounded(mean(totals)),
            "parts_ms": {part: _rounded(mean(each[part] for each in claims))
                         for part in claims[0]},
            "ms": _all_rounded(totals)}


def _at_once(taken: Taken) -> dict[str, Any]:
    """The first one."""
    count, bound, gone = taken.at_once[0]
    return {"count": count, "bound_s": round(bound, 2), "gone_s": round(gone, 2)}


def _memory(ours: Taken, peer: Taken) -> dict[str, Any]:
    """The PSS of each unit, the larger one of the turns."""
    units = {name: {unit: max(turn[unit].pss_kb for turn in taken.memory)
                    for unit in taken.memory[0]}
             for name, taken in (("ours", ours), ("peer", peer))}
    return {"ours_kb": sum(units["ours"].values()),
            "peer_kb": sum(kb for unit, kb in units["peer"].items() if unit != REGISTRAR),
            "units_kb": units}


def idle_requests(figure: Stored, program: str) -> int:
    return int(sum(figure["requests"][program].values()))


def rows(stored: Stored) -> list[list[str]]:
    """As figure_rows."""
    return figure_rows(stored, _TOLD)


def _told_create(made: Stored) -> list[str]:
    return [f"median {milliseconds(made['ours_median_ms'])} ms beside CreateLV's "
            f"{milliseconds(made['create_lv_median_ms'])} ms, {len(made['ours_ms'])} calls; "
            f"{_of_peer(made)}"]


def _told_delete(removed: Stored) -> list[str]:
    return [f"median {milliseconds(removed['ours_median_ms'])} ms; {_of_peer(removed)}"]


def _of_peer(figure: Stored) -> str:
    return (f"TopoLVM {milliseconds(figure['peer_median_ms'])} ms ({len(figure['peer_ms'])} calls): "
            f"{figure['ratio']:.2f} times as fast")


def _told_mount(mount: Stored) -> list[str]:
    calls = ", ".join(f"{name} {milliseconds(ms)} ms" for name, ms in mount["ours_calls_ms"].items())
    return [f"median {milliseconds(mount['ours_median_ms'])} ms, by hand "
            f"{milliseconds(mount['by_hand_median_ms'])} ms: {mount['ratio']:.2f} times "
            f"({len(mount['ours_ms'])} volumes)",
            calls,
            f"TopoLVM's NodePublishVolume {milliseconds(mount['peer_publish_median_ms'])} ms"]


def _told_claim(claim: Stored) -> list[str]:
    lines = [f"median {claim['ours']['median_ms'] / 1000:.2f} s, TopoLVM "
             f"{claim['peer']['median_ms'] / 1000:.2f} s: {claim['ratio']:.2f} times as fast "
             f"({len(claim['ours']['ms'])} pods of each)"]
    for part, label in _PARTS.items():
        each = ", ".join(f"{name} {_share(figure, part)}"
                         for name, figure in (("lvmd", claim["ours"]), ("TopoLVM", claim["peer"])))
        lines.append(f"{label}: {each}")
    return lines


def _share(figure: Stored, part: str) -> str:
    spent = figure["parts_ms"][part]
    return f"{spent:.0f} ms ({spent / figure['mean_ms'] * 100:.0f} %)"


def _told_at_once(figure: Stored) -> list[str]:
    return [f"{label}: {each['count']} claims bound after {each['bound_s']:.1f} s, gone after "
            f"{each['gone_s']:.1f} s"
            for label, each in (("lvmd", figure["ours"]), ("TopoLVM", figure["peer"]))]


def _told_memory(size: Stored) -> list[str]:
    lines = []
    for label, key in (("lvmd", "ours"), ("TopoLVM", "peer")):
        units = ", ".join(f"{unit.removesuffix('.service')} {megabytes(kb):.1f}"
                          for unit, kb in size["units_kb"][key].items() if unit != REGISTRAR)
        lines.append(f"{label}: {megabytes(size[f'{key}_kb']):.1f} MB ({units})")
    registrar = size["units_kb"]["peer"][REGISTRAR]
    return [*lines, f"the registrar beside TopoLVM's node: {megabytes(registrar):.1f} MB"]


def _told_idle(idle: Stored) -> list[str]:
    counts = ", ".join(f"{program} {idle_requests(idle, program)}" for program in idle["requests"])
    return [f"requests in {idle['seconds']} s: {counts}"]


def _all_rounded(values: Sequence[float]) -> list[float]:
    return [_rounded(each) for each in values]


def _rounded(value: float) -> float:
    return round(value, 3)


_TOLD = {CREATE: _told_create, DELETE: _told_delete, MOUNT: _told_mount, CLAIM: _told_claim,
         AT_ONCE: _told_at_once, MEMORY: _told_memory, IDLE: _told_idle}

"""Numbers that no machine has measured, in the shapes of peer.json and load.json, for the cases of
judgement, plots and document."""

from __future__ import annotations

from typing import Any

from . import load_report, report
from .stage import Memory

RUN = {"command": "./dev bench peer --calls 2", "date": "2026-01-02", "virtualisation": "KVM",
       "processors": 2, "minutes": 17.4}


def peer_json() -> dict[str, Any]:
    """Every target is met, at 12 and at 1,010 volumes."""
    rounds = []
    for volumes in (12, 1010):
        ours = {call: [100.0] for call in report.CHANGES} | {call: [1.0] for call in report.READS}
        peer = {call: [1000.0] for call in report.CALLS}
        floor = {call: [100.0] for call in report.CHANGES}
        rounds.append(report.Round(
            volumes=volumes, ours=ours, peer=peer,
            floor=floor | {report.EMPTY: [0.5], report.SAME_BYTES: [0.8]},
            ours_kb=30_000, peer_kb=40_000))
    return {"run": RUN, **report.peer_report(rounds)}


def load_json() -> dict[str, Any]:
    """Every target is met."""
    return {
        "run": RUN,
        load_report.PARALLEL: load_report.parallel([(1, 100.0), (2, 120.0)]),
        load_report.CREATES: load_report.creates([10.0] * 900 + [20.0] * 100),
        load_report.IDLE: {"volumes": 100, "seconds": 600, "forks": 0, "lvm_commands": False,
                           "processor_percent": 0.05},
        **load_report.memory(1010, 1000, [Memory(30_000, 15_000)] * 11),
    }

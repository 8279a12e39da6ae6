"""Invented numbers as `stored.read` returns them, for the cases of judgement, plots and
document."""

from __future__ import annotations

from typing import Any

from . import csi_report, load_report, reconcile_report, report, transfer_report
from .byte_relay import Traffic
from .create_calls import CreateCall
from .stage import Memory

RUN = {"command": "./dev bench peer --calls 2", "date": "2026-01-02", "virtualisation": "KVM",
       "processors": 2, "minutes": 17.4}


def peer_json() -> dict[str, Any]:
    """All goals are met, with 12, with 1,010 and with 10,000 volumes."""
    rounds = []
    for volumes in (12, 1010, 10_000):
        ours = {call: [60.0] for call in report.CHANGES} | {call: [0.6] for call in report.READS}
        peer = {call: [1000.0] for call in report.CALLS}
        floor = {call: [100.0] for call in report.CHANGES}
        rounds.append(report.Round(
            volumes=volumes, ours=ours, peer=peer,
            floor=floor | {report.EMPTY: [0.5], report.SAME_BYTES: [0.4]},
            ours_kb=30_000, peer_kb=40_000))
    return {"runs": [RUN], **report.peer_report(rounds)}


def load_json() -> dict[str, Any]:
    """All goals are met."""
    return {
        "runs": [RUN],
        load_report.PARALLEL: load_report.parallel([(1, 100.0), (2, 120.0)], [(1, 9.0), (2, 9.9)]),
        load_report.SUSTAINED: load_report.sustained([(70, 10.0)] * 2, [(70, 10.0)] * 2),
        load_report.CREATES: load_report.creates([10.0] * 900 + [20.0] * 100),
        load_report.IDLE: {"volumes": 100, "seconds": 600, "forks": 0, "lvm_commands": False,
                           "processor_percent": 0.05},
        **load_report.memory(1010, 1000, [Memory(30_000, 15_000)] * 11),
    }


def reconcile_json() -> dict[str, Any]:
    """All goals are met. Each CreateLV takes 20 ms, one directly after another."""
    calls = [CreateCall(begin=20_000 * number, end=20_000 * (number + 1)) for number in range(100)]
    starts = [start(0, 0), *(start(100, foreign) for foreign in (0, 2500, 5000, 10_000)),
              start(1000, 10_000)]
    return {
        "runs": [RUN],
        reconcile_report.LATENCY: reconcile_report.latency([60.0] * 100, calls),
        reconcile_report.AT_ONCE: reconcile_report.at_once(2060, calls, [20.0] * 100),
        reconcile_report.STARTS: reconcile_report.starts(starts),
        reconcile_report.IDLE: reconcile_report.idle(100, 10_000, 60, {}, Traffic(received=700)),
        reconcile_report.MEMORY: reconcile_report.memory(100, 10_000, [(6000, 25_000)]),
        reconcile_report.RESTART: reconcile_report.restart(
            1000, 10_000, {"LIST logicalvolumes": 3}, [900.0, 1100.0],
            [{"PATCH logicalvolumes": 1, "PATCH logicalvolumes/status": 1, "POST events": 1}] * 2),
    }


def csi_json() -> dict[str, Any]:
    """All goals are met."""
    ours = csi_report.Taken(
        creates=[380.0] * 100, deletes=[250.0] * 100, create_lvs=[300.0] * 100,
        mounts=[{"NodeStageVolume": 200.0, "NodePublishVolume": 20.0, "NodeUnpublishVolume": 10.0,
                 "NodeUnstageVolume": 30.0}] * 20,
        by_hand=[200.0] * 20, claims=[csi_report.parts(moments(0.5))] * 10,
        at_once=[(50, 20.0, 18.0)],
        memory=[{"lvmd.service": Memory(30_000, 9000), "e2e-reconciler.service": Memory(9000, 4000)}],
        idle=(180, {program: {} for program in csi_report.PROGRAMS}))
    peer = csi_report.Taken(
        creates=[1900.0] * 20, deletes=[1000.0] * 20, mounts=[{"NodePublishVolume": 400.0}] * 20,
        claims=[csi_report.parts(moments(1.0))] * 10, at_once=[(50, 70.0, 50.0)],
        memory=[{"topolvm-lvmd.service": Memory(35_000, 9000),
                 "topolvm-node.service": Memory(50_000, 9000),
                 csi_report.REGISTRAR: Memory(10_000, 5000)}])
    return {"runs": [RUN], **csi_report.content(ours, peer)}


def moments(seconds: float) -> dict[str, float]:
    """This time between each and the next."""
    return {name: seconds * number for number, name in enumerate(csi_report.MOMENTS)}


def transfer_json() -> dict[str, Any]:
    """All goals are met."""
    seconds = {step: {transfer_report.OURS: [11.0, 90.0, 11.0],
                      transfer_report.PLAIN: [10.0, 9.0, 12.0]}
               for step in (transfer_report.BACKUP, transfer_report.RESTORE)}
    seconds[transfer_report.AGAIN] = {transfer_report.OURS: [1.1, 2.2, 1.0],
                                      transfer_report.PLAIN: [1.0, 1.0, 1.0]}
    return {
        "runs": [RUN],
        transfer_report.MANY: transfer_report.of_kind(1_000_000_000, 10_000, seconds),
        transfer_report.ONE: transfer_report.of_kind(1_000_000_000, 1, seconds),
        transfer_report.MEMORY: transfer_report.memory(Memory(30_000, 15_000),
                                                       Memory(31_000, 16_000)),
    }


def start(own: int, foreign: int) -> dict[str, Any]:
    """A page of 500 objects is one request."""
    pages = 2 + own // 500
    return reconcile_report.start(own, foreign, {"LIST logicalvolumes": pages, "GET nodes": 1},
                                  Traffic(5, 10_000, 20_000 + 1000 * own))

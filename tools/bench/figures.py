"""The names of the figures that each bench prints and stores. Documents use these names."""

from __future__ import annotations

from . import csi_report, load_report, reconcile_report, report, transfer_report

FIGURES = {
    "load": load_report.FIGURES,
    "reconcile": reconcile_report.FIGURES,
    "csi": csi_report.FIGURES,
    "transfer": transfer_report.FIGURES,
    "floor": (*report.CHANGES, report.EMPTY),
    "peer": (*report.CALLS, report.SAME_BYTES, report.MEMORY),
    "peer --volumes 1010": (*report.CALLS, report.SAME_BYTES, report.MEMORY),
    "peer --volumes 10000": (*report.CALLS, report.SAME_BYTES, report.MEMORY),
}


def _of(bench: str, *figures: str) -> tuple[str, ...]:
    return tuple(f"{bench}: {figure}" for figure in figures)


SHOWS = {
    "P-RUN-2": ("peer: GetLVList thick", "peer: GetFreeBytes thick"),
    "E-SPEED-1": (*_of("peer", *report.CHANGES), *_of("floor", *report.CHANGES)),
    "E-SPEED-2": _of("peer --volumes 1010", *report.CHANGES),
    "E-SPEED-3": (*_of("peer", *report.READS), *_of("floor", report.EMPTY)),
    "E-SPEED-4": _of("peer", *report.CALLS),
    "E-SPEED-5": _of("peer --volumes 1010", *report.CALLS),
    "E-SPEED-6": ("load: two groups in parallel",),
    "E-SPEED-7": ("load: a thousand creates",),
    "E-SPEED-8": (
        "peer --volumes 1010: GetLVList thick", "peer --volumes 1010: GetLVList from memory",
    ),
    "E-SPEED-9": ("reconcile: volumeID after CreateLV",),
    "E-SPEED-10": ("reconcile: a hundred CRs at once",),
    "E-SPEED-11": ("reconcile: restart with 1,000 CRs",),
    "E-SPEED-12": (
        "transfer: files: 10,000 of 100 kB, backup", "transfer: files: 10,000 of 100 kB, restore",
        "transfer: files: one of 1 GB, backup", "transfer: files: one of 1 GB, restore",
    ),
    "E-SPEED-13": (
        "transfer: files: 10,000 of 100 kB, second backup",
        "transfer: files: one of 1 GB, second backup",
    ),
    "E-SPEED-14": ("csi: CreateVolume", "csi: DeleteVolume"),
    "E-SPEED-15": ("csi: stage and publish",),
    "E-SPEED-16": ("csi: claim to running pod",),
    "E-SPEED-17": ("csi: 50 claims at once",),
    "E-SPEED-18": _of("peer --volumes 10000", *report.CALLS, report.SAME_BYTES),
    "E-SPEED-19": ("load: sustained changes",),
    "E-SIZE-1": ("peer --volumes 1010: memory (PSS, MB)",),
    "E-SIZE-2": ("load: private memory at 1,010 volumes", "load: memory after 10,000 calls"),
    "E-SIZE-3": ("reconcile: memory at 10,000 CRs",),
    "E-SIZE-4": ("reconcile: bytes and requests at start",),
    "E-SIZE-5": ("transfer: lvmd's memory beside transfers",),
    "E-SIZE-6": ("csi: memory on a node",),
    "E-IDLE-1": ("load: idle",),
    "E-IDLE-2": ("reconcile: idle at 10,000 CRs",),
    "E-IDLE-3": ("csi: idle driver",),
}
"""The figures that show a rule or goal, as `NAME: FIGURE`."""

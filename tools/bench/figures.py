"""The figures that each bench prints and stores, by which documents speak of them."""

from __future__ import annotations

from . import load_report, reconcile_report, report, transfer_report

FIGURES = {
    "load": load_report.FIGURES,
    "reconcile": reconcile_report.FIGURES,
    "transfer": transfer_report.FIGURES,
    "floor": (*report.CHANGES, report.EMPTY),
    "peer": (*report.CALLS, report.SAME_BYTES, report.MEMORY),
    "peer --volumes 1010": (*report.CALLS, report.SAME_BYTES, report.MEMORY),
}

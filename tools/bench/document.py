"""Makes the tables of docs/performance.md from the stored numbers. The rest is written by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import csi_report, judgement, load_report, reconcile_report, report, transfer_report
from .report import megabytes, milliseconds
from .samples import BenchError

DOCUMENT = Path("docs/performance.md")
NUMBERS = Path("docs/measured")

Stored = Mapping[str, Any]


def filled(text: str, peer: Stored | None, load: Stored | None, reconcile: Stored | None,
           csi: Stored | None, transfer: Stored | None) -> str:
    """The document with new text between `<!-- NAME: begin -->` and `<!-- NAME: end -->`. Raises
    BenchError if a pair of marks is missing."""
    benches = (peer, load, reconcile, csi, transfer)
    blocks = {"runs": _runs(*benches), "targets": _targets(*benches), "calls": _calls(peer),
              "load": _figures("load", load_report.rows, load),
              "reconcile": _figures("reconcile", reconcile_report.rows, reconcile),
              "csi": _figures("csi", csi_report.rows, csi),
              "transfer": _figures("transfer", transfer_report.rows, transfer)}
    for name, block in blocks.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        pattern = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.DOTALL)
        if not pattern.search(text):
            raise BenchError(f"{DOCUMENT} has no '{begin}' followed by '{end}'")
        replacement = f"{begin}\n{block}\n{end}"
        text = pattern.sub(lambda match, new=replacement: new, text, count=1)
    return text


def _runs(*benches: Stored | None) -> str:
    rows = [["command", "day", "in a VM with", "took"]]
    for stored in benches:
        for run in stored["runs"] if stored else ():
            rows.append([f"`{run['command']}`", run["date"],
                         f"{run['processors']} processors, {run['virtualisation']}",
                         f"{run['minutes']:.0f} min"])
    return _table(rows) if len(rows) > 1 else "There has been no run yet."


def _targets(*benches: Stored | None) -> str:
    verdicts = judgement.judge(*benches)
    rows = [["target", "wanted", "measured", "result"]]
    rows += [[each.target, each.wanted, each.measured,
              each.outcome if each.met else f"**{each.outcome}**"] for each in verdicts]
    met = sum(each.met for each in verdicts)
    return f"{met} of {len(verdicts)} are met.\n\n{_table(rows)}"


def _calls(peer: Stored | None) -> str:
    if peer is None:
        return "`./dev bench peer` has not run yet."
    parts = []
    for volumes in sorted({entry["volumes"] for entry in peer["calls"]}):
        rows = [["call", "lvmd", "floor", "TopoLVM's lvmd", "times as fast", "calls"]]
        rows += [[entry["call"], *(_time(entry, who) for who in ("ours", "floor", "peer")),
                  f"{entry['ratio']:.1f}", f"{entry['ours_calls']}, {entry['peer_calls']}"]
                 for entry in peer["calls"] if entry["volumes"] == volumes]
        same = next(each["p50_ms"] for each in peer["same_bytes"] if each["volumes"] == volumes)
        rows.append([report.SAME_BYTES, "", milliseconds(same), "", "", ""])
        memory = next(each for each in peer["memory"] if each["volumes"] == volumes)
        rows.append([report.MEMORY, f"{megabytes(memory['ours_pss_kb']):.1f}", "",
                     f"{megabytes(memory['peer_pss_kb']):.1f}", "", ""])
        parts.append(f"{volumes:,} volumes in the group, in ms:\n\n{_table(rows)}")
    return "\n\n".join(parts)


def _time(entry: Stored, who: str) -> str:
    """The median, and the range without the lowest tenth and the highest tenth."""
    low, high = entry[f"{who}_middle_ms"]
    return f"{milliseconds(entry[f'{who}_p50_ms'])} ({report.between(low, high)})"


def _figures(bench: str, rows: Callable[[Stored], list[list[str]]], stored: Stored | None) -> str:
    if stored is None:
        return f"`./dev bench {bench}` has not run yet."
    return _table([["figure", "measured"], *rows(stored)[1:]])


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|---" * len(rows[0]) + "|")
    return "\n".join(lines)

"""Reads from the client's journal what health reported during a fault and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .layout import GROUPS
from .model import Entry
from .tally import RIGHT_AGAIN_SECONDS, Kind

_SERVING = "SERVING"
_LONGEST_SAYING = 160


@dataclass(frozen=True)
class Injection:
    """The times at which a fault began and was healed, and at which the next one began: ms since
    the epoch."""

    begin: int
    healed: int
    until: int


def judge(kind: Kind, told: bool, injections: Iterable[Injection], journal: list[Entry]) -> None:
    """Adds to `kind` what the journal's health entries contain about each injection."""
    for injection in injections:
        told_after, right_after = [], []
        for group in GROUPS:
            entries = [entry for entry in journal
                       if entry.get("event") == "health" and entry["group"] == group]
            bad = [entry for entry in entries if entry["status"] != _SERVING
                   and injection.begin <= entry["t"] < injection.until]
            for entry in bad:
                kind.said[f"{entry['status']} {entry['reason']}"[:_LONGEST_SAYING].strip()] += 1
            if bad:
                told_after.append((bad[0]["t"] - injection.begin) / 1000)
            right_after.append(_right(entries, injection))
        if told_after:
            kind.told_seconds = max(kind.told_seconds or 0.0, min(told_after))
        right = max(right_after)
        kind.right_seconds = max(kind.right_seconds or 0.0, right)
        held = (injection.healed - injection.begin) / 1000
        missed = told and held > RIGHT_AGAIN_SECONDS and (
            not told_after or min(told_after) > RIGHT_AGAIN_SECONDS)
        if missed or right > RIGHT_AGAIN_SECONDS:
            kind.late += 1


def _right(entries: list[Entry], injection: Injection) -> float:
    """The seconds from the fault's end until the last report before the next fault is SERVING."""
    status, since = _SERVING, injection.healed
    for entry in entries:
        if entry["t"] >= injection.until:
            break
        status, since = entry["status"], max(entry["t"], injection.healed)
    end = since if status == _SERVING else injection.until
    return (end - injection.healed) / 1000

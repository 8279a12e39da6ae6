"""The duration of CreateLV, from lvmd's journal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from .samples import BenchError

COMMAND = ("journalctl --sync && journalctl --boot --no-pager --quiet --output=json "
           "--output-fields=MESSAGE,LVMD_LV,LVMD_DURATION_USEC,_SOURCE_REALTIME_TIMESTAMP "
           "SYSLOG_IDENTIFIER=lvmd-server LVMD_CODE=OK")
"""Prints the input of `parse`."""

_METHOD = "CreateLV "


@dataclass(frozen=True)
class CreateCall:
    """The time from the request's arrival at lvmd to its response, in microseconds of the VM's
    clock."""

    begin: int
    end: int

    @property
    def milliseconds(self) -> float:
        return (self.end - self.begin) / 1000


def parse(text: str) -> dict[str, CreateCall]:
    """The calls that succeeded, by the volume's name."""
    calls = {}
    for line in text.splitlines():
        try:
            entry = json.loads(line)
            if not entry["MESSAGE"].startswith(_METHOD):
                continue
            # The time at which the entry was sent, not the time at which journald handled it.
            end = int(entry.get("_SOURCE_REALTIME_TIMESTAMP") or entry["__REALTIME_TIMESTAMP"])
            calls[entry["LVMD_LV"]] = CreateCall(end - int(entry["LVMD_DURATION_USEC"]), end)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BenchError(f"not an entry of lvmd's journal: {line[:300]!r}") from error
    return calls


def busy_milliseconds(calls: Iterable[CreateCall]) -> float:
    """The sum of the calls' times without the time in which one waits for another. A volume group
    has one change at a time, so the times of concurrent calls overlap."""
    total, until = 0, 0
    for call in sorted(calls, key=lambda each: each.begin):
        total += max(0, call.end - max(call.begin, until))
        until = max(until, call.end)
    return total / 1000

"""The content of transfer.json and its table: pure functions of the measured values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from .report import megabytes
from .stage import Memory


def name(size: int, files: int) -> str:
    """The name of a tree of `size` bytes in tables and messages."""
    if files > 1:
        return f"files: {files:,} of {size // files // 1000} kB"
    return f"files: one of {size / 1e9:g} GB"


# Keys of transfer.json, whatever the size, and the names of the trees whose transfers have targets.
MANY, ONE = name(1_000_000_000, 10_000), name(1_000_000_000, 1)
MEMORY = "lvmd's memory beside transfers"
FIGURES = (f"{MANY}, backup", f"{MANY}, restore", f"{MANY}, second backup", f"{ONE}, backup",
           f"{ONE}, restore", f"{ONE}, second backup", MEMORY)
KINDS = (MANY, ONE)
BACKUP, RESTORE, AGAIN = "backup", "restore", "second backup"
STEPS = (BACKUP, RESTORE, AGAIN)
OURS, PLAIN = "ours", "restic"

Seconds = Mapping[str, Mapping[str, Sequence[float]]]
"""For each of STEPS: the times of OURS and of PLAIN."""


def of_kind(size: int, files: int, seconds: Seconds) -> dict[str, Any]:
    """For one tree of `size` bytes. `ratio` is the factor by which lvmd takes longer than restic
    alone; `of_first` is lvmd's second backup relative to its first."""
    figure: dict[str, Any] = {"bytes": size, "files": files}
    for step in STEPS:
        ours, plain = median(seconds[step][OURS]), median(seconds[step][PLAIN])
        figure[step] = {"ours_s": list(seconds[step][OURS]),
                        "restic_s": list(seconds[step][PLAIN]),
                        "ours_median_s": round(ours, 2), "restic_median_s": round(plain, 2),
                        "ratio": round(ours / plain, 3)}
    first, second = (figure[step]["ours_median_s"] for step in (BACKUP, AGAIN))
    figure["of_first"] = round(second / first, 3)
    return figure


def memory(before: Memory, after: Memory) -> dict[str, int]:
    """The memory of lvmd's own processes. The movers have separate units."""
    return {"before_pss_kb": before.pss_kb, "after_pss_kb": after.pss_kb,
            "before_private_dirty_kb": before.private_dirty_kb,
            "after_private_dirty_kb": after.private_dirty_kb}


def rows(stored: Mapping[str, Any]) -> list[list[str]]:
    """A heading, and a line for each measured figure."""
    told = [["", "measured"]]
    for kind in KINDS:
        if kind in stored:
            named = name(stored[kind]["bytes"], stored[kind]["files"])
            told += [[f"{named}, {step}", _told(stored[kind], step)] for step in STEPS]
    if MEMORY in stored:
        told.append([MEMORY, _told_memory(stored[MEMORY])])
    return told


def _told(figure: Mapping[str, Any], step: str) -> str:
    each = figure[step]
    told = (f"{each['ours_median_s']:.1f} s, restic alone {each['restic_median_s']:.1f} s: "
            f"{each['ratio']:.2f} times ({len(each['ours_s'])} turns)")
    return f"{told}, {figure['of_first']:.2f} of the first" if step == AGAIN else told


def _told_memory(figure: Mapping[str, Any]) -> str:
    before, after = (f"{megabytes(figure[f'{when}_private_dirty_kb']):.1f} MB private dirty, "
                     f"{megabytes(figure[f'{when}_pss_kb']):.1f} MB PSS"
                     for when in ("before", "after"))
    return f"before: {before}; after: {after}"

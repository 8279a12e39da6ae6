"""A step: one call, made to both daemons.

Steps use the volume groups `vg_a` and `vg_b`. Each daemon has its own pair, equal except for the
names (`vg_peer_a`, `vg_ours_a`…). In responses, the names are replaced by the short ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

MIB = 1 << 20
EXTENT = 4 * MIB
SIDES = ("peer", "ours")


@dataclass(frozen=True)
class Step:
    """`before` and `after` are shell commands for each side's groups. `during` is a command that
    runs a second after the call began."""

    name: str
    method: str
    request: dict[str, Any] = field(default_factory=dict)
    before: str = ""
    during: str = ""
    after: str = ""


def for_side(text: str, side: str) -> str:
    """The text of a step, with the names of one of SIDES."""
    return re.sub(r"\bvg_(?=[abx]\b)", f"vg_{side}_", text)


def short_names(text: str) -> str:
    """The reverse: the text of a daemon or of LVM, with the short names."""
    return re.sub(r"\bvg_(?:peer|ours)_(?=[abx]\b)", "vg_", text)


def create(name: str, volume: str, size: int, device_class: str = "thick", before: str = "",
           **more: Any) -> Step:
    request = {"name": volume, "size_bytes": size, "device_class": device_class, **more}
    return Step(name, "CreateLV", request, before)


def remove(name: str, volume: str, device_class: str = "thick", before: str = "",
           after: str = "") -> Step:
    return Step(name, "RemoveLV", {"name": volume, "device_class": device_class}, before,
                after=after)


def resize(name: str, volume: str, size: int, device_class: str = "thick") -> Step:
    return Step(name, "ResizeLV",
                {"name": volume, "size_bytes": size, "device_class": device_class})


def snapshot(name: str, volume: str, source: str, access_type: str = "ro", size: int = 0,
             device_class: str = "thin", before: str = "", **more: Any) -> Step:
    request = {"name": volume, "source_volume": source, "access_type": access_type,
               "size_bytes": size, "device_class": device_class, **more}
    return Step(name, "CreateLVSnapshot", request, before)


def volumes(name: str, device_class: str = "thick", before: str = "") -> Step:
    return Step(name, "GetLVList", {"device_class": device_class}, before)


def free(name: str, device_class: str = "thick") -> Step:
    return Step(name, "GetFreeBytes", {"device_class": device_class})

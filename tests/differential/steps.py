"""What a step is: one call, made to both daemons.

Steps speak of the volume groups `vg_a` and `vg_b`; each daemon has a pair of its own, equal in all
but the names (`vg_peer_a`, `vg_ours_a`…), and answers are read back with the short names.
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
    """`before` and `after` are shell commands for each side's groups, `during` is one that runs a
    second after the call began."""

    name: str
    method: str
    request: dict[str, Any] = field(default_factory=dict)
    before: str = ""
    during: str = ""
    after: str = ""


def for_side(text: str, side: str) -> str:
    """A text of a step as it is for one of SIDES."""
    return re.sub(r"\bvg_(?=[abx]\b)", f"vg_{side}_", text)


def short_names(text: str) -> str:
    """The reverse, for what a daemon or LVM said."""
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

"""Finds the differences between two responses, and between LVM's state of both sides. Pure
functions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .intended import Difference

PRIVATE_TAGS = "lvmd.v1:"
# Two pools with the same history use almost the same amount of metadata, but not to the block.
_CLOSE_PERCENT = 1.0
_KEYS_OF_LISTS = ("name", "device_class")

Volumes = dict[str, dict[str, str]]
"""LVM's state: `vg/lv` → the properties of the volume; `vg` → the free bytes of the group."""


@dataclass(frozen=True)
class Answer:
    code: str
    message: str
    response: dict[str, Any]

    @property
    def ok(self) -> bool:
        return self.code == "OK"

    def __str__(self) -> str:
        return self.code if self.ok else f"{self.code}: {self.message}"


def answer_differences(call: str, topolvm: Answer, lvmd: Answer) -> list[Difference]:
    """Compares the codes and, if both are OK, each field of the responses. Texts of errors may
    differ."""
    if topolvm.code != lvmd.code:
        return [Difference(call, "code", str(topolvm), str(lvmd))]
    return list(_differences(call, dict(_fields(topolvm.response)), dict(_fields(lvmd.response))))


def state_differences(call: str, topolvm: Volumes, lvmd: Volumes) -> list[Difference]:
    found = []
    for name in sorted(topolvm.keys() | lvmd.keys()):
        theirs, ours = topolvm.get(name), lvmd.get(name)
        if theirs is None or ours is None:
            found.append(Difference(call, "lvm.volume", *(
                f"{name} is absent" if side is None else name for side in (theirs, ours))))
        else:
            found += [Difference(call, f"lvm.{key}", f"{name} {theirs[key]}", f"{name} {ours[key]}")
                      for key in theirs if theirs[key] != ours[key]]
    return found


def volumes_of(report: str) -> Volumes:
    """Reads lvs' report in JSON, without lvmd's own tags."""
    found: Volumes = {}
    for row in json.loads(report)["report"][0]["lv"]:
        tags = [tag for tag in row["lv_tags"].split(",") if not tag.startswith(PRIVATE_TAGS)]
        found[row["vg_name"]] = {"free": row["vg_free"]}
        found[f"{row['vg_name']}/{row['lv_name']}"] = {
            "size": row["lv_size"], "tags": ",".join(sorted(tags)), "kind": row["lv_attr"][0],
            "permission": row["lv_attr"][1], "active": row["lv_attr"][4],
            "pool": row["pool_lv"], "origin": row["origin"], "stripes": row["stripes"],
        }
    return found


def _differences(call: str, topolvm: dict[str, Any], lvmd: dict[str, Any]) -> Iterator[Difference]:
    for path in sorted(topolvm.keys() | lvmd.keys()):
        theirs, ours = topolvm.get(path), lvmd.get(path)
        if theirs == ours or _close(theirs, ours):
            continue
        # The name of the volume or class is not part of the field's name.
        yield Difference(call, re.sub(r"\[[^]]*\]", "", path), json.dumps(theirs), json.dumps(ours))


def _close(one: object, other: object) -> bool:
    return isinstance(one, float) and isinstance(other, float) and abs(one - other) < _CLOSE_PERCENT


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each value with its path. The path of a list's member has the member's name; `order` has the
    order. Of the messages of a stream, only the first is compared."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _fields(_told(key, inner), f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        key = next((key for key in _KEYS_OF_LISTS if key in value[0]), None)
        if key is None:  # the messages of a stream after the first one arrive at any time
            yield f"{path} count", len(value)
            yield from _fields(value[0], path)
            return
        names = [inner[key] for inner in value]
        yield f"{path} order", "sorted" if names == sorted(names) else ",".join(names)
        for name, inner in zip(names, value, strict=True):
            yield from _fields(inner, f"{path}[{name}]")
    else:
        yield path, value


def _told(key: str, value: Any) -> Any:
    """The part of a value that can be compared."""
    if key in ("dev_major", "dev_minor"):  # two volumes have two numbers
        return "a number" if value else 0
    if key == "tags":
        return sorted(value)
    if key == "attr" and value:  # udev opens a new volume for a moment
        return value[:5] + "-" + value[6:]
    return value

"""The actual state: the views of LVM and device-mapper, lvmd's responses, records, mounts and
processes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .layout import CLASSES, GROUPS

_MARK = "== torture "
_FIELDS = ("lv_name,vg_name,lv_size,lv_attr,lv_tags,pool_lv,origin,lv_active,lv_suspended,"
           "lv_kernel_major,lv_kernel_minor,lv_health_status")
_GROUP_FIELDS = "vg_name,vg_extent_size,vg_free_count,vg_missing_pv_count,pv_name,pv_missing"
# LVM's commands have their own time limit, so that a device that hangs does not hide the rest.
_PARTS = {
    "lvs": f"timeout 60 lvs -a --units b --nosuffix --reportformat json -o {_FIELDS} "
           f"{' '.join(GROUPS)}",
    "vgs": f"timeout 60 vgs --units b --nosuffix --reportformat json -o {_GROUP_FIELDS} "
           f"{' '.join(GROUPS)}",
    "vgck": f"timeout 60 vgck {' '.join(GROUPS)} && echo agreed",
    "dm": "dmsetup info -c --noheadings --separator '|' -o name,uuid,major,minor,suspended,open",
    "tables": "dmsetup table",
    "intents": "find /var/lib/lvmd/intents -type f",
    "mounts": "findmnt -rn -o TARGET,SOURCE | grep -E '/dev/mapper/vg_|/run/lvmd/mounts'",
    "processes": "ps -eo pid=,ppid=,stat=,args= | grep -E ' (/usr/lib/lvmd/lvmd-|/usr/sbin/lvmd )'",
    "client": "/usr/lib/lvmd/tests/torture-client look " + " ".join(CLASSES),
}
COMMAND = "\n".join(f"echo '{_MARK}{name}'\n{{ {part}; }} 2>/tmp/torture-{name}\n"
                    f"echo '{_MARK}{name}-said'\ncat /tmp/torture-{name}"
                    for name, part in _PARTS.items())


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    state: str
    command: str


@dataclass
class Facts:
    volumes: list[dict[str, Any]]
    """The rows of lvs, including hidden volumes. Sizes are in bytes."""
    groups: dict[str, dict[str, Any]]
    checked: str
    devices: list[dict[str, str]]
    table_bytes: dict[str, int]
    intents: list[str]
    mounts: list[str]
    processes: list[Process]
    told: dict[str, dict[str, Any]]
    """lvmd's lists and free bytes, by class."""
    said: dict[str, str]
    """The standard error of each part."""


def parse(output: str) -> Facts:
    parts: dict[str, list[str]] = {}
    current: list[str] = []
    for line in output.splitlines():
        if line.startswith(_MARK):
            current = parts.setdefault(line.removeprefix(_MARK), [])
        else:
            current.append(line)
    text = {name: "\n".join(lines) for name, lines in parts.items()}
    return Facts(
        volumes=[_volume(row) for row in _rows(text["lvs"], "lv")],
        groups={row["vg_name"]: row for row in _rows(text["vgs"], "vg")},
        checked=text["vgck"],
        devices=[dict(zip(("name", "uuid", "major", "minor", "suspended", "open"),
                          line.split("|"))) for line in parts["dm"] if "|" in line],
        table_bytes=_table_bytes(parts["tables"]),
        intents=[line for line in parts["intents"] if line],
        mounts=[line for line in parts["mounts"] if line],
        processes=[_process(line) for line in parts["processes"] if line.strip()],
        told=json.loads(text["client"] or "{}"),
        said={name.removesuffix("-said"): value for name, value in text.items()
              if name.endswith("-said")})


def _rows(text: str, kind: str) -> list[dict[str, Any]]:
    try:
        return [row for report in json.loads(text)["report"] for row in report.get(kind, [])]
    except json.JSONDecodeError:
        return []


def _volume(row: dict[str, Any]) -> dict[str, Any]:
    hidden = row["lv_name"].startswith("[")
    return {**row, "lv_name": row["lv_name"].strip("[]"), "hidden": hidden,
            "lv_size": int(row["lv_size"])}


def _table_bytes(lines: list[str]) -> dict[str, int]:
    total: dict[str, int] = {}
    for line in lines:
        name, _, rest = line.partition(": ")
        words = rest.split()
        if len(words) > 2:
            total[name] = total.get(name, 0) + int(words[1]) * 512
    return total


def _process(line: str) -> Process:
    pid, parent, state, command = line.split(None, 3)
    return Process(int(pid), int(parent), state, command.strip())

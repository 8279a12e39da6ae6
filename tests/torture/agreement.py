"""Compares the actual state with the expected state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .facts import Facts
from .layout import CLASSES, EXTENT, GROUPS, OVERPROVISION, POOL, POOL_BYTES
from .model import Finding, Model, Volume

_POOL_PARTS = {POOL, f"{POOL}_tdata", f"{POOL}_tmeta", "lvol0_pmspare"}
_OF_A_GROUP = ("/usr/lib/lvmd/lvmd-worker", "/usr/lib/lvmd/lvmd-observer")
_SINGLE = ("/usr/sbin/lvmd ", "/usr/lib/lvmd/lvmd-server")


def findings(model: Model, facts: Facts) -> list[Finding]:
    if not facts.volumes:
        return [Finding("stuck", f"LVM reports nothing: {facts.said['lvs']}")]
    found = [*_volumes(model, facts), *_answers(facts), *_devices(facts), *_processes(facts)]
    found += [Finding("leaked", f"record {path}") for path in facts.intents]
    found += [Finding("leaked", f"mount {mount}") for mount in facts.mounts]
    if facts.checked != "agreed":
        found.append(Finding("wrong", f"vgck: {facts.said['vgck']}"))
    return found


def adopt(model: Model, facts: Facts) -> None:
    """The model continues from the actual state, so that no finding is reported twice."""
    rows = {row["lv_name"]: row for row in facts.volumes if not row["hidden"]}
    for volume in model.volumes.values():
        row = rows.get(volume.name)
        volume.there = {row is not None}
        if row is not None:
            volume.sizes = {row["lv_size"]}


def _volumes(model: Model, facts: Facts) -> Iterator[Finding]:
    rows = {(row["vg_name"], row["lv_name"]): row for row in facts.volumes
            if not row["hidden"] and row["lv_name"] not in _POOL_PARTS}
    for volume in model.volumes.values():
        row = rows.pop((volume.group, volume.name), None)
        place = f"{volume.group}/{volume.name}"
        if row is None:
            if volume.surely_there:
                yield Finding("lost", f"{place} was made and is not there")
        elif volume.surely_gone:
            yield Finding("leaked", f"{place} was refused or removed and is there")
        else:
            yield from (Finding("wrong", f"{place} {what}") for what in _differences(volume, row))
    for group, name in rows:
        yield Finding("leaked", f"{group}/{name} was never requested")


def _differences(volume: Volume, row: dict) -> Iterator[str]:
    if row["lv_size"] not in volume.sizes:
        yield f"has {row['lv_size']} bytes, not {sorted(volume.sizes)}"
    tags = row["lv_tags"].split(",")
    if f"lvmd.v1:class={volume.device_class}" not in tags:
        yield f"has the tags {tags}"
    if (row["pool_lv"] == POOL) != volume.thin:
        yield f"is in pool \"{row['pool_lv']}\""
    if volume.source and row["origin"] not in (volume.source, ""):
        yield f"has the origin {row['origin']}, not {volume.source}"
    if row["lv_active"] != "active" or row["lv_suspended"] == "suspended":
        yield f"is {row['lv_active'] or 'not active'} {row['lv_suspended']}"
    if (row["lv_attr"][1] == "r") != (volume.access == "ro"):
        yield f"has the attributes {row['lv_attr']}, access {volume.access}"


def _answers(facts: Facts) -> Iterator[Finding]:
    """Compares lvmd's lists and numbers with LVM's."""
    for device_class in CLASSES.values():
        told = facts.told.get(device_class.name)
        if told is None or told["list"] != "OK" or told["free"] != "OK":
            yield Finding("stuck", f"class {device_class.name} answers "
                          f"{told or facts.said['client']}")
            continue
        rows = {row["lv_name"]: row for row in facts.volumes
                if row["vg_name"] == device_class.group and not row["hidden"]
                and row["lv_name"] not in _POOL_PARTS
                and (row["pool_lv"] == POOL) == device_class.thin}
        seen = {name: (volume["size"], volume["device"], volume["attr"])
                for name, volume in told["volumes"].items()}
        true = {name: (row["lv_size"], f"{row['lv_kernel_major']}:{row['lv_kernel_minor']}",
                       row["lv_attr"]) for name, row in rows.items()}
        # A device may be opened or closed between the two readings.
        for name in seen.keys() | true.keys():
            if _closed(seen.get(name)) != _closed(true.get(name)):
                yield Finding("wrong", f"{name} of {device_class.name} is reported as "
                              f"{seen.get(name)}, by LVM it is {true.get(name)}")
        free = _free(facts, device_class.name)
        if told["free_bytes"] != free:
            yield Finding("wrong", f"{device_class.name} has {told['free_bytes']} bytes free, by "
                          f"LVM {free}")


def _closed(entry: tuple[int, str, str] | None) -> tuple[int, str, str] | None:
    return None if entry is None else (entry[0], entry[1], entry[2][:5] + "-" + entry[2][6:])


def _free(facts: Facts, name: str) -> int:
    device_class = CLASSES[name]
    if not device_class.thin:
        return int(facts.groups[device_class.group]["vg_free_count"]) * EXTENT
    used = sum(row["lv_size"] for row in facts.volumes
               if row["vg_name"] == device_class.group and row["pool_lv"] == POOL)
    return max(0, POOL_BYTES * OVERPROVISION - used)


def _devices(facts: Facts) -> Iterator[Finding]:
    expected: dict[str, int] = {}
    for row in facts.volumes:
        name = f"{row['vg_name']}-{row['lv_name'].replace('-', '--')}"
        expected[name] = row["lv_size"]
        if row["lv_name"] == POOL:
            expected[f"{name}-tpool"] = row["lv_size"]
    for device in facts.devices:
        name = device["name"]
        if device["suspended"] != "Active":
            yield Finding("wrong", f"device {name} is {device['suspended']}")
        if device["uuid"].startswith("LVM-"):
            if name not in expected:
                yield Finding("leaked", f"device {name} belongs to no volume")
            elif facts.table_bytes.get(name) != expected[name]:
                yield Finding("wrong", f"device {name} has {facts.table_bytes.get(name)} bytes, its "
                              f"volume {expected[name]}")


def _processes(facts: Facts) -> Iterator[Finding]:
    """Expects one of each process, and for each group one worker and one observer."""
    wanted = [*_SINGLE, *(f"{program} {group} " for program in _OF_A_GROUP for group in GROUPS)]
    counted: Counter[str] = Counter()
    commands = {process.pid: process.command for process in facts.processes}
    for process in facts.processes:
        if commands.get(process.parent) == process.command:
            continue  # it has forked and will execute another program
        known = [name for name in wanted if f"{process.command} ".startswith(name)]
        if not known or process.state.startswith(("Z", "T")):
            yield Finding("leaked", f"process {process}")
        counted.update(known)
    for name in wanted:
        if counted[name] != 1:
            yield Finding("leaked" if counted[name] else "lost",
                          f"{counted[name]} processes {name.strip()}")

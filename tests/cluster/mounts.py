"""The mounts of one volume, from the text of mountinfo files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    """The block device of a volume."""

    number: str
    """Major and minor number, as in `253:3`."""
    name: str
    """The name of its node in /dev, such as `dm-3`."""


@dataclass(frozen=True)
class Mount:
    id: int
    """Another mount at the same place has another id."""
    target: str


def mounts_of(device: Device, mountinfo: str) -> list[Mount]:
    """The mounts of the device's file system and of its node, in the order of `mountinfo`."""
    found = []
    for line in mountinfo.splitlines():
        fields, _, rest = line.partition(" - ")
        mount_id, _, number, root, target, *_ = fields.split(" ")
        is_node = rest.split(" ")[0] == "devtmpfs" and root == f"/{device.name}"
        if number == device.number or is_node:
            found.append(Mount(int(mount_id), target))
    return found

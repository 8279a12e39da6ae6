"""The layout of the node under test: two volume groups, each with a thin pool and two classes."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20
EXTENT = 4 * MIB
BLOCK = 4096
SLOT = 16 * BLOCK
"""Contents are written and compared in pieces of this size."""

POOL = "pool"
POOL_BYTES = 256 * MIB
OVERPROVISION = 4
PV_BYTES = 1024 * MIB


@dataclass(frozen=True)
class DeviceClass:
    name: str
    group: str
    thin: bool


GROUPS = ("vg_a", "vg_b")
FAULTY_GROUP = "vg_a"
"""The group whose devices faults affect. The other group must not be affected."""

CLASSES = {entry.name: entry for entry in (
    DeviceClass("thick-a", "vg_a", False), DeviceClass("thin-a", "vg_a", True),
    DeviceClass("thick-b", "vg_b", False), DeviceClass("thin-b", "vg_b", True))}

LANES = ("thick-a", "thin-a", "thin-a", "thick-b", "thin-b")
"""The class that each lane of the client uses. Lanes share no volumes."""

# The PVs are device-mapper devices, so that the devices below them can be changed while they are in
# use. They begin after the first MiB of the disk, so that LVM finds no label on the disk itself. A
# disk that was unplugged may get another name in /dev.
_DISKS = "/dev/disk/by-id/virtio-data"
PVS = {"pv_a0": ("vg_a", f"{_DISKS}0"), "pv_a1": ("vg_a", f"{_DISKS}1"), "pv_b0": ("vg_b", f"{_DISKS}2")}
PV_START_SECTORS = 2048


def linear_table(pv: str) -> str:
    """The device-mapper table of an intact PV."""
    return f"0 {PV_BYTES // 512} linear {PVS[pv][1]} {PV_START_SECTORS}"


def round_up(size: int) -> int:
    return -(-size // EXTENT) * EXTENT


CONFIG = """\
device-classes:
  - {name: thick-a, volume-group: vg_a, default: true, spare-gb: 0}
  - name: thin-a
    volume-group: vg_a
    type: thin
    spare-gb: 0
    thin-pool: {name: pool, overprovision-ratio: 4.0}
  - {name: thick-b, volume-group: vg_b, spare-gb: 0}
  - name: thin-b
    volume-group: vg_b
    type: thin
    spare-gb: 0
    thin-pool: {name: pool, overprovision-ratio: 4.0}
"""

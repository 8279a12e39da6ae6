"""Disks that hang, fail and disappear, and full pools and groups. All of them affect one of the two
groups."""

from __future__ import annotations

from .fault import Fault
from .layout import FAULTY_GROUP, POOL, PV_BYTES, PV_START_SECTORS, PVS, linear_table

_PV = "pv_a1"
_SECTORS = PV_BYTES // 512
_DISK = PVS[_PV][1]
_FILLER = "zz-filler"


class Suspend(Fault):
    name = "suspend"
    how = "dmsetup suspend of a PV for 2 to 5 s"
    times = 8
    hold = (2.0, 5.0)

    def inject(self) -> None:
        self.stage.shell(f"dmsetup suspend --noflush --nolockfs {_PV}")

    def heal(self) -> None:
        self.stage.shell(f"dmsetup resume {_PV}")


class Hang(Suspend):
    name = "hang"
    how = "dmsetup suspend of a PV for 16 to 20 s"
    times = 5
    hold = (16.0, 20.0)
    told = True


class _BadTable(Fault):
    table: str
    times = 5
    hold = (2.0, 6.0)

    def inject(self) -> None:
        self.stage.swap(_PV, self.table)

    def heal(self) -> None:
        self.stage.swap(_PV, linear_table(_PV))
        self.restore_missing()

    def restore_missing(self) -> None:
        """The administrator's repair of a PV that LVM has marked as missing and that volumes use.
        LVM itself removes the mark of other PVs."""
        self.stage.try_shell(f"vgs --noheadings -o pv_missing {FAULTY_GROUP} | grep -q missing && "
                             f"vgextend -q --restoremissing {FAULTY_GROUP} /dev/mapper/{_PV}")


class Error(_BadTable):
    name = "dm-error"
    how = "dm-error below a PV for 2 to 6 s"
    table = f"0 {_SECTORS} error"


class Flakey(_BadTable):
    name = "flakey"
    how = "dm-flakey (error_writes) below a PV for 2 to 6 s"
    table = f"0 {_SECTORS} flakey {_DISK} {PV_START_SECTORS} 0 60 1 error_writes"


class PvAway(_BadTable):
    name = "pv-away"
    how = "the disk of a PV unplugged (virtio, by sysfs) and found again"
    table = ""

    def inject(self) -> None:
        self._slot = self.stage.shell(f"disk=$(readlink -e {_DISK}) && basename $(dirname $(realpath "
                                      "/sys/block/${disk#/dev/}/device))")
        self.stage.shell(f"echo 1 >/sys/bus/pci/devices/{self._slot}/remove", timeout=60)

    def heal(self) -> None:
        self.stage.shell("echo 1 >/sys/bus/pci/rescan; udevadm settle; for _ in $(seq 50); do "
                         f"test -b {_DISK} && exit 0; sleep 0.1; done; exit 1")
        super().heal()


class GroupFull(Fault):
    name = "vg-full"
    how = "a volume made by hand that takes all free extents, for 2 to 5 s"
    times = 8
    hold = (2.0, 5.0)

    def inject(self) -> None:
        self.stage.shell(f"lvcreate -q -y -Wn -Zn -l 100%FREE -n {_FILLER} {FAULTY_GROUP}")

    def heal(self) -> None:
        self.stage.shell(f"lvremove -q -f {FAULTY_GROUP}/{_FILLER}")


class PoolFull(Fault):
    name = "pool-full"
    how = "the thin pool's data filled to the last block by hand, for 2 to 5 s"
    times = 5
    hold = (2.0, 5.0)

    def inject(self) -> None:
        # The last chunks are written one at a time. The write ends when the pool queues them.
        self.stage.try_shell(
            f"lvcreate -q -y -V 1G -T {FAULTY_GROUP}/{POOL} -n {_FILLER}\n"
            f"used=$(lvs --noheadings -o data_percent {FAULTY_GROUP}/{POOL} | tr -d ' ')\n"
            f"left=$(awk -v used=$used 'BEGIN {{ print int(256 * (100 - used) / 100) }}')\n"
            f"dd if=/dev/zero of=/dev/{FAULTY_GROUP}/{_FILLER} bs=1M count=$left oflag=direct\n"
            f"(dd if=/dev/zero of=/dev/{FAULTY_GROUP}/{_FILLER} bs=64k count=32 "
            "seek=$((left * 16)) oflag=direct >/dev/null 2>&1 &)\nsleep 1", timeout=120)

    def heal(self) -> None:
        # A larger pool completes the requests that wait for space, so that the filler can be
        # closed.
        self.stage.try_shell(
            f"pkill -x dd; for _ in $(seq 50); do lvremove -q -f {FAULTY_GROUP}/{_FILLER} && "
            "exit 0; sleep 0.5; done", timeout=180)


class MetadataFull(Fault):
    name = "metadata-full"
    how = "tags of the group, by hand, until its metadata area takes no more; for 2 to 5 s"
    times = 5
    hold = (2.0, 5.0)
    # The size of a tag, and the number of tags that a command adds. Both decrease until no tag
    # fits.
    _STEPS = ((1000, 20), (1000, 1), (100, 1))

    def inject(self) -> None:
        number = 0
        for size, count in self._STEPS:
            for _ in range(40):
                tags = []
                for _ in range(count):
                    number += 1
                    tags.append(f"--addtag {_FILLER}-{number:06}".ljust(size + 9, "x"))
                if self.stage.machine.run(f"vgchange -q {' '.join(tags)} {FAULTY_GROUP}").exit_code:
                    break

    def heal(self) -> None:
        self.stage.shell(
            f"for _ in $(seq 20); do vgs --noheadings -o vg_tags {FAULTY_GROUP} | tr -d ' ' | "
            "tr ',' '\\n' | sed '/./s/^/--deltag /' | xargs -r -n 80 sh -c 'vgchange -q \"$@\" "
            f"{FAULTY_GROUP}' x; vgs --noheadings -o vg_tags {FAULTY_GROUP} | grep -q {_FILLER} || "
            "exit 0; done; exit 1", timeout=180)


FAULTS: list[type[Fault]] = [Suspend, Hang, Error, Flakey, PvAway, GroupFull, PoolFull, MetadataFull]

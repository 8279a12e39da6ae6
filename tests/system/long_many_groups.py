"""Fifty volume groups on one host. The ids in brackets are rules of docs/protocol.md."""

from __future__ import annotations

import time
import unittest

from .node import Node, machine

MIB = 1 << 20
_GROUPS = 50
# Volumes that are made and removed in one group while another group is observed.
_CHANGES = 10
# One disk is divided into many disks, so that LVM finds no device-mapper device below a PV.
_MAKE = f"""
set -e
disk=/dev/disk/by-id/virtio-data0
for n in $(seq 0 {_GROUPS - 1}); do
  dmsetup create --noudevsync disk$n --table "0 65536 linear $disk $((8192 + n * 65536))"
done
udevadm settle
for n in $(seq 0 {_GROUPS - 1}); do vgcreate -q vg_$n /dev/mapper/disk$n; done
mkdir -p /etc/topolvm /run/case
"""
_CONFIG = "device-classes:\n" + "".join(
    f"  - {{name: class-{number}, volume-group: vg_{number}, spare-gb: 0"
    f"{', default: true' if number == 0 else ''}}}\n" for number in range(_GROUPS))
_MEMORY = r"""
for pid in $(pgrep 'lvmd'); do
  awk -v name=$(cat /proc/$pid/comm) '/^Pss:/ {print name, $2}' /proc/$pid/smaps_rollup
done | awk '{kib[$1] += $2; count[$1]++; all += $2}
            END {for (n in kib) print n, count[n], kib[n]; print "all", NR, all}'
"""


class ManyGroups(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = Node(cls.enterClassContext(machine()), _MAKE, _CONFIG)

    def await_serving(self, seconds: float) -> float:
        begin = time.monotonic()
        while self.node.run("lvmd health")[0] != 0:
            self.assertLess(time.monotonic() - begin, seconds, self.node.run("lvmd health")[1])
            time.sleep(1)
        return time.monotonic() - begin

    def test_a_change_concerns_its_own_group_and_memory_is_bounded(self) -> None:
        """[P-RUN-11]"""
        # No rule limits this time. On emulated processors, 50 starts at once are slow.
        self.await_serving(600)
        said = self.node.shell(_MEMORY)
        memory = {name: (int(count), int(kib)) for name, count, kib in
                  (line.split() for line in said.splitlines())}
        self.assertEqual(memory["lvmd-worker"][0], _GROUPS)
        self.assertEqual(memory["lvmd-observer"][0], _GROUPS)
        self.assertLess(memory["all"][1], (32 + _GROUPS * 8) * 1024, said)
        read = ("awk '/^rchar/ {print $2}' /proc/"
                "$(pgrep -fx '/usr/lib/lvmd/lvmd-observer vg_7')/io")
        time.sleep(10)
        begin, before = time.monotonic(), int(self.node.shell(read))
        for number in range(_CHANGES):
            name = f"new-{number}"
            self.node.must("CreateLV", name=name, device_class="class-3", size_bytes=4 * MIB)
            self.node.must("RemoveLV", name=name, device_class="class-3")
        # It still reads 4 KiB of its disk every 5 s, and less than 2 KiB of sysfs for the events of
        # a volume. But it does not read its group, 8 KiB, after a change of another one.
        found = int(self.node.shell(read)) - before
        probes = (time.monotonic() - begin) / 5 + 1
        self.assertLess(found, probes * 4096 + _CHANGES * 4096)


if __name__ == "__main__":
    unittest.main()

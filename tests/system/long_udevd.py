"""udevd does not run: lvmd does not need it, and LVM waits for it, for half a minute. The ids in
brackets are rules of docs/protocol.md."""

from __future__ import annotations

import unittest

from .node import Node, machine

MIB = 1 << 20


class NoUdevd(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = Node(cls.enterClassContext(machine()))
        cls.node.shell("for _ in $(seq 100); do lvmd health && exit 0; sleep 0.2; done; exit 1")

    def test_calls_end_and_nothing_is_half_done(self) -> None:
        """[P-CREATE-11, P-REMOVE-23, P-RUN-23, P-INTENT-3]"""
        units = "systemd-udevd-kernel.socket systemd-udevd-control.socket systemd-udevd.service"
        self.node.shell(f"udevadm settle; systemctl stop {units}")
        self.addCleanup(self.node.shell,
                        f"systemctl start {units}; udevadm trigger; udevadm settle")
        self.node.must("CreateLV", name="new", device_class="thick", size_bytes=8 * MIB)
        self.node.shell("test -b /dev/vg_n/new && test -b /dev/mapper/vg_n-new")
        self.node.must("RemoveLV", name="new", device_class="thick")
        self.node.shell("! test -L /dev/vg_n/new && ! test -L /dev/mapper/vg_n-new")
        # LVM also activates the pool and waits for udev, which takes longer than the caller's
        # deadline.
        late = self.node.call("CreateLV", name="new", device_class="thin", size_bytes=8 * MIB)
        self.assertIn(late.code, ("UNAVAILABLE", "DEADLINE_EXCEEDED"), late)
        self.node.shell("for _ in $(seq 600); do test \"$(find /var/lib/lvmd/intents -type f "
                        "! -name '#*')\" || exit 0; sleep 0.2; done; exit 1")
        self.assertEqual(self.node.shell("lvs --noheadings -S lv_name=new vg_n"), "")
        self.node.shell("journalctl -u lvmd | grep -q 'udev has not handled an event within 30 s'")
        self.doCleanups()
        for device_class in ("thick", "thin"):
            self.node.must("CreateLV", name="new", device_class=device_class, size_bytes=8 * MIB)
            self.node.must("RemoveLV", name="new", device_class=device_class)


if __name__ == "__main__":
    unittest.main()

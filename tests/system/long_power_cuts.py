"""The power fails during a transfer, and the node boots again. The ids in brackets are rules of
docs/protocol.md."""

from __future__ import annotations

import unittest

from tests.system.stores import S3Store, SlowRelay

from .transfer_case import TransferCase
from .transfer_node import new_id, remote

_MEGABYTES = 30
_UP = "until lvmd health >/dev/null 2>&1; do sleep 0.2; done"


class PowerCuts(TransferCase):
    """`data-snap` has this number of MB that can't be compressed. The store is on another host, so
    its data is not lost."""

    store: S3Store

    def setUp(self) -> None:
        self.store = self.s3()

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        node = cls.node
        node.make("data", 128)
        origin = node.mount("data", fs_type="ext4", format=True)
        node.shell(f"head -c {_MEGABYTES}M /dev/urandom >{origin}/file; sync")
        node.unmount("data")
        node.snapshot("data", "data-snap")
        node.shell("systemctl -q enable lvmd.socket lvmd.service")

    def cut_power(self) -> None:
        self.node.shell(f"sync -f {self.store.folder}")
        self.node.machine.cut_power()
        self.node.shell(_UP)
        self.store.start()

    def test_during_a_backup(self) -> None:
        """[P-XFER-1, P-XFER-2, P-XFER-6, P-XFER-13]"""
        target, identity = remote(self.store, "backup"), new_id()
        with SlowRelay(self.node, self.store.port, 1 << 20) as relay:
            started = self.node.start("StartBackup", remote(self.store, "backup", relay.port),
                                      identity, name="data-snap", device_class="thin")
            transfer = self.node.await_copying(started, 5)
            self.cut_power()
        self.assert_nothing_left(None, "vg_a/data-snap", "vg_a/data")
        unknown = self.node.transfers("Get", {"operation": "OPERATION_BACKUP",
                                              "id": transfer["id"]})
        self.assertEqual(unknown.code, "NOT_FOUND", unknown)
        again = self.node.start("StartBackup", target, identity, name="data-snap",
                                device_class="thin", verify=True)
        ended = self.node.succeed(again)
        self.assertEqual(ended["verification"]["result"], "RESULT_MATCHES", ended)
        self.assertEqual(len(self.node.snapshots(target)), 1)
        self.node.succeed(self.node.start("DeleteBackup", target, backup_id=identity))
        self.assert_nothing_left(target, "vg_a/data-snap")

    def test_during_a_restore(self) -> None:
        """[P-XFER-1, P-XFER-6, P-XFER-9]"""
        target = remote(self.store, "restore")
        backup = self.node.succeed(self.node.start("StartBackup", target, name="data-snap",
                                                   device_class="thin"))
        self.node.make("back", 128)
        identity = new_id()
        words = {"name": "back", "device_class": "thin", "backup_id": backup["id"]}
        self.node.await_copying(self.node.start("StartRestore", target, identity, **words))
        self.cut_power()
        self.assert_nothing_left(None, "vg_a/back")
        ended = self.node.succeed(self.node.start("StartRestore", target, identity, **words))
        self.assertEqual(ended["verification"]["result"], "RESULT_MATCHES", ended)
        left, right = self.node.mount("data-snap"), self.node.mount("back", read_only=True)
        self.assertEqual(self.node.trees.differences(left, right), "")
        self.node.unmount("back")
        self.node.unmount("data-snap")


if __name__ == "__main__":
    unittest.main()

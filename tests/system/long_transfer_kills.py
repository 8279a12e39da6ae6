"""Mover and lvmd are killed at each moment of a transfer. The ids in brackets are rules of
docs/protocol.md."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any

from tests.system.calls.grpc_call import Answer

from .transfer_case import TransferCase
from .transfer_node import local, new_id

# The additional time before each kill.
_STEP_SECONDS = 0.25
_MOST_KILLS = 80
_HEALTHY = "until lvmd health >/dev/null 2>&1; do sleep 0.2; done"


class Kills(TransferCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        node = cls.node
        node.make("data", 64)
        origin = node.mount("data", fs_type="ext4", format=True)
        node.shell(f"for n in $(seq 40); do head -c 100k /dev/urandom >{origin}/$n; done; sync")
        node.unmount("data")
        node.snapshot("data", "data-snap")

    def kill_at_each_moment(self, start: Callable[[], Answer], volume: str) -> dict[str, Any]:
        """Starts the transfer and kills its mover, each time slightly later, until a transfer ends
        before its kill. Returns that transfer."""
        steps = set()
        for kill in range(_MOST_KILLS):
            started = start()
            said = self.node.shell(f"sleep {kill * _STEP_SECONDS}; "
                                   f"pid=$({self.node.mover(started.response)}); "
                                   "[ $pid = 0 ] || kill -KILL $pid 2>&1 || true")
            ended = self.node.end(started)
            steps.add(ended["step"])
            self.assert_nothing_left(None, f"vg_a/{volume}", "vg_a/data-snap")
            if ended["phase"] == "PHASE_SUCCEEDED":
                self.assertGreater(kill, 4, f"it was hardly ever killed: {steps}")
                self.assertEqual(ended["attempt"], kill + 1)
                return ended
            self.assertEqual((ended["phase"], ended["error"]["reason"]),
                             ("PHASE_FAILED", "Interrupted"), f"{ended} {said}")
            self.assertTrue(ended["error"]["transient"])
        raise AssertionError(f"{_MOST_KILLS} kills, and it has not ended: {steps}")

    def test_the_mover_at_each_moment(self) -> None:
        """[P-XFER-1, P-XFER-3, P-XFER-6, P-XFER-8, P-XFER-9, P-XFER-11, P-XFER-13]"""
        target, backup = local("killed"), new_id()
        self.kill_at_each_moment(
            lambda: self.node.start("StartBackup", target, backup, name="data-snap",
                                    device_class="thin", verify=True), "data-snap")
        self.assertEqual(len(self.node.snapshots(target)), 1)

        self.node.make("back", 64)
        restore = new_id()
        self.kill_at_each_moment(
            lambda: self.node.start("StartRestore", target, restore, name="back",
                                    device_class="thin", backup_id=backup), "back")
        left, right = self.node.mount("data-snap"), self.node.mount("back", read_only=True)
        self.assertEqual(self.node.trees.differences(left, right), "")
        self.node.unmount("back")
        self.node.unmount("data-snap")

        deletion = new_id()
        self.kill_at_each_moment(
            lambda: self.node.start("DeleteBackup", target, deletion, backup_id=backup),
            "data-snap")
        self.assertEqual(self.node.snapshots(target), [])
        self.assert_nothing_left(target)

    def test_lvmd_at_each_moment_of_the_start(self) -> None:
        """[P-XFER-1, P-XFER-3]"""
        target, refused = local("lvmd-killed"), 0
        for kill in range(12):
            identity = new_id()
            self.node.shell("systemd-run --quiet --collect bash -c "
                            f"'sleep {kill * 0.1}; systemctl kill -s KILL lvmd.service'")
            words = {"name": "data-snap", "device_class": "thin"}
            started = self.node.start("StartBackup", target, identity, **words)
            refused += not started.ok
            self.node.shell(f"sleep {kill * 0.1 + 1}; {_HEALTHY}")
            # As the reconciler does: repeats the request, whatever the result of the first one.
            ended = self.node.succeed(self.node.start("StartBackup", target, identity, **words))
            self.assertEqual(ended["attempt"], 1, ended)
            self.assert_nothing_left(None, "vg_a/data-snap")
            self.assertEqual(len(self.node.snapshots(target)), kill + 1)
        self.assertGreater(refused, 0, "no Start was ever in the middle of a kill")


if __name__ == "__main__":
    unittest.main()

"""Backs up and restores an odd tree."""

from __future__ import annotations

from typing import Any

from .transfer_case import TransferCase
from .transfer_node import MIB, Target

SIZE_MIB = 1024
# An attribute that only SYS_ADMIN may set [P-XFER-4].
LOST = "'attributes/user': attribute trusted.of_root is None, not b't'"


class TreeCase(TransferCase):
    """From a thin snapshot to a thick volume of another VG."""

    def there_and_back(self, kind: str, target: Target, verify: bool = True) -> dict[str, Any]:
        """Returns the transfer of the backup."""
        node = self.node
        name, snapshot, back = f"{kind}-there", f"{kind}-snap", f"{kind}-back"
        origin = node.source(name, kind, SIZE_MIB)
        node.shell(f"mkdir {origin}/busy; sync")
        # btrfs can't mount a copy while the origin is mounted, because both have the same UUID.
        while_mounted = kind != "btrfs"
        with node.writer(f"{origin}/busy"):
            node.snapshot(name, snapshot)
            if while_mounted:
                backup = self.back_up(snapshot, target, verify)
        if not while_mounted:
            node.unmount(name)
            backup = self.back_up(snapshot, target, verify)
        self.assertEqual((backup["mode"], backup["fs_type"]), ("MODE_FILES", kind))
        self.assert_nothing_left(target, f"vg_a/{snapshot}")
        node.make(back, SIZE_MIB, "other")
        restored = node.succeed(node.start(
            "StartRestore", target, name=back, device_class="other", backup_id=backup["id"]))
        self.assertEqual(restored["verification"]["result"], "RESULT_MATCHES", restored)
        self.assertEqual(restored["snapshot_id"], backup["snapshot_id"])
        self.assert_nothing_left(target, f"vg_b/{back}")
        if while_mounted:
            node.unmount(name)
        self.assertEqual(node.shell(f"blkid -o value -s TYPE /dev/vg_b/{back}"), kind)
        right = node.mount(back, "other", read_only=True)
        left = node.mount(snapshot)
        self.assertEqual(node.trees.differences(left, right).strip(), LOST)
        node.unmount(snapshot)
        node.unmount(back, "other")
        return backup

    def back_up(self, snapshot: str, target: Target, verify: bool) -> dict[str, Any]:
        ended = self.node.succeed(self.node.start(
            "StartBackup", target, name=snapshot, device_class="thin", verify=verify))
        self.assertEqual((ended["verification"] or {}).get("result"),
                         "RESULT_MATCHES" if verify else None, ended)
        if verify:
            self.assertGreater(int(ended["verification"]["checked_bytes"]), MIB)
        return ended

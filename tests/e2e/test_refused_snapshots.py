"""Objects with a status.snapshot on which lvmd-reconciler must not act. The ids in brackets are
rules of docs/reconciler.md."""

from __future__ import annotations

import json
from typing import Any

from .case import MIB, condition, finalizers
from .logical_volume import GROUP, LogicalVolume
from .online_case import SnapshotCase, snapshot_of
from .online_snapshots import REPOSITORIES

FAILED_PRECONDITION = 9


class RefusedSnapshots(SnapshotCase):
    def setUp(self) -> None:
        # So that everything that the case creates can be removed.
        self.addCleanup(self.run_with, "--online-snapshots")

    def stored(self, origin: LogicalVolume) -> int:
        """The number of snapshots in the repository of that volume."""
        return len(json.loads(self.shell(
            f"echo 'of the tests' | RESTIC_PASSWORD_FILE=/dev/stdin restic --no-lock --json "
            f"--repo {REPOSITORIES}/shop/{origin.name} snapshots")))

    def set_snapshot(self, volume: LogicalVolume, **fields: Any) -> None:
        """Fields of status.snapshot, as written by another operator."""
        self.stage.plane.kubectl(
            "patch", f"logicalvolumes.{GROUP}", volume.name, "--subresource=status", "--type=merge",
            f"--patch={json.dumps({'status': {'snapshot': fields}})}")

    def wait_for_reason(self, volume: LogicalVolume, kind: str, reason: str) -> dict[str, Any]:
        return self.wait_for(volume, f"condition {kind} has the reason {reason}", lambda found: (
            condition(found, kind).get("reason") == reason))

    def test_while_online_snapshots_are_off(self) -> None:
        """[R-ONLINE-14]"""
        origin = self.origin("of tuesday")
        snapshot, snapshot_uid = self.snapshot(origin)
        self.wait_for_phase(snapshot, "Succeeded")
        copy, copy_uid = self.copy(snapshot)
        self.wait_for_phase(copy, "Pending")

        self.run_with()
        self.assertIn("--online-snapshots", self.wait_for_code(copy, FAILED_PRECONDITION))
        half = self.wait_for_reason(copy, "Ready", "OnlineSnapshotsOff")
        self.assertEqual(condition(half, "Ready")["status"], "False")
        self.wait_for_event(copy, copy_uid, "RestoreFailed")
        self.assert_volume(copy_uid, 64 * MIB)
        snapshot.delete()
        self.assertIn("--online-snapshots", self.wait_for_code(snapshot, FAILED_PRECONDITION))
        kept = self.wait_for_reason(snapshot, "Ready", "OnlineSnapshotsOff")
        self.assertEqual(finalizers(kept), [f"{GROUP}/logicalvolume"])
        self.wait_for_event(snapshot, snapshot_uid, "DeleteFailed")
        self.assertEqual(self.stored(origin), 1)

        self.run_with("--online-snapshots")
        self.wait_until_gone(snapshot)
        self.assertEqual(self.stored(origin), 0)

    def test_another_operators_snapshot(self) -> None:
        """[R-ONLINE-13]"""
        origin = self.origin("of wednesday")
        self.run_with()
        snapshot, uid = self.snapshot(origin)
        self.wait_for_size(snapshot, "64Mi")
        self.stage.reconciler.stop()
        foreign = {"operation": "Backup", "phase": "Succeeded", "version": "v0.1",
                   "repository": f"{REPOSITORIES}/theirs", "snapshotID": "4bba301e"}
        self.set_snapshot(snapshot, **foreign)
        self.run_with("--online-snapshots")
        found = self.wait_for_reason(snapshot, "LVMSnapshotCleaned", "ForeignSnapshot")
        self.assertEqual(snapshot_of(found), foreign)
        self.assert_volume(uid, 64 * MIB)
        copy, copy_uid = self.copy(snapshot)
        self.wait_for_reason(copy, "Ready", "ForeignSnapshot")
        self.assert_no_volume(copy_uid)

        snapshot.delete()
        self.wait_for_reason(snapshot, "Ready", "ForeignSnapshot")
        self.assert_volume(uid, 64 * MIB)
        snapshot.annotate("lvmd.io/abandon", "true")
        self.wait_until_gone(snapshot)
        self.assert_volume(uid, 64 * MIB)
        self.shell(f"lvremove -q -f vg_e2e/{uid}")

    def test_a_source_without_a_repository(self) -> None:
        """[R-ONLINE-13]"""
        origin = self.origin("of thursday")
        snapshot, _ = self.snapshot(origin)
        repository = snapshot_of(self.wait_for_phase(snapshot, "Succeeded"))["repository"]
        self.set_snapshot(snapshot, repository=None)
        copy, copy_uid = self.copy(snapshot)
        self.wait_for_reason(copy, "Ready", "ForeignSnapshot")
        self.assert_no_volume(copy_uid)
        self.assertNotIn(f"{copy.name}: not settled", self.stage.reconciler.log())
        self.set_snapshot(snapshot, repository=repository)
        self.wait_for_phase(copy, "Pending")

"""A snapshot that is stored in a repository, and a volume restored from it. The ids in brackets are
rules of docs/reconciler.md; more cases are in long_online.py."""

from __future__ import annotations

from .case import MIB, condition, status
from .online_case import SnapshotCase, snapshot_of
from .online_snapshots import REPOSITORIES


class Online(SnapshotCase):
    def test_stored_restored_and_deleted(self) -> None:
        """[R-ONLINE-2, R-ONLINE-3, R-ONLINE-5, R-ONLINE-7, R-ONLINE-8, R-ONLINE-9, P-XFER-25]"""
        origin = self.origin("of monday")
        snapshot, snapshot_uid = self.snapshot(origin)
        stored = self.wait_for_phase(snapshot, "Succeeded")
        self.assertEqual(snapshot_of(stored)["repository"], f"{REPOSITORIES}/shop/{origin.name}")
        self.assertEqual(status(stored)["volumeID"], snapshot_uid)
        self.wait_for_condition(snapshot, "LVMSnapshotCleaned", "True")
        self.assert_no_volume(snapshot_uid)

        copy, copy_uid = self.copy(snapshot)
        pending = self.wait_for_phase(copy, "Pending")
        self.assertEqual(status(pending)["volumeID"], copy_uid)
        self.assertEqual(pending["metadata"]["annotations"]["lvmd.io/restore-from"], snapshot_uid)
        self.assert_volume(copy_uid, 64 * MIB)
        self.assertIn(f"lvmd.v1:restore={copy_uid}", self.tags_of(copy_uid))
        self.online.persistent_volume(copy.name, "copy")
        self.wait_for_phase(copy, "Succeeded")
        self.assertEqual(self.words_on(copy_uid), "of monday")
        self.assertIn(f"lvmd.v1:restored={copy_uid}", self.tags_of(copy_uid))
        self.assertEqual(condition(copy.read() or {}, "RestoreReady")["status"], "True")

        snapshot.delete()
        self.wait_until_gone(snapshot)
        snapshots = self.shell(
            f"echo 'of the tests' | RESTIC_PASSWORD_FILE=/dev/stdin restic --no-lock --json "
            f"--repo {REPOSITORIES}/shop/{origin.name} snapshots")
        self.assertEqual(snapshots, "[]")

    def tags_of(self, volume: str) -> list[str]:
        return self.shell("lvs --noheadings --options=lv_tags "
                          f"--select=lv_name={volume}").strip().split(",")

"""Online snapshots in other sequences than in test_online.py. The ids in brackets are rules of
docs/reconciler.md."""

from __future__ import annotations

from .case import MIB, status
from .online_case import SnapshotCase, snapshot_of


class Online(SnapshotCase):
    def test_killed_again_and_again(self) -> None:
        """[R-ONLINE-10, R-RUN-1]"""
        origin = self.origin("in spite of all")
        snapshot, _ = self.snapshot(origin)
        for _ in range(3):
            self.stage.reconciler.kill()
            self.stage.reconciler.start()
        self.wait_for_phase(snapshot, "Succeeded")
        copy, copy_uid = self.copy(snapshot)
        self.online.persistent_volume(copy.name, "copy")
        for _ in range(3):
            self.stage.reconciler.kill()
            self.stage.reconciler.start()
        self.wait_for_phase(copy, "Succeeded")
        self.assertEqual(self.words_on(copy_uid), "in spite of all")

    def test_gate_volumeid(self) -> None:
        """[R-ONLINE-4]"""
        self.addCleanup(self.run_with, "--online-snapshots")
        self.run_with("--online-snapshots", "--restore-gate=volumeid")
        origin = self.origin("behind the gate")
        snapshot, _ = self.snapshot(origin)
        self.wait_for_phase(snapshot, "Succeeded")
        copy, copy_uid = self.copy(snapshot)
        seen = self.wait_for(copy, "volumeID", lambda found: bool(status(found).get("volumeID")))
        self.assertEqual(snapshot_of(seen)["phase"], "Succeeded")
        self.assertEqual(self.words_on(copy_uid), "behind the gate")

    def test_without_a_class_all_is_as_ever(self) -> None:
        """[R-ONLINE-1]"""
        origin = self.origin("of the volume")
        snapshot = self.named(origin.name.replace("pvc", "snapshot", 1))
        uid = snapshot.create(self.spec("64Mi", "thin", source=origin.name, accessType="ro"))
        found = self.wait_for_size(snapshot, "64Mi")
        self.assertEqual(snapshot_of(found), {})
        self.assert_volume(uid, 64 * MIB)

    def test_a_storage_that_comes_later(self) -> None:
        """[R-ONLINE-6, R-ONLINE-9]"""
        self.stage.plane.kubectl("delete", "secret", "local", "--namespace=lvmd-snapshots")
        self.addCleanup(self.online.install)
        origin = self.origin("patience")
        snapshot, _ = self.snapshot(origin)
        told = self.wait_for_condition(snapshot, "BackupReady", "False")
        self.assertEqual(told["reason"], "NoCredentials")
        self.assertEqual(status(snapshot.read() or {}).get("code", 0), 0)
        self.online.install()
        self.wait_for_phase(snapshot, "Succeeded")

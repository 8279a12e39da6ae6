"""Snapshots that are stored in a repository, and volumes restored from them: a reconciler with
--online-snapshots, lvmd's transfers and restic in the VM. The ids in brackets are rules of
docs/reconciler.md."""

from __future__ import annotations

from typing import Any

from .case import MIB, Case, condition, status
from .logical_volume import LogicalVolume
from .online_snapshots import OnlineSnapshots, REPOSITORIES
from .stage import VOLUME_GROUP


def snapshot_of(found: dict[str, Any]) -> dict[str, Any]:
    return status(found).get("snapshot", {})


class Online(Case):
    online: OnlineSnapshots

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.online = OnlineSnapshots(cls.stage.plane)
        cls.addClassCleanup(cls.online.withdraw_rights)
        cls.online.install()

    def setUp(self) -> None:
        self.addCleanup(self.run_with)
        self.run_with("--online-snapshots")

    def run_with(self, *flags: str) -> None:
        self.stage.reconciler.set_flags(*flags)
        self.stage.reconciler.restart()

    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def named(self, name: str) -> LogicalVolume:
        volume = LogicalVolume(self.stage.plane, name)
        self.addCleanup(volume.delete)
        return volume

    def wait_for_phase(self, volume: LogicalVolume, phase: str) -> dict[str, Any]:
        return self.wait_for(volume, f"status.snapshot.phase {phase}",
                             lambda found: snapshot_of(found).get("phase") == phase)

    def origin(self, words: str) -> LogicalVolume:
        """A volume with an ext4 file system and `words` in a file; its claim is shop/NAME."""
        name = "pvc-" + self._testMethodName.removeprefix("test_").replace("_", "-")
        volume = self.named(name)
        uid = volume.create(self.spec("64Mi", "thin"))
        self.wait_for_size(volume, "64Mi")
        self.online.persistent_volume(name, name)
        device = f"/dev/{VOLUME_GROUP}/{uid}"
        self.shell(f"mkfs.ext4 -q {device} && mount {device} /mnt && echo '{words}' >/mnt/file && "
                   "umount /mnt")
        return volume

    def snapshot(self, origin: LogicalVolume) -> tuple[LogicalVolume, str]:
        name = origin.name.replace("pvc", "snapshot", 1)
        self.online.content(name)
        volume = self.named(name)
        return volume, volume.create(
            self.spec("64Mi", "thin", source=origin.name, accessType="ro"))

    def copy(self, snapshot: LogicalVolume) -> tuple[LogicalVolume, str]:
        name = snapshot.name.replace("snapshot", "pvc-copy", 1)
        volume = self.named(name)
        return volume, volume.create(
            self.spec("64Mi", "thin", source=snapshot.name, accessType="rw"))

    def words_on(self, uid: str) -> str:
        return self.shell(f"mount -o ro /dev/{VOLUME_GROUP}/{uid} /mnt && cat /mnt/file && umount /mnt")

    def test_stored_restored_and_deleted(self) -> None:
        """[R-ONLINE-2, R-ONLINE-3, R-ONLINE-5, R-ONLINE-7, R-ONLINE-8, R-ONLINE-9]"""
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
        self.online.persistent_volume(copy.name, "copy")
        self.wait_for_phase(copy, "Succeeded")
        self.assertEqual(self.words_on(copy_uid), "of monday")
        self.assertEqual(condition(copy.read() or {}, "RestoreReady")["status"], "True")

        snapshot.delete()
        self.wait_until_gone(snapshot)
        snapshots = self.shell(
            f"echo 'of the tests' | RESTIC_PASSWORD_FILE=/dev/stdin restic --no-lock --json "
            f"--repo {REPOSITORIES}/shop/{origin.name} snapshots")
        self.assertEqual(snapshots, "[]")

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

"""The base class of the cases of online snapshots: a reconciler with --online-snapshots, lvmd's
transfers and restic in the VM."""

from __future__ import annotations

from typing import Any

from .case import Case, status
from .logical_volume import LogicalVolume
from .online_snapshots import OnlineSnapshots
from .stage import VOLUME_GROUP


def snapshot_of(found: dict[str, Any]) -> dict[str, Any]:
    return status(found).get("snapshot", {})


class OnlineCase(Case):
    """Creates a storage, its secret and a class."""

    online: OnlineSnapshots

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.online = OnlineSnapshots(cls.stage.plane)
        cls.addClassCleanup(cls.online.withdraw_rights)
        cls.online.install()
        cls.addClassCleanup(cls.run_with)
        cls.run_with("--online-snapshots")

    @classmethod
    def run_with(cls, *flags: str) -> None:
        cls.stage.reconciler.set_flags(*flags)
        cls.stage.reconciler.restart()


class SnapshotCase(OnlineCase):
    """Volumes, stored snapshots of them, and copies of those."""

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
        """A volume with an ext4 file system and `words` in a file. Its claim is shop/NAME."""
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

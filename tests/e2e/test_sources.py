"""Objects with a source become snapshots and clones of its volume. The ids in brackets are rules of
docs/reconciler.md."""

from .case import MIB, Case, condition, status
from .logical_volume import LogicalVolume
from .stage import VOLUME_GROUP

NOT_FOUND, OUT_OF_RANGE, INVALID_ARGUMENT = 5, 11, 3


class Sources(Case):
    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def write(self, uid: str, words: str) -> None:
        self.shell(f"echo '{words}' | dd of=/dev/{VOLUME_GROUP}/{uid} conv=fsync,notrunc status=none")

    def read(self, uid: str) -> str:
        return self.shell(f"head -n 1 /dev/{VOLUME_GROUP}/{uid}")

    def source(self) -> tuple[LogicalVolume, str]:
        """An object with its volume, and the UID. The volume begins with the line "of the
        source"."""
        volume = self.volume("-source")
        uid = volume.create(self.spec("64Mi", "thin"))
        self.wait_for_size(volume, "64Mi")
        self.write(uid, "of the source")
        return volume, uid

    def of(self, source: LogicalVolume, size: str, access: str, suffix: str) -> tuple[LogicalVolume, str]:
        volume = self.volume(suffix)
        return volume, volume.create(
            self.spec(size, "thin", source=source.name, accessType=access))

    def test_snapshot_and_clone(self) -> None:
        """[R-SRC-3, R-OBJ-15, R-OBJ-16]"""
        source, source_uid = self.source()
        snapshot, snapshot_uid = self.of(source, "64Mi", "ro", "-ro")
        clone, clone_uid = self.of(source, "100Mi", "rw", "-rw")
        self.wait_for_size(snapshot, "64Mi")
        self.wait_for_size(clone, "100Mi")
        self.assert_volume(clone_uid, 100 * MIB)
        self.assertEqual(self.shell(f"lvs --noheadings -o origin {VOLUME_GROUP}/{clone_uid}"),
                         source_uid)
        self.assertEqual(self.shell(f"blockdev --getro /dev/{VOLUME_GROUP}/{snapshot_uid}"), "1")
        self.write(clone_uid, "of the clone")
        self.write(source_uid, "of later")
        self.assertEqual(self.read(snapshot_uid), "of the source")
        self.assertEqual(self.read(clone_uid), "of the clone")

        source.delete()
        self.wait_until_gone(source)
        clone.change(size="200Mi")
        self.wait_for_size(clone, "200Mi")
        for volume, uid in ((clone, clone_uid), (snapshot, snapshot_uid)):
            volume.delete()
            self.wait_until_gone(volume)
            self.assert_no_volume(uid)

    def test_a_source_that_comes_later(self) -> None:
        """[R-SRC-4, R-SRC-5]"""
        source = self.volume("-source")
        clone, uid = self.of(source, "64Mi", "rw", "-clone")
        self.assertIn(f'spec.source "{source.name}"', self.wait_for_code(clone, NOT_FOUND))
        self.assertEqual(condition(clone.read(), "Ready")["reason"], "NoSourceObject")
        self.assert_no_volume(uid)
        source_uid = source.create(self.spec("64Mi", "thin"))
        self.wait_for_size(clone, "64Mi")
        self.assertEqual(self.shell(f"lvs --noheadings -o origin {VOLUME_GROUP}/{uid}"), source_uid)

    def test_a_source_that_is_larger(self) -> None:
        """[R-SRC-4]"""
        source, _ = self.source()
        clone, uid = self.of(source, "60Mi", "rw", "-clone")
        message = self.wait_for_code(clone, OUT_OF_RANGE)
        self.assertIn("60Mi", message)
        self.assertIn("64Mi", message)
        self.assert_no_volume(uid)
        clone.change(size="64Mi")
        self.wait_for_size(clone, "64Mi")

    def test_killed_while_clones_are_made(self) -> None:
        """[R-SRC-3, R-RUN-1]"""
        source, source_uid = self.source()
        self.addCleanup(self.stage.reconciler.start)
        clones = []
        for number in range(3):
            clones.append(self.of(source, "64Mi", "rw", f"-{number}"))
            self.stage.reconciler.kill()
            self.stage.reconciler.start()
        for clone, uid in clones:
            self.assertEqual(status(self.wait_for_size(clone, "64Mi"))["volumeID"], uid)
            self.assertEqual(self.read(uid), "of the source")
        origins = self.shell(f"lvs --noheadings -o origin {VOLUME_GROUP}").split()
        self.assertEqual(origins.count(source_uid), 3)

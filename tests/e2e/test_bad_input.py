"""For a request that cannot be fulfilled, the status has a code and a name, and nothing is
changed."""

from .case import MIB, Case
from .logical_volume import LogicalVolume
from .stage import VOLUME_GROUP

INVALID_ARGUMENT, NOT_FOUND, RESOURCE_EXHAUSTED = 3, 5, 8


class BadInput(Case):
    def test_negative_size_from_before_it_was_refused(self) -> None:
        volume = LogicalVolume(self.stage.plane, "old-negative-size")
        uid = volume.read()["metadata"]["uid"]
        message = self.wait_for_code(volume, INVALID_ARGUMENT)
        self.assertIn("spec.size", message)
        self.assertIn("-1Gi", message)
        self.assert_no_volume(uid)

    def test_unknown_class_and_its_correction(self) -> None:
        """[R-CREATE-5]"""
        volume = self.volume()
        uid = volume.create(self.spec("64Mi", "no-such-class"))
        self.assertIn("no-such-class", self.wait_for_code(volume, NOT_FOUND))
        self.assert_no_volume(uid)
        volume.change(deviceClass="thick")
        self.wait_for_size(volume, "64Mi")
        self.assert_volume(uid, 64 * MIB)

    def test_no_space_and_deletion_after_it(self) -> None:
        """[R-OBJ-21, R-OBJ-22]"""
        volume = self.volume()
        uid = volume.create(self.spec("1Ti"))
        self.assertTrue(self.wait_for_code(volume, RESOURCE_EXHAUSTED))
        self.assert_no_volume(uid)
        volume.delete()
        self.wait_until_gone(volume)

    def test_no_space_to_grow_leaves_the_volume_as_it_was(self) -> None:
        """[R-GROW-3]"""
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        self.wait_for_size(volume, "64Mi")
        volume.change(size="1Ti")
        self.assertTrue(self.wait_for_code(volume, RESOURCE_EXHAUSTED))
        self.assert_volume(uid, 64 * MIB)
        volume.change(size="128Mi")
        self.wait_for_size(volume, "128Mi")
        self.assert_volume(uid, 128 * MIB)

    def test_a_volume_lost_by_hand_is_not_made_again(self) -> None:
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        self.wait_for_size(volume, "64Mi")
        self.stage.machine.run(f"lvremove -q -y {VOLUME_GROUP}/{uid}", check=True)
        volume.change(size="128Mi")
        self.assertIn(uid, self.wait_for_code(volume, NOT_FOUND))
        self.assert_no_volume(uid)
        volume.delete()
        self.wait_until_gone(volume)

"""Objects with the name of a volume group, as in TopoLVM's first versions."""

from .case import MIB, Case
from .logical_volume import LEGACY_GROUP
from .stage import NODE, VOLUME_GROUP

FAILED_PRECONDITION = 9


class OlderObjects(Case):
    def test_a_volume_group_of_two_classes(self) -> None:
        """[R-OBJ-17]"""
        volume = self.volume(group=LEGACY_GROUP)
        uid = volume.create({"nodeName": NODE, "size": "64Mi", "vgName": VOLUME_GROUP})
        message = self.wait_for_code(volume, FAILED_PRECONDITION)
        self.assertIn("thick", message)
        self.assertIn("thin", message)
        self.assert_no_volume(uid)
        # The class is that of its volume, which was made by hand here, as after a restore.
        self.stage.machine.run(f"lvcreate -q -y -n {uid} -L 64M {VOLUME_GROUP}", check=True)
        self.wait_for_size(volume, "64Mi")
        volume.change(size="128Mi")
        self.wait_for_size(volume, "128Mi")
        self.assert_volume(uid, 128 * MIB)
        volume.delete()
        self.wait_until_gone(volume)
        self.assert_no_volume(uid)

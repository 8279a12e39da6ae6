"""Objects become volumes, grow, and are removed."""

from typing import Any

from . import stage
from .case import MIB, Case, finalizers, status
from .logical_volume import GROUP, LEGACY_GROUP

FOREIGN_FINALIZER = "example.com/keep"


class Volumes(Case):
    def live_through(self, group: str, device_class: str) -> dict[str, Any]:
        """Creates, grows and deletes an object. Returns LVM's report of its grown volume."""
        volume = self.volume(group=group)
        uid = volume.create(self.spec("101Mi", device_class))
        made = self.wait_for_size(volume, "104Mi")  # whole extents of 4 MiB
        self.assertEqual(status(made)["volumeID"], uid)
        self.assertEqual(finalizers(made), [f"{group}/logicalvolume"])
        self.assertEqual(made["metadata"]["labels"],
                         {"app.kubernetes.io/created-by": "topolvm-controller"})
        self.assert_volume(uid, 104 * MIB)

        volume.change(size="200Mi")
        self.assertEqual(status(self.wait_for_size(volume, "200Mi"))["volumeID"], uid)
        grown = self.assert_volume(uid, 200 * MIB)

        volume.delete()
        self.wait_until_gone(volume)
        self.assert_no_volume(uid)
        return grown

    def test_thick(self) -> None:
        """[R-OBJ-3, R-OBJ-20..23, R-CLI-7..9]"""
        self.assertEqual(self.live_through(GROUP, "thick")["pool_lv"], "")

    def test_thin(self) -> None:
        self.assertEqual(self.live_through(GROUP, "thin")["pool_lv"], "pool")

    def test_older_group_and_default_class(self) -> None:
        """[R-OBJ-13]"""
        self.assertEqual(self.live_through(LEGACY_GROUP, "")["pool_lv"], "")

    def test_option_class_is_passed(self) -> None:
        """[R-OBJ-14]"""
        volume = self.volume()
        uid = volume.create(self.spec("64Mi", lvcreateOptionClass="two-stripes"))
        self.wait_for_size(volume, "64Mi")
        self.assertEqual(self.assert_volume(uid, 64 * MIB)["stripes"], "2")

    def test_objects_of_another_node_are_left_alone(self) -> None:
        """[R-OBJ-11]"""
        foreign, own = self.volume("-foreign"), self.volume("-own")
        foreign_uid = foreign.create({**self.spec("64Mi"), "nodeName": f"not-{stage.NODE}"})
        before = foreign.read()
        own.create(self.spec("64Mi"))
        self.wait_for_size(own, "64Mi")  # the objects before it have been read by then
        self.assertEqual(foreign.read(), before)
        self.assert_no_volume(foreign_uid)

    def test_finalizers_of_others_stay(self) -> None:
        """[R-OBJ-4]"""
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"), finalizers=(FOREIGN_FINALIZER,))
        made = self.wait_for_size(volume, "64Mi")
        self.assertCountEqual(finalizers(made), [FOREIGN_FINALIZER, f"{GROUP}/logicalvolume"])
        volume.delete()
        self.wait_for(volume, "only another client's finalizer",
                      lambda found: finalizers(found) == [FOREIGN_FINALIZER])
        self.assert_no_volume(uid)
        volume.set_finalizers()
        self.wait_until_gone(volume)

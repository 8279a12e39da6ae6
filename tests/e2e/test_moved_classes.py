"""Device classes that lvmd.yaml moves to another volume group, and objects with the name of another
group. The ids in brackets are rules of docs/reconciler.md."""

from __future__ import annotations

import json

from . import node_capacity, second_group
from .case import MIB, Case, condition, finalizers
from .logical_volume import GROUP
from .second_group import SecondGroup
from .stage import VOLUME_GROUP

_ROLE = "lvmd-reconciler"
FAILED_PRECONDITION = 9


class MovedClasses(Case):
    def setUp(self) -> None:
        self.second = SecondGroup(self.stage.machine)
        self.addCleanup(self.second.remove)
        self.second.make()

    def set_classes(self, **volume_groups: str) -> None:
        self.second.set_classes(**volume_groups)
        self.eventually("lvmd reports the classes", lambda: (
            volume_groups.keys() <= node_capacity.told(self.stage).keys()),
            lambda: json.dumps(node_capacity.told(self.stage)))

    def test_a_volume_is_found_in_the_group_that_its_class_left(self) -> None:
        """[R-DELETE-2]"""
        self.set_classes(moved=second_group.NAME)
        volume = self.volume()
        uid = volume.create(self.spec("8Mi", "moved"))
        self.wait_for_size(volume, "8Mi")
        self.assertIn(uid, self.second.volumes())

        self.second.set_classes(thick=second_group.NAME, moved=VOLUME_GROUP)
        self.second.detach()
        volume.delete()
        held = self.wait_for(volume, "class thick is waited for", lambda found: (
            condition(found, "Ready").get("reason") == "ClassNotUsable"))
        self.assertIn("device class thick", condition(held, "Ready")["message"])
        self.assertEqual(finalizers(held), [f"{GROUP}/logicalvolume"])

        self.second.attach()
        self.wait_until_gone(volume)
        self.assertNotIn(uid, self.second.volumes())

    def test_a_class_that_changes_before_the_status_makes_no_second_volume(self) -> None:
        """[R-CREATE-8]"""
        self.set_classes(second=second_group.NAME)
        self.addCleanup(self.let_status_be_written, True)
        self.let_status_be_written(False)
        volume = self.volume()
        uid = volume.create(self.spec("8Mi"))
        self.eventually("the volume is made", lambda: uid in self.stage.volumes(),
                        self.stage.describe)
        volume.change(deviceClass="second")
        self.stage.reconciler.restart()
        self.let_status_be_written(True)
        message = self.wait_for_code(volume, FAILED_PRECONDITION)
        self.assertIn('"second"', message)
        self.assertIn('"thick"', message)
        self.assertEqual(self.second.volumes(), [])
        self.assert_volume(uid, 8 * MIB)
        volume.change(deviceClass="thick")
        self.wait_for_size(volume, "8Mi")
        volume.delete()
        self.wait_until_gone(volume)
        self.assert_no_volume(uid)

    def let_status_be_written(self, may: bool) -> None:
        resource = "logicalvolumes/status" if may else "logicalvolumes/none"
        patch = [{"op": "replace", "path": "/rules/1/resources", "value": [resource]}]
        self.stage.plane.kubectl("patch", "clusterrole", _ROLE, "--type=json",
                                 f"--patch={json.dumps(patch)}")

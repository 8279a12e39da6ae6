"""The definitions of LogicalVolume: the objects that they refuse, their messages, and that they
accept changes of objects from before them. The ids in brackets are rules of docs/reconciler.md."""

from __future__ import annotations

import json
from typing import Any

from . import before_lvmd
from .cluster import ClusterCase
from .daemon_pod import PACKAGING
from .logical_volume import GROUP, LEGACY_GROUP, LogicalVolume

GROUPS = (GROUP, LEGACY_GROUP)
SPEC = {"name": "pvc-1", "nodeName": "vm", "size": "1Gi"}
CONDITION = {"type": "Ready", "status": "False", "reason": "NoSpace", "message": "no space",
             "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 1}
STATUS = {"code": 8, "message": "no space", "observedGeneration": 1, "conditions": [CONDITION]}
# An invalid spec, and the message for the user.
REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"size": "-1Gi"}, 'spec.size: Forbidden: "-1Gi" is too small: it must be greater than 0'),
    ({"size": 0}, 'spec.size: Forbidden: "0" is too small: it must be greater than 0'),
    ({"size": "1 GB"}, 'spec.size: Forbidden: "1 GB" is not a quantity of bytes such as 10Gi'),
    ({"size": ""}, 'spec.size: Forbidden: "" is not a quantity of bytes'),
    ({"size": "8Ei"}, 'spec.size: Forbidden: "8Ei" is too large'),
    ({"size": None}, "spec.size: Required value"),
    ({"nodeName": ""}, "spec.nodeName: Required value: must be the name of the node"),
    ({"accessType": "rx"}, 'spec.accessType: Forbidden: "rx" is neither ro nor rw'),
    ({"source": "other"}, "spec.accessType: Required value: must be ro (for a read-only snapshot)"),
    ({"source": "refused", "accessType": "ro"}, "spec.source: Forbidden: is the object itself"),
    ({"vgName": "vg0", "deviceClass": "ssd"},
     "spec.vgName: Forbidden: spec.deviceClass and spec.vgName are mutually exclusive"),
)
ACCEPTED: tuple[dict[str, Any], ...] = (
    {},
    {"size": 1073741824},
    {"size": "1e9"},
    {"size": "1500m"},
    {"size": "9223372036854771712"},
    {"deviceClass": "ssd", "lvcreateOptionClass": "raid1"},
    {"source": "other", "accessType": "ro"},
    {"source": "", "accessType": "", "deviceClass": ""},
    {"vgName": "vg0"},
    {"vgName": "vg0", "deviceClass": ""},
)


class Definitions(ClusterCase):
    def manifest(self, group: str, name: str, change: dict[str, Any]) -> dict[str, Any]:
        return {"apiVersion": f"{group}/v1", "kind": "LogicalVolume", "metadata": {"name": name},
                "spec": {key: value for key, value in {**SPEC, **change}.items()
                         if value is not None}}

    def patch(self, volume: LogicalVolume, patch: dict[str, Any], *options: str) -> dict[str, Any]:
        return json.loads(self.plane.kubectl(*self.patching(volume, patch), *options))

    def patching(self, volume: LogicalVolume, patch: dict[str, Any]) -> tuple[str, ...]:
        return ("patch", f"logicalvolumes.{volume.group}", volume.name, "--type=merge",
                "--output=json", f"--patch={json.dumps(patch)}")

    def test_a_wrong_spec_is_refused_in_words(self) -> None:
        """[R-CRD-1]"""
        for group in GROUPS:
            for change, words in REFUSED:
                with self.subTest(group=group, change=change):
                    self.assertIn(words, self.refused(
                        "create", "--filename=-", manifest=self.manifest(group, "refused", change)))
            with self.subTest(group=group, change="no spec"):
                manifest = self.manifest(group, "refused", {})
                del manifest["spec"]
                self.assertIn("spec: Required value: must contain name", self.refused("create", "--filename=-",
                                                              manifest=manifest))

    def test_a_right_spec_is_accepted_and_kept_whole(self) -> None:
        """[R-CRD-1]"""
        for group in GROUPS:
            for change in ACCEPTED:
                with self.subTest(group=group, change=change):
                    manifest = self.manifest(group, "accepted", change)
                    made = json.loads(self.plane.kubectl(
                        "create", "--filename=-", "--dry-run=server", "--output=json",
                        input=json.dumps(manifest)))
                    self.assertEqual(made["spec"], manifest["spec"])

    def test_objects_from_before_keep_finalizers_and_status_writable(self) -> None:
        """[R-CRD-2]"""
        for group in GROUPS:
            for name, spec in before_lvmd.BROKEN.items():
                with self.subTest(group=group, name=name):
                    volume = LogicalVolume(self.plane, name, group)
                    marked = self.patch(volume, {"metadata": {
                        "finalizers": [f"{group}/logicalvolume"],
                        "labels": {"app.kubernetes.io/created-by": "topolvm-controller"}}})
                    self.assertEqual(marked.get("spec"), spec)
                    told = self.patch(volume, {"status": STATUS}, "--subresource=status")
                    self.assertEqual(told["status"], STATUS)
                    self.patch(volume, {"metadata": {"finalizers": []}})

    def test_objects_from_before_can_be_put_right_and_grown(self) -> None:
        """[R-CRD-2]"""
        for group in GROUPS:
            with self.subTest(group=group):
                negative = LogicalVolume(self.plane, "old-negative-size", group)
                self.patch(negative, {"spec": {"size": "1Gi"}}, "--dry-run=server")
                self.assertIn('"-2Gi" is too small',
                              self.refused(*self.patching(negative, {"spec": {"size": "-2Gi"}})))
                clone = LogicalVolume(self.plane, "old-without-access-type", group)
                self.patch(clone, {"spec": {"size": "2Gi"}}, "--dry-run=server")
                self.patch(clone, {"spec": {"accessType": "rw"}}, "--dry-run=server")
                own = LogicalVolume(self.plane, "old-source-of-itself", group)
                self.patch(own, {"spec": {"size": "2Gi"}}, "--dry-run=server")

    def test_node_is_fixed_and_class_once_there_is_a_volume(self) -> None:
        """[R-CRD-3]"""
        for group in GROUPS:
            with self.subTest(group=group):
                volume = self.volume(group=group)
                volume.create({"nodeName": "vm", "size": "1Gi", "deviceClass": "hdd"})
                self.assertIn("create another LogicalVolume",
                              self.refused(*self.patching(volume, {"spec": {"nodeName": "b"}})))
                volume.change(deviceClass="ssd")
                self.patch(volume, {"status": {"volumeID": "v", "currentSize": "1Gi"}},
                           "--subresource=status")
                for change in ({"deviceClass": "hdd"}, {"deviceClass": None},
                               {"deviceClass": None, "vgName": "vg0"}):
                    self.assertIn("cannot be changed after the volume exists",
                                  self.refused(*self.patching(volume, {"spec": change})))
                volume.change(size="2Gi")
                self.patch(volume, {"status": {"currentSize": "2Gi"}}, "--subresource=status")

    def test_a_node_is_selected_by_the_server(self) -> None:
        """[R-CRD-4]"""
        for group in GROUPS:
            with self.subTest(group=group):
                here, there = self.volume("-here", group), self.volume("-there", group)
                here.create({"nodeName": "selected", "size": "1Gi"})
                there.create({"nodeName": "not-selected", "size": "1Gi"})
                listed = self.plane.kubectl("get", f"logicalvolumes.{group}", "--output=name",
                                            "--field-selector=spec.nodeName=selected")
                self.assertEqual(listed.split(), [f"logicalvolume.{group}/{here.name}"])

    def test_people_see_what_matters(self) -> None:
        """[R-CRD-5]"""
        volume = self.volume()
        volume.create({"nodeName": "vm", "size": "1Gi", "deviceClass": "ssd"})
        status = {**STATUS, "csiStatus": "VolumeReady", "csiPublications": 0}
        self.patch(volume, {"status": status}, "--subresource=status")
        header, row = self.plane.kubectl("get", f"logicalvolumes.{GROUP}", volume.name).splitlines()
        self.assertEqual(header.split(), ["NAME", "NODE", "CLASS", "SIZE", "CURRENT", "READY", "CSI",
                                          "CODE", "AGE"])
        self.assertEqual(row.split()[1:7], ["vm", "ssd", "1Gi", "False", "VolumeReady", "8"])

    def test_the_csi_status_is_one_of_nine_states(self) -> None:
        """[R-CSI-1]"""
        for group in GROUPS:
            with self.subTest(group=group):
                volume = self.volume("-csi", group)
                volume.create({"nodeName": "vm", "size": "1Gi"})
                for state in ("Creating", "Created", "VolumeReady", "Published", "Resizing",
                              "Resized", "Removing", "Removed", "Failed"):
                    status = {"csiStatus": state, "csiPublications": 1,
                              "csiFailure": {"reason": "MountBusy", "message": "pid 7 uses it"}}
                    written = self.patch(volume, {"status": status}, "--subresource=status")
                    self.assertEqual(written["status"], status)
                self.assertIn("status.csiStatus", self.refused(
                    *self.patching(volume, {"status": {"csiStatus": "published"}}),
                    "--subresource=status"))

    def test_both_groups_are_defined_alike(self) -> None:
        """[R-CRD-1]"""
        lines = {}
        for group in GROUPS:
            text = (PACKAGING / f"crds/{group}_logicalvolumes.yaml").read_text()
            lines[group] = [line for line in text.replace(group, "GROUP").splitlines()
                            if not line.startswith("#")]
        self.assertEqual(lines[GROUP], lines[LEGACY_GROUP])

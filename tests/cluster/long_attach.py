"""With the overlay csi-attach, volumes are attached before they are mounted. The ids in brackets are
rules of docs/csi.md, and goals of docs/goals.md (E-)."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.e2e.csi_controller import ATTACH_MANIFESTS
from tests.e2e.kube import NODE

from . import objects
from .claim import Claim
from .claim_case import ClaimCase
from .installation import DRIVER, THICK
from .objects import PATH

_ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments"
_NOTHING_SECONDS = 10.0
# Once a minute, the attach/detach controller looks for drivers that have changed.
_DETACH_SECONDS = 180.0


class Attach(ClaimCase):
    manifests = ATTACH_MANIFESTS

    def test_a_volume_is_attached_while_a_pod_uses_it(self) -> None:
        """A process of the node delays the end of the staging mount, and so the detach.
        [E-FLOW-11..13, C-ATTACH-1, C-POD-7, C-RIGHT-4]"""
        claim = self.make_claim(THICK)
        self.start_pod("sleep infinity")
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        attachment = self.attachment(claim)
        self.assertEqual(
            (attachment["spec"]["attacher"], attachment["spec"]["nodeName"],
             attachment["status"]), (DRIVER, NODE, {"attached": True}))
        # Who made it, and who wrote the result.
        self.assertEqual({entry["manager"] for entry in attachment["metadata"]["managedFields"]},
                         {"kube-controller-manager", "csi-attacher"})
        node = self.stage.plane.read(f"/api/v1/nodes/{NODE}") or {}
        self.assertEqual(node["metadata"]["annotations"][
            "volumes.kubernetes.io/controller-managed-attach-detach"], "true")

        handle = claim.handle()
        holder = self.hold(f"--working-directory={claim.staging_folder(handle)}/globalmount")
        self.delete_pod()
        # The reconciler does not write a state that ends while it writes.
        self.assert_passes_one_of(claim, ("VolumeReady", "Failed"), ("Failed",))
        self.assertEqual(claim.logical_volume()["status"]["csiFailure"]["call"],
                         "NodeUnstageVolume")
        time.sleep(_NOTHING_SECONDS)
        self.assertEqual(self.attachment(claim), attachment)
        self.stage.node.shell(f"systemctl stop {holder}")
        self.assert_passes(claim, "Created")
        self.wait_until_detached(claim)

        claim.delete()
        self.assert_passes(claim, "Removing", "Removed")
        self.assert_removed(claim, handle)

    def test_kubelet_waits_until_the_volume_is_attached(self) -> None:
        """[E-FLOW-11]"""
        claim = self.make_claim_at_once()
        self.stage.controller.stop()
        try:
            self.create(objects.pod(self.name, "sleep infinity", {PATH: claim.name}))
            self.eventually("the volume is to be attached", lambda: self.attachments(claim),
                            self.shown(claim))
            self.eventually("kubelet has the pod",
                            lambda: self.pod()["status"].get("containerStatuses"),
                            lambda: json.dumps(self.pod()["status"], indent=2))
            time.sleep(_NOTHING_SECONDS)
            self.assertIs(self.attachment(claim)["status"]["attached"], False)
            self.assert_passes(claim)
        finally:
            self.stage.controller.start()
        self.wait_for_pod(self.name)
        self.assert_passes(claim, "VolumeReady", "Published")
        self.assertIs(self.attachment(claim)["status"]["attached"], True)

    def test_a_volume_is_not_attached_to_another_node(self) -> None:
        """csi-attacher compares attachments with ListVolumes, too. [C-ATTACH-2, C-ATTACH-3]"""
        claim = self.make_claim_at_once()
        other = f"{self.name}-node"
        self.create({"apiVersion": "v1", "kind": "Node", "metadata": {
            "name": other, "labels": {f"topology.{DRIVER}/node": other}}})
        self.create({
            "apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": other},
            "spec": {"drivers": [{"name": DRIVER, "nodeID": other,
                                  "topologyKeys": [f"topology.{DRIVER}/node"]}]}})
        self.create({
            "apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment",
            "metadata": {"name": self.name}, "spec": {
                "attacher": DRIVER, "nodeName": other,
                "source": {"persistentVolumeName": claim.volume_name}}})
        self.wait_for_refusal(claim, other)
        # csi-attacher does nothing for an attachment that is made, unless ListVolumes differs from
        # it. The first refusal after this change can be that of an attempt which had begun.
        self.write_status({"attached": True, "attachError": None})
        self.wait_for_refusal(claim, other)
        self.write_status({"attachError": None})
        self.wait_for_refusal(claim, other)
        self.stage.plane.kubectl("delete", "volumeattachment", self.name, "--timeout=60s")

    def test_volumes_are_detached_after_the_driver_has_changed(self) -> None:
        """The way back, while csi-attacher still runs. [E-FLOW-6, C-POD-7]"""
        claim = self.make_claim(THICK)
        self.start_pod("sleep infinity")
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        self.assertIs(self.attachment(claim)["status"]["attached"], True)
        self.addCleanup(self.replace_driver, attach_required=True)
        self.replace_driver(attach_required=False)
        later = self.make_claim(THICK, suffix="-later")
        self.run_pod(objects.pod(later.name, "sleep infinity", {PATH: later.name}))
        self.assertEqual(self.attachments(later), [])
        self.delete_pod()
        self.assert_passes(claim, "VolumeReady", "Created")
        self.wait_until_detached(claim)

    def replace_driver(self, attach_required: bool) -> None:
        """Deletes the CSIDriver object, and creates it with this value, which cannot be changed."""
        found = self.stage.plane.read(f"/apis/storage.k8s.io/v1/csidrivers/{DRIVER}") or {}
        self.stage.plane.kubectl("delete", "csidriver", DRIVER)
        self.stage.plane.kubectl("create", "--filename=-", input=json.dumps({
            "apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": DRIVER},
            "spec": {**found["spec"], "attachRequired": attach_required}}))

    def write_status(self, status: dict[str, Any]) -> None:
        """Changes these fields of the case's own VolumeAttachment."""
        self.stage.plane.kubectl(
            "patch", "volumeattachment", self.name, "--subresource=status", "--type=merge",
            f"--patch={json.dumps({'status': status})}")

    def wait_for_refusal(self, claim: Claim, node: str) -> None:
        """Waits until the status of the claim's only VolumeAttachment says that the volume cannot
        be attached to this node."""
        words = (f"FailedPrecondition desc = volume {claim.handle()} is on node {NODE} and cannot "
                 f"be attached to node {node}")
        self.eventually(
            f"the attachment to {node} is refused",
            lambda: words in self.attachment(claim)["status"].get("attachError", {}).get(
                "message", ""), lambda: json.dumps(self.attachment(claim), indent=2))

    def attachments(self, claim: Claim) -> list[dict[str, Any]]:
        """The VolumeAttachments of the claim's volume."""
        found = (self.stage.plane.read(_ATTACHMENTS) or {})["items"]
        return [entry for entry in found
                if entry["spec"]["source"]["persistentVolumeName"] == claim.volume_name]

    def attachment(self, claim: Claim) -> dict[str, Any]:
        """The only one."""
        [found] = self.attachments(claim)
        return found

    def wait_until_detached(self, claim: Claim) -> None:
        """Waits until the claim's volume has no VolumeAttachment."""
        self.eventually(f"{claim} is not attached", lambda: not self.attachments(claim),
                        lambda: json.dumps(self.attachments(claim), indent=2), _DETACH_SECONDS)

"""Calls that fail, and succeed once their cause is gone. The ids in brackets are rules of
docs/protocol.md and docs/reconciler.md (R-), and goals of docs/goals.md (E-)."""

from __future__ import annotations

from typing import Any

from tests.e2e.kube import NODE
from tests.e2e.logical_volume import LogicalVolume

from . import objects
from .claim_case import ClaimCase
from .installation import THICK
from .objects import PATH
from .stage import VOLUME_GROUP


class Failures(ClaimCase):
    def test_a_volume_that_cannot_be_created(self) -> None:
        """[E-EDGE-3, R-CSI-3, R-CSI-4, R-CSI-6]"""
        volume = LogicalVolume(self.stage.plane, self.name)
        self.addCleanup(volume.delete)
        uid = volume.create({"nodeName": NODE, "size": "100Gi", "deviceClass": "thick"})
        self.eventually("the creation fails",
                        lambda: self.stage.states.of(self.name) == ["Creating", "Failed"],
                        lambda: f"{self.stage.states.of(self.name)} {volume.read()}")
        self.assert_failure(volume.read() or {}, "CreateVolume", "space")
        self.wait_for_event(uid, "VolumeCreationFailed", "space")

    def test_a_volume_with_swap_fails_until_it_is_wiped(self) -> None:
        """[P-CSI-31, P-MOUNT-4, P-MOUNT-22, R-CSI-3, R-CSI-4, R-CSI-6]"""
        claim = self.make_claim_at_once()
        device = f"/dev/{VOLUME_GROUP}/{claim.handle()}"
        self.stage.node.shell(f"mkswap {device} && udevadm settle")

        self.create(objects.pod(self.name, "sleep infinity", {PATH: claim.name}))
        self.assert_passes(claim, "Failed")
        found = claim.logical_volume()
        self.assert_failure(found, "NodeStageVolume", "swap")
        self.wait_for_event(found["metadata"]["uid"], "Observed", "swap")
        self.wait_for_event(self.pod()["metadata"]["uid"], "FailedMount", "swap")
        self.assertEqual(self.stage.node.run(f"grep {claim.volume_name} /proc/1/mountinfo")[1], "")

        self.stage.node.shell(
            f"dd if=/dev/zero of={device} bs=1M count=1 conv=fsync && udevadm settle")
        self.wait_for_pod(self.name)
        self.assert_passes(claim, "VolumeReady", "Published")
        self.assertNotIn("csiFailure", claim.logical_volume()["status"])

    def test_a_volume_that_cannot_be_published_until_its_target_is_free(self) -> None:
        """A file is in the place of the pod's mount. [E-EDGE-7, P-CSI-37, P-MOUNT-2, P-MOUNT-22,
        R-CSI-3, R-CSI-4, R-CSI-6]"""
        claim = self.make_claim_at_once()
        pod = objects.pod(self.name, "sleep infinity", {PATH: claim.name})
        pod["spec"]["schedulingGates"] = [{"name": "case/target"}]
        self.create(pod)
        target = claim.pod_target(self.pod()["metadata"]["uid"])
        self.addCleanup(self.stage.node.run, f"chattr -i {target}; rm --force {target}")
        # kubelet tries to remove what is at the target of a publication that failed.
        self.stage.node.shell(f"mkdir --parents $(dirname {target}) && touch {target} && "
                              f"chattr +i {target}")
        self.stage.plane.kubectl("patch", "pod", self.name, "--type=json",
                                 '--patch=[{"op": "remove", "path": "/spec/schedulingGates"}]')
        # The reconciler does not write a state that ends while it writes.
        states = self.assert_passes_one_of(claim, ("VolumeReady", "Failed"), ("Failed",))
        found = claim.logical_volume()
        self.assert_failure(found, "NodePublishVolume", "is not a directory")
        self.wait_for_event(found["metadata"]["uid"],
                            "VolumePublishFailed" if "VolumeReady" in states else "Observed",
                            "is not a directory")
        self.wait_for_event(self.pod()["metadata"]["uid"], "FailedMount", "is not a directory")

        self.stage.node.shell(f"chattr -i {target} && rm --force {target}")
        self.wait_for_pod(self.name)
        self.assert_passes(claim, "Published")
        self.assertNotIn("csiFailure", claim.logical_volume()["status"])

    def test_a_volume_that_a_process_of_the_node_uses(self) -> None:
        """The process delays first the end of the pod, then that of the volume. [E-EDGE-11,
        E-EDGE-16, P-CSI-41, P-CSI-42, P-MOUNT-22, C-DELETE-2, R-CSI-3, R-CSI-4, R-CSI-6, R-DELETE-3]"""
        claim = self.make_claim(THICK)
        target = claim.pod_target(self.start_pod("sleep infinity"))
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        holder = self.hold(f"--working-directory={target}")
        self.stage.plane.kubectl("delete", "pod", self.name, "--wait=false")
        self.assert_passes(claim, "Failed")
        found = claim.logical_volume()
        self.assert_failure(found, "NodeUnpublishVolume", "sleep")
        self.wait_for_event(found["metadata"]["uid"], "VolumeUnpublishFailed", "sleep")
        self.stage.node.shell(f"systemctl stop {holder}")
        self.assert_passes(claim, "VolumeReady", "Created")

        handle = claim.handle()
        holder = self.hold(f"--property=StandardInput=file:/dev/{VOLUME_GROUP}/{handle}")
        claim.delete()
        self.assert_passes(claim, "Removing", "Failed")
        found = claim.logical_volume()
        self.assert_failure(found, "DeleteVolume", handle)
        self.wait_for_event(found["metadata"]["uid"], "VolumeRemovalFailed", handle)
        self.stage.node.shell(f"systemctl stop {holder}")
        self.assert_passes(claim, "Removed")
        self.assert_removed(claim, handle)

    def test_a_volume_that_has_grown_and_that_a_process_of_the_node_uses(self) -> None:
        """[E-EDGE-17, P-CSI-42, P-MOUNT-22, R-CSI-3, R-CSI-4, R-CSI-6]"""
        claim = self.make_claim(THICK)
        target = claim.pod_target(self.start_pod("sleep infinity"))
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        claim.request("320Mi")
        self.assert_passes(claim, "Resizing", "Resized")
        holder = self.hold(f"--working-directory={target}")
        self.stage.plane.kubectl("delete", "pod", self.name, "--wait=false")
        self.assert_passes(claim, "Failed")
        found = claim.logical_volume()
        self.assert_failure(found, "NodeUnpublishVolume", "sleep")
        self.wait_for_event(found["metadata"]["uid"], "VolumeFailedAfterExpansion", "sleep")
        self.stage.node.shell(f"systemctl stop {holder}")
        self.assert_passes(claim, "VolumeReady", "Created")

    def assert_failure(self, found: dict[str, Any], call: str, words: str) -> None:
        failure = found["status"]["csiFailure"]
        self.assertEqual(failure["call"], call)
        self.assertRegex(failure["reason"], r"^[A-Z][A-Za-z]+$")
        self.assertIn(words, failure["message"])

"""Calls that fail, and succeed once their cause is gone. The ids in brackets are rules of
docs/protocol.md and docs/reconciler.md (R-)."""

from __future__ import annotations

from typing import Any

from tests.e2e.kube import NODE
from tests.e2e.logical_volume import LogicalVolume

from . import objects
from .claim import Claim
from .claim_case import ClaimCase
from .installation import AT_ONCE, THICK
from .objects import PATH
from .stage import VOLUME_GROUP


class Failures(ClaimCase):
    def test_a_volume_that_cannot_be_created(self) -> None:
        """[R-CSI-3, R-CSI-4, R-CSI-6]"""
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

    def test_a_volume_that_a_process_of_the_node_uses(self) -> None:
        """The process delays first the end of the pod, then that of the volume. [P-CSI-41,
        P-CSI-42, P-MOUNT-22, C-DELETE-2, R-CSI-3, R-CSI-4, R-CSI-6, R-DELETE-3]"""
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

    def make_claim_at_once(self) -> Claim:
        """A claim that has a volume, without a pod."""
        claim = self.make_claim(AT_ONCE)
        self.wait_until_bound(claim)
        self.assert_passes(claim, "Creating", "Created")
        return claim

    def hold(self, option: str) -> str:
        """Starts a process with this option of systemd-run. Returns its unit, which the case may
        stop earlier."""
        unit = "case-holder.service"
        self.addCleanup(self.stage.node.run, f"systemctl stop {unit}")
        self.stage.node.shell(f"systemd-run --quiet --collect --service-type=exec --unit={unit} "
                              f"{option} sleep infinity")
        return unit

    def assert_failure(self, found: dict[str, Any], call: str, words: str) -> None:
        failure = found["status"]["csiFailure"]
        self.assertEqual(failure["call"], call)
        self.assertRegex(failure["reason"], r"^[A-Z][A-Za-z]+$")
        self.assertIn(words, failure["message"])

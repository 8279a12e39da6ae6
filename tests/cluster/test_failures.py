"""A volume that cannot be staged. The ids in brackets are rules of docs/protocol.md and
docs/reconciler.md (R-)."""

from __future__ import annotations

from . import objects
from .claim_case import ClaimCase
from .installation import AT_ONCE
from .objects import PATH
from .stage import VOLUME_GROUP


class Failures(ClaimCase):
    def test_a_volume_with_swap_fails_until_it_is_wiped(self) -> None:
        """[P-CSI-31, P-MOUNT-4, P-MOUNT-22, R-CSI-3, R-CSI-4, R-CSI-6]"""
        claim = self.make_claim(AT_ONCE)
        self.wait_until_bound(claim)
        self.assert_passes(claim, "Creating", "Created")
        device = f"/dev/{VOLUME_GROUP}/{claim.handle()}"
        self.stage.node.shell(f"mkswap {device} && udevadm settle")

        self.create(objects.pod(self.name, "sleep infinity", {PATH: claim.name}))
        self.assert_passes(claim, "Failed")
        found = claim.logical_volume()
        failure = found["status"]["csiFailure"]
        self.assertEqual(failure["call"], "NodeStageVolume")
        self.assertRegex(failure["reason"], r"^[A-Z][A-Za-z]+$")
        self.assertIn("swap", failure["message"])
        self.wait_for_event(found["metadata"]["uid"], "Observed", failure["message"])
        self.wait_for_event(self.pod()["metadata"]["uid"], "FailedMount", "swap")
        self.assertEqual(self.stage.node.run(f"grep {claim.volume_name} /proc/1/mountinfo")[1], "")

        self.stage.node.shell(
            f"dd if=/dev/zero of={device} bs=1M count=1 conv=fsync && udevadm settle")
        self.wait_for_pod(self.name)
        self.assert_passes(claim, "VolumeReady", "Published")
        self.assertNotIn("csiFailure", claim.logical_volume()["status"])

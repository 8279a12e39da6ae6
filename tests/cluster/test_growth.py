"""A claim grows while its pod writes. The ids in brackets are rules of docs/csi.md,
docs/protocol.md (P-) and docs/reconciler.md (R-), and goals of docs/goals.md (E-)."""

from __future__ import annotations

import json

from .claim import Claim
from .claim_case import MIB, ClaimCase
from .installation import THICK, THIN
from .objects import PATH, WRITER

_LARGER = "512Mi"
_TOO_LARGE = "100Gi"


class Growth(ClaimCase):
    def test_a_claim_grows_while_its_pod_writes(self) -> None:
        """[E-EDGE-8, E-EDGE-13..14, C-GROW-1, C-GROW-4, P-CSI-24, P-CSI-43, R-CSI-3, R-GROW-1]"""
        claim = self.make_claim(THIN)
        numbers = f"{claim.pod_target(self.start_pod(WRITER))}/numbers"
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        self.assertAlmostEqual(self.file_system_bytes(), 240 * MIB, delta=16 * MIB)
        claim.request(_LARGER)
        self.assert_passes(claim, "Resizing", "Resized")
        self.assert_grown(claim)
        self.assert_writes_on(numbers)
        self.delete_pod()
        self.assert_passes(claim, "VolumeReady", "Created")

    def test_a_claim_grows_before_its_first_pod(self) -> None:
        """[E-EDGE-6, E-EDGE-13..14, C-GROW-1, C-GROW-4, R-CSI-3, R-CSI-6]"""
        claim = self.make_claim_at_once()
        claim.request(_LARGER)
        self.assert_passes(claim, "Resizing", "Resized")
        self.start_pod("sleep infinity")
        self.assert_passes(claim, "Published")
        self.assert_grown(claim)

    def test_a_growth_without_space_fails_until_less_is_requested(self) -> None:
        """[E-EDGE-15, C-GROW-3, P-RESIZE-3, R-CSI-3, R-CSI-4, R-CSI-6]"""
        claim = self.make_claim(THICK)
        numbers = f"{claim.pod_target(self.start_pod(WRITER))}/numbers"
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        claim.request(_TOO_LARGE)
        failure = self.eventually(
            "the growth fails", lambda: claim.logical_volume()["status"].get("csiFailure"),
            self.shown(claim))
        self.assertEqual((failure["call"], failure["reason"]),
                         ("ControllerExpandVolume", "NotEnoughSpace"))
        self.wait_for_event(claim.handle(), "VolumeExpansionFailed")
        self.wait_for_event(claim.uid, "VolumeResizeFailed", "OutOfRange")

        claim.request(_LARGER)
        # Each call of the resizer is another attempt.
        self.assert_repeats(claim, "Resizing", "Failed", until=("Resizing", "Resized"))
        self.assert_grown(claim)
        self.assert_writes_on(numbers)
        # The resizer repeats the first call at once.
        self.assertEqual([event["message"] for event in self.events(claim.uid)
                          if "DeadlineExceeded" in event["message"]], [])

    def assert_grown(self, claim: Claim) -> None:
        """Waits until the claim and its file system have grown to _LARGER."""
        self.eventually("kubelet is to grow the file system",
                        lambda: claim.volume()["spec"]["capacity"]["storage"] == _LARGER,
                        self.shown(claim))
        # Without a change of the pod, kubelet looks at its volumes once a minute.
        self.stage.plane.kubectl("annotate", "pod", self.name, "case=look")
        self.eventually("the claim has grown",
                        lambda: claim.read()["status"]["capacity"]["storage"] == _LARGER,
                        lambda: json.dumps(claim.read()["status"], indent=2))
        self.assertEqual(claim.logical_volume()["status"]["currentSize"], _LARGER)
        self.assertAlmostEqual(self.file_system_bytes(), 490 * MIB, delta=22 * MIB)

    def file_system_bytes(self) -> int:
        """The size of the pod's file system."""
        return 1024 * int(self.in_pod(f"df -kP {PATH} | tail -n 1").split()[1])

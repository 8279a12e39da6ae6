"""The parts of the node and of the driver restart below a pod that writes. The restart of kubelet
is in test_propagation.py."""

from __future__ import annotations

from .claim_case import ClaimCase
from .installation import AT_ONCE, THICK
from .objects import WRITER


class Restarts(ClaimCase):
    def test_a_pod_writes_on_while_everything_else_restarts(self) -> None:
        """[E-FLOW-9, P-CSI-2, R-CSI-2, C-SERVE-3]"""
        claim = self.make_claim(THICK)
        numbers = f"{claim.pod_target(self.start_pod(WRITER))}/numbers"
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        container = self.container()["containerID"]
        for restart in (
                lambda: self.stage.node.shell("systemctl restart lvmd.service"),
                lambda: self.stage.node.shell("systemctl restart containerd.service"),
                self.stage.reconciler.restart,
                self.stage.controller.restart):
            restart()
            self.assert_writes_on(numbers)
        # All of them work.
        other = self.make_claim(AT_ONCE, suffix="-other")
        self.wait_until_bound(other)
        self.in_pod("true")
        self.assertEqual(self.container()["containerID"], container)
        self.delete_pod()
        self.assert_passes(claim, "VolumeReady", "Created")

    def test_a_pod_writes_on_while_the_control_plane_restarts(self) -> None:
        """[E-FLOW-9]"""
        claim = self.make_claim(THICK)
        numbers = f"{claim.pod_target(self.start_pod(WRITER))}/numbers"
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        container = self.container()["containerID"]
        self.stage.plane.restart()
        self.stage.states.watch()
        self.assert_writes_on(numbers)
        # All parts have found the API server again.
        claim.request("320Mi")
        self.assert_passes(claim, "Resizing", "Resized")
        other = self.make_claim(AT_ONCE, suffix="-other")
        self.wait_until_bound(other)
        self.assertEqual(self.container()["containerID"], container)
        self.delete_pod()
        self.assert_passes(claim, "VolumeReady", "Created")

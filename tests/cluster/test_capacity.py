"""The scheduler knows the free space of a node, and a claim waits for it. The ids in brackets are
rules of docs/csi.md and docs/reconciler.md (R-)."""

from __future__ import annotations

from . import objects
from .capacity_case import CapacityCase
from .claim import Claim
from .claim_case import MIB
from .installation import AT_ONCE, THICK, THIN, THIN_XFS
from .objects import PATH

_WANTED = "1Gi"
_LEFT = 512 * MIB


class Capacity(CapacityCase):
    def test_a_claim_waits_for_space(self) -> None:
        """[E-FLOW-10, C-CAPA-1, C-CAPA-2, C-PLACE-1, C-PLACE-3, R-CAP-1]"""
        [node] = self.stage.nodes
        self.wait_for_capacity(node)
        self.assertEqual(set(self.capacities(node.name)), {THICK, THIN, THIN_XFS})
        self.fill(node, _LEFT)
        self.wait_for_capacity(node)

        at_once = self.make_claim(AT_ONCE, _WANTED, "-at-once")
        self.wait_for_event(at_once.uid, "ProvisioningFailed", "ResourceExhausted")
        self.assertEqual(at_once.logical_volume(), {})
        claim = self.make_claim(THICK, _WANTED)
        self.create(objects.pod(self.name, "sleep infinity", {PATH: claim.name}))
        self.wait_for_event(self.pod()["metadata"]["uid"], "FailedScheduling",
                            "not have enough free storage")
        self.assertNotIn("nodeName", self.pod()["spec"])

        self.make_room(node)
        for waiting in (at_once, claim):
            self.wait_until_bound(waiting)
            self.check_size(waiting)
        self.wait_for_pod(self.name)

    def check_size(self, claim: Claim) -> None:
        self.assertEqual(claim.logical_volume()["status"]["currentSize"], _WANTED)

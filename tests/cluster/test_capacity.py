"""The scheduler knows the free space of a node, and a claim waits for it. The ids in brackets are
rules of docs/csi.md and docs/reconciler.md (R-)."""

from __future__ import annotations

from typing import Any

from tests.e2e.csi_controller import NAMESPACE
from tests.e2e.kube import NODE

from . import objects
from .claim import Claim
from .claim_case import MIB, ClaimCase, bytes_of
from .installation import AT_ONCE, DRIVER, THICK, THIN, THIN_XFS
from .objects import PATH

_WANTED = "1Gi"
_LEFT = 512 * MIB
_EXTENT = 4 * MIB


class Capacity(ClaimCase):
    def test_a_claim_waits_for_space(self) -> None:
        """[E-FLOW-10, C-CAPA-1, C-CAPA-2, C-PLACE-1, C-PLACE-3, R-CAP-1]"""
        self.wait_for_capacity()
        self.assertEqual(set(self.capacities()), {THICK, THIN, THIN_XFS})
        self.fill(self.free_bytes() - _LEFT)
        self.wait_for_capacity()

        at_once = self.make_claim(AT_ONCE, _WANTED, "-at-once")
        self.wait_for_event(at_once.uid, "ProvisioningFailed", "ResourceExhausted")
        self.assertEqual(at_once.logical_volume(), {})
        claim = self.make_claim(THICK, _WANTED)
        self.create(objects.pod(self.name, "sleep infinity", {PATH: claim.name}))
        self.wait_for_event(self.pod()["metadata"]["uid"], "FailedScheduling",
                            "not have enough free storage")
        self.assertNotIn("nodeName", self.pod()["spec"])

        self.stage.node.must("RemoveLV", name=self.name, device_class="thick")
        for waiting in (at_once, claim):
            self.wait_until_bound(waiting)
            self.check_size(waiting)
        self.wait_for_pod(self.name)

    def fill(self, size: int) -> None:
        """Leaves the rest of the free space to claims, until the case removes the LV."""
        self.stage.node.must("CreateLV", name=self.name, device_class="thick",
                             size_bytes=size // _EXTENT * _EXTENT)
        self.addCleanup(self.stage.node.call, "RemoveLV", name=self.name, device_class="thick")

    def free_bytes(self) -> int:
        return int(self.stage.node.must("GetFreeBytes", device_class="thick")["free_bytes"])

    def check_size(self, claim: Claim) -> None:
        self.assertEqual(claim.logical_volume()["status"]["currentSize"], _WANTED)

    def capacities(self) -> dict[str, dict[str, Any]]:
        """By storage class, the CSIStorageCapacity of the node."""
        path = f"/apis/storage.k8s.io/v1/namespaces/{NAMESPACE}/csistoragecapacities"
        found = (self.stage.plane.read(path) or {})["items"]
        for entry in found:
            self.assertEqual(entry["nodeTopology"]["matchLabels"], {f"topology.{DRIVER}/node": NODE})
        return {entry["storageClassName"]: entry for entry in found}

    def wait_for_capacity(self) -> None:
        """Waits until the API shows what lvmd has."""
        def shown() -> tuple[int, ...]:
            entry = self.capacities().get(THICK, {})
            return tuple(bytes_of(entry[key]) for key in ("capacity", "maximumVolumeSize")
                         if key in entry)

        self.eventually("the free space is known", lambda: shown() == (self.free_bytes(),) * 2,
                        lambda: f"{shown()} instead of {self.free_bytes()}")

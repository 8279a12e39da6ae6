"""The base class of the cases about the free space of nodes."""

from __future__ import annotations

from typing import Any

from tests.e2e.csi_controller import NAMESPACE

from .claim_case import MIB, ClaimCase, bytes_of
from .cluster_node import ClusterNode
from .installation import DRIVER, THICK

_EXTENT = 4 * MIB
_TOPOLOGY = f"topology.{DRIVER}/node"


class CapacityCase(ClaimCase):
    def fill(self, node: ClusterNode, left: int) -> None:
        """Leaves this number of bytes to claims of the class THICK, until `make_room`."""
        node.node.must("CreateLV", name=self.name, device_class="thick",
                       size_bytes=(self.free_bytes(node) - left) // _EXTENT * _EXTENT)
        self.addCleanup(node.node.call, "RemoveLV", name=self.name, device_class="thick")

    def make_room(self, node: ClusterNode) -> None:
        """Ends `fill`."""
        node.node.must("RemoveLV", name=self.name, device_class="thick")

    def free_bytes(self, node: ClusterNode) -> int:
        return int(node.node.must("GetFreeBytes", device_class="thick")["free_bytes"])

    def capacities(self, node: str) -> dict[str, dict[str, Any]]:
        """By storage class, the CSIStorageCapacity of the node with this name."""
        path = f"/apis/storage.k8s.io/v1/namespaces/{NAMESPACE}/csistoragecapacities"
        found = (self.stage.plane.read(path) or {})["items"]
        return {entry["storageClassName"]: entry for entry in found
                if entry["nodeTopology"]["matchLabels"] == {_TOPOLOGY: node}}

    def wait_for_capacity(self, node: ClusterNode) -> None:
        """Waits until the API shows what the node's lvmd has."""
        def shown() -> tuple[int, ...]:
            entry = self.capacities(node.name).get(THICK, {})
            return tuple(bytes_of(entry[key]) for key in ("capacity", "maximumVolumeSize")
                         if key in entry)

        self.eventually(f"the free space of {node.name} is known",
                        lambda: shown() == (self.free_bytes(node),) * 2,
                        lambda: f"{shown()} instead of {self.free_bytes(node)}")

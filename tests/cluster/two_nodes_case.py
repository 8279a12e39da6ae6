"""The base class of the cases about a cluster of two nodes."""

from __future__ import annotations

from . import objects, two_nodes_stage
from .capacity_case import CapacityCase
from .claim import Claim
from .cluster_node import ClusterNode
from .installation import DRIVER
from .objects import PATH
from .stage import VOLUME_GROUP

_FILES = 4
WRITE = f"""
cd {PATH}
for i in $(seq {_FILES}); do dd if=/dev/urandom of=$i bs=1M count=4 2>/dev/null; done
sha256sum [0-9] >sums && sync && touch /tmp/ready && sleep infinity
"""
"""Writes files with random content, and waits. Until /tmp/ready exists, it writes."""
CHECK = f"cd {PATH} && sha256sum -c sums && sleep infinity"
"""The container ends with an error if one of the files that WRITE has written is not complete."""


class TwoNodesCase(CapacityCase):
    stage: two_nodes_stage.TwoNodesStage
    limit_seconds = 300.0

    @classmethod
    def setUpClass(cls) -> None:
        cls.stage = two_nodes_stage.shared()

    def setUp(self) -> None:
        super().setUp()
        self.first, self.second = self.stage.nodes

    def cordon(self, node: ClusterNode) -> None:
        """Until `uncordon`, no pod starts on the node."""
        self.addCleanup(self.uncordon, node)
        self.stage.plane.kubectl("cordon", node.name)

    def uncordon(self, node: ClusterNode) -> None:
        self.stage.plane.kubectl("uncordon", node.name)

    def start(self, claim: Claim, script: str = "sleep infinity") -> str:
        """A pod for the claim, with its name, on any node. Returns its UID at once."""
        self.create(objects.pod(claim.name, script, {PATH: claim.name}))
        return self.pod(claim.name)["metadata"]["uid"]

    def write(self, pod: str) -> str:
        """Waits until the pod with WRITE has written. Returns the sums of its files."""
        self.eventually(f"the pod {pod} has written",
                        lambda: self.in_pod("ls /tmp", pod) == "ready",
                        lambda: self.in_pod(f"ls -la {PATH}", pod))
        return self.in_pod(f"cat {PATH}/sums", pod)

    def assert_has(self, pod: str, sums: str) -> None:
        """The pod with CHECK has found complete files, which have these sums."""
        self.eventually(
            f"the pod {pod} has checked its files",
            lambda: self.stage.plane.kubectl("logs", pod).count(": OK") == _FILES,
            lambda: self.stage.plane.kubectl("logs", pod))
        self.assertEqual(self.in_pod(f"cat {PATH}/sums", pod), sums)

    def assert_is_on(self, claim: Claim, node: ClusterNode) -> None:
        """The pod with the claim's name, its objects and its LV."""
        self.assertEqual(self.pod(claim.name)["spec"]["nodeName"], node.name)
        self.assert_volume_is_on(claim, node)

    def assert_volume_is_on(self, claim: Claim, node: ClusterNode) -> None:
        self.assertEqual(claim.logical_volume()["spec"]["nodeName"], node.name)
        [term] = claim.volume()["spec"]["nodeAffinity"]["required"]["nodeSelectorTerms"]
        self.assertEqual(term["matchExpressions"], [
            {"key": f"topology.{DRIVER}/node", "operator": "In", "values": [node.name]}])
        for one in self.stage.nodes:
            if one.is_on:
                self.assertEqual(claim.handle() in self.volumes(one), one is node)

    def volumes(self, node: ClusterNode) -> list[str]:
        """The names of all LVs of the node."""
        return node.node.shell(f"lvs --noheadings --options=lv_name {VOLUME_GROUP}").split()

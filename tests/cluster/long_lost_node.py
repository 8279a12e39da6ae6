"""A node of two loses its power: it comes back, or it is given up. The ids in brackets are rules of
docs/csi.md, docs/protocol.md (P-) and docs/reconciler.md (R-), and goals of docs/goals.md (E-)."""

from __future__ import annotations

from typing import Any

from tests.e2e import kubernetes_document
from tests.e2e.online_snapshots import CLASS as STORED

from . import objects
from .claim import Claim
from .claim_case import SIZE
from .cluster_node import ClusterNode
from .installation import THICK, THIN
from .objects import PATH
from .two_nodes_case import CHECK, WRITE, TwoNodesCase

_OTHER_NODE = "didn't match PersistentVolume's node affinity"
# Also after a restart.
_KEEP = f"if test -e {PATH}/sums; then {CHECK}; else {WRITE} fi"

_LIST_AND_WRITE = f"ls {PATH} >/tmp/found && touch {PATH}/written && sync && sleep infinity"


class LostNode(TwoNodesCase):
    # Kubernetes deletes the pods of a node that is gone after a minute or more.
    limit_seconds = 420.0

    def test_a_node_comes_back(self) -> None:
        """Meanwhile its volume stays on it, in the state that it had, and no pod gets another one.
        Then its pod goes on with its data. [E-FLOW-9, P-CSI-34, R-CSI-3]"""
        claim = self.make_claim(THIN)
        self.cordon(self.second)
        uid = self.run_pod(self.keeping_pod(claim))
        sums = self.write(claim.name)
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        self.uncordon(self.second)

        self.lose_power()
        waiting = f"{claim.name}-waiting"
        self.create(objects.pod(waiting, CHECK, {PATH: claim.name}))
        self.wait_for_event(self.pod(waiting)["metadata"]["uid"], "FailedScheduling", _OTHER_NODE)
        self.assertEqual(claim.logical_volume()["status"]["csiStatus"], "Published")
        self.assertEqual(self.volumes(self.second), ["pool"])

        self.first.power_on()
        for name in (claim.name, waiting):
            self.wait_for_pod(name)
            self.assert_has(name, sums)
        self.assertEqual(self.pod(claim.name)["metadata"]["uid"], uid)
        self.assert_is_on(claim, self.first)

    def test_a_node_is_given_up(self) -> None:
        """With the commands of docs/kubernetes.md. The pod of a StatefulSet gets an empty volume on
        the other node, and what was stored fills a volume there. [C-PLACE-5, C-SNAP-3,
        R-ONLINE-2]"""
        self.cordon(self.second)
        source = self.make_claim(THIN)
        self.start(source, WRITE)
        self.wait_for_pod(source.name)
        sums = self.write(source.name)
        self.create(objects.snapshot(self.name, source.name, STORED))
        self.wait_for_snapshot(self.name)
        set_name = f"{self.name}-set"
        of_set = self.start_set(set_name)
        lost = {claim.handle() for claim in (source, of_set)}
        self.assertLessEqual(lost, set(self.volumes(self.first)))
        self.uncordon(self.second)

        self.lose_power()
        for block in kubernetes_document.sections()["A node that is lost"]:
            done = kubernetes_document.run_block(self.stage.plane, block, LOST=self.first.name)
            self.assertEqual(done.returncode, 0, done.stdout)
        for claim in (source, of_set):
            self.wait_until_removed(claim)
        self.wait_for_pod(f"{set_name}-0")
        self.assertNotIn("written", self.found(f"{set_name}-0"))
        self.assert_volume_is_on(Claim(self.stage.plane, of_set.name), self.second)
        restored = self.make_claim(THICK, SIZE, "-restored", objects.of_snapshot(self.name))
        self.start(restored, CHECK)
        self.wait_for_pod(restored.name)
        self.assert_has(restored.name, sums)
        self.assert_is_on(restored, self.second)

        # It should not start again. If it does, it is a new node, and what it has stays.
        self.first.power_on()
        self.addCleanup(self.remove_volumes, self.first, lost)
        self.assertLessEqual(lost, set(self.volumes(self.first)))

    def lose_power(self) -> None:
        """Returns when the cluster knows that the first node is away. What is created until then
        needs the node for its removal."""
        self.addCleanup(self.first.power_on)
        self.first.power_off()
        self.eventually("the node is not ready", lambda: self.ready(self.first) == "Unknown",
                        lambda: self.ready(self.first))

    def ready(self, node: ClusterNode) -> str:
        found = self.stage.plane.read(f"/api/v1/nodes/{node.name}") or {}
        [condition] = [one for one in found["status"]["conditions"] if one["type"] == "Ready"]
        return str(condition["status"])

    def keeping_pod(self, claim: Claim) -> dict[str, Any]:
        pod = objects.pod(claim.name, _KEEP, {PATH: claim.name})
        pod["spec"]["restartPolicy"] = "Always"
        return pod

    def start_set(self, name: str) -> Claim:
        """A StatefulSet with one pod, which runs. Returns its claim."""
        claim_name = f"data-{name}-0"
        self.addCleanup(self.stage.plane.kubectl, "delete", "persistentvolumeclaim", claim_name,
                        "--ignore-not-found", "--timeout=90s")
        self.create(objects.stateful_set(name, _LIST_AND_WRITE,
                                         objects.claim("data", THIN, SIZE), replicas=1))
        path = f"/api/v1/namespaces/default/pods/{name}-0"
        self.eventually("the pod of the set exists", lambda: self.stage.plane.read(path),
                        lambda: path)
        self.wait_for_pod(f"{name}-0")
        self.assertNotIn("written", self.found(f"{name}-0"))
        return Claim(self.stage.plane, claim_name)

    def found(self, pod: str) -> list[str]:
        """What the volume of a pod with _LIST_AND_WRITE had at first. Returns when it has
        written."""
        self.eventually(f"the pod {pod} has written",
                        lambda: "written" in self.in_pod(f"ls {PATH}", pod), lambda: pod)
        return self.in_pod("cat /tmp/found", pod).split()

    def remove_volumes(self, node: ClusterNode, names: set[str]) -> None:
        """Removes what no object refers to."""
        for name in names:
            node.node.must("RemoveLV", name=name, device_class="thin")

"""A cluster of two nodes: where claims get their volumes, and a claim that is filled on the other
node. The ids in brackets are rules of docs/csi.md, docs/protocol.md (P-) and
docs/reconciler.md (R-), and goals of docs/goals.md (E-)."""

from __future__ import annotations

import os
import signal
from typing import Any

from tests.e2e.online_snapshots import CLASS as STORED
from tests.e2e.online_snapshots import COMPONENT

from . import objects
from .claim import Claim
from .claim_case import MIB, SIZE
from .installation import THICK, THIN
from .objects import PATH
from .two_nodes_case import CHECK, WRITE, TwoNodesCase


class Placement(TwoNodesCase):
    def test_a_claim_goes_to_the_node_with_room(self) -> None:
        """To the second one, to the first one, then to none. [E-FLOW-1, E-FLOW-10, C-CAPA-1,
        C-CAPA-2, C-PLACE-1, C-PLACE-3, R-CAP-1]"""
        self.fill(self.first, 1536 * MIB)
        self.fill(self.second, 2560 * MIB)
        self.wait_for_capacities()
        for suffix, size, node in (("-large", "2Gi", self.second), ("-small", "1Gi", self.first)):
            claim = self.make_claim(THICK, size, suffix)
            self.start(claim)
            self.wait_for_pod(claim.name)
            self.assert_is_on(claim, node)
            # The scheduler did not have to try.
            self.assertNotIn("ProvisioningFailed",
                             [event["reason"] for event in self.events(claim.uid)])
            self.wait_for_capacities()

        waiting = self.make_claim(THICK, "1Gi", "-waiting")
        self.wait_for_event(self.start(waiting), "FailedScheduling",
                            "2 node(s) did not have enough free storage")
        self.assertNotIn("nodeName", self.pod(waiting.name)["spec"])
        self.assertEqual(waiting.logical_volume(), {})
        self.make_room(self.second)
        self.wait_for_pod(waiting.name)
        self.assert_is_on(waiting, self.second)

    def wait_for_capacities(self) -> None:
        for node in self.stage.nodes:
            self.wait_for_capacity(node)


class OtherNode(TwoNodesCase):
    def test_a_stored_snapshot_fills_a_volume_on_the_other_node(self) -> None:
        """The store does not answer until kubelet has asked for the volume.
        [C-PARAM-3, C-PLACE-5, C-SNAP-3, P-CSI-12, P-MOUNT-22, R-CSI-3, R-ONLINE-2, R-ONLINE-3,
        R-ONLINE-5]"""
        source = self.make_claim(THIN)
        self.cordon(self.second)
        self.start(source, WRITE)
        self.wait_for_pod(source.name)
        sums = self.write(source.name)
        self.create(objects.snapshot(self.name, source.name, STORED))
        handle = self.wait_for_snapshot(self.name)["status"]["snapshotHandle"]
        self.eventually("the snapshot's volume is removed",
                        lambda: handle not in self.volumes(self.first),
                        lambda: self.volumes(self.first))
        self.in_pod(f"rm {PATH}/1 {PATH}/sums && sync", source.name)

        self.uncordon(self.second)
        self.cordon(self.first)
        self.pause_store()
        restored = self.make_claim(THICK, SIZE, "-restored", objects.of_snapshot(self.name))
        pod = self.start(restored, CHECK)
        self.wait_for_event(pod, "FailedMount", "is not whole")
        self.assertNotEqual(self.restore_of(restored)["phase"], "Succeeded")
        self.assertEqual(self.pod(restored.name)["status"]["phase"], "Pending")
        self.assert_passes(restored, "Creating")
        self.resume_store()
        self.wait_for_pod(restored.name)
        # Nothing has failed. kubelet may stage the volume as soon as it is whole.
        self.assert_passes_one_of(restored, ("Created", "VolumeReady", "Published"),
                                  ("VolumeReady", "Published"))
        self.assert_has(restored.name, sums)
        self.assert_is_on(restored, self.second)
        self.assertEqual(self.restore_of(restored)["phase"], "Succeeded")

    def test_kubelet_asks_for_a_volume_before_its_restore_has_begun(self) -> None:
        """The reconciler may not read PersistentVolumes, so it cannot begin. [P-CSI-12,
        R-ONLINE-3]"""
        source = self.make_claim(THIN)
        self.start(source, WRITE)
        self.wait_for_pod(source.name)
        sums = self.write(source.name)
        self.create(objects.snapshot(self.name, source.name, STORED))
        self.wait_for_snapshot(self.name)
        rights = COMPONENT / "rbac.yaml"
        self.addCleanup(self.stage.plane.apply, rights)
        self.stage.plane.kubectl("patch", "clusterrole", "lvmd-reconciler-snapshots", "--type=json",
                                 '--patch=[{"op": "remove", "path": "/rules/1"}]')
        restored = self.make_claim(THICK, SIZE, "-restored", objects.of_snapshot(self.name))
        pod = self.start(restored, CHECK)
        self.wait_for_event(pod, "FailedMount", "is not whole")
        self.stage.plane.apply(rights)
        self.wait_for_pod(restored.name)
        self.assert_has(restored.name, sums)

    def test_a_snapshot_that_is_not_stored_stays_on_its_node(self) -> None:
        """The claim waits with the reason while its pod can run on the other node only.
        [C-PLACE-4]"""
        source = self.make_claim(THIN)
        self.cordon(self.second)
        self.start(source, WRITE)
        self.wait_for_pod(source.name)
        sums = self.write(source.name)
        self.create(objects.snapshot(self.name, source.name))
        self.wait_for_snapshot(self.name)

        self.uncordon(self.second)
        self.cordon(self.first)
        restored = self.make_claim(THIN, SIZE, "-restored", objects.of_snapshot(self.name))
        self.start(restored, CHECK)
        self.wait_for_event(restored.uid, "ProvisioningFailed",
                            "code = ResourceExhausted desc = the source is on node "
                            f"{self.first.name}, which accessibility_requirements does not permit")
        self.assertEqual(restored.logical_volume(), {})
        self.assertNotIn("nodeName", self.pod(restored.name)["spec"])
        self.cordon(self.second)
        self.uncordon(self.first)
        self.wait_for_pod(restored.name)
        self.assert_has(restored.name, sums)
        self.assert_is_on(restored, self.first)

    def pause_store(self) -> None:
        """Until `resume_store`, the store accepts connections and answers nothing."""
        self.addCleanup(self.resume_store)
        os.kill(self.stage.store.pid, signal.SIGSTOP)

    def resume_store(self) -> None:
        os.kill(self.stage.store.pid, signal.SIGCONT)

    def restore_of(self, claim: Claim) -> dict[str, Any]:
        return claim.logical_volume()["status"]["snapshot"]

"""The base class of cases about the driver in the pods of its manifests."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e import csi_controller

from . import objects, pod_stage
from .claim import Claim
from .kill_case import KillCase
from .objects import WRITER
from .stage import VOLUME_GROUP

# Classes of packaging/kubernetes/csi/examples.
THICK, THIN = "lvmd-thick", "lvmd-thin"
TAKE_OVER_SECONDS = 240.0
"""Until a lease has expired, and another replica has looked at it; and time for the work itself."""

_SNAPSHOTS = "lvmd-thin"
_CONTENTS = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents"


class PodCase(KillCase):
    stage: pod_stage.PodStage

    @classmethod
    def setUpClass(cls) -> None:
        cls.stage = pod_stage.shared()

    def delete(self, pod: str, namespace: str) -> None:
        """Begins to delete the pod of the driver."""
        self.stage.plane.kubectl("delete", "pod", pod, f"--namespace={namespace}", "--wait=false")

    def holder(self, lease: str) -> str:
        """The pod of the leader."""
        found = self.stage.plane.read("/apis/coordination.k8s.io/v1/namespaces/"
                                      f"{csi_controller.NAMESPACE}/leases/{lease}") or {}
        return str(found.get("spec", {}).get("holderIdentity", ""))

    def controller(self, name: str) -> dict[str, Any]:
        """The pod of csi-controller with this name."""
        [found] = [pod for pod in self.stage.controllers() if pod["metadata"]["name"] == name]
        return found

    def restarts(self, pod: str, container: str) -> int:
        """How often kubelet has started the container again."""
        [status] = [status for status in self.controller(pod)["status"]["containerStatuses"]
                    if status["name"] == container]
        return int(status["restartCount"])

    def start_writer(self) -> tuple[Claim, str]:
        """A pod that writes to a claim. Returns the claim and the path of its file on the node."""
        claim = self.make_claim(THIN)
        return claim, f"{claim.pod_target(self.start_pod(WRITER))}/numbers"

    def wait_until_large(self, claim: Claim, size: str) -> None:
        """Waits until the volume of the claim has this size, and the cluster knows it."""
        self.eventually(f"{claim} grows to {size}",
                        lambda: claim.volume()["spec"]["capacity"]["storage"] == size
                        and claim.logical_volume()["status"]["currentSize"] == size,
                        self.shown(claim), TAKE_OVER_SECONDS)

    def take_snapshot(self, name: str, source: Claim) -> None:
        """Begins to."""
        # Runs after the deletion of the snapshot, which does not wait for its content.
        self.addCleanup(self.wait_until_content_is_gone, name)
        manifest = objects.snapshot(name, source.name)
        manifest["spec"]["volumeSnapshotClassName"] = _SNAPSHOTS
        self.create(manifest)

    def wait_until_content_is_gone(self, snapshot: str) -> None:
        """Waits until the snapshot has no VolumeSnapshotContent."""
        def contents() -> list[dict[str, Any]]:
            return [entry for entry in (self.stage.plane.read(_CONTENTS) or {})["items"]
                    if entry["spec"]["volumeSnapshotRef"]["name"] == snapshot]

        self.eventually(f"the content of the snapshot {snapshot} is gone", lambda: not contents(),
                        lambda: json.dumps(contents(), indent=2))

    def wait_for_work(self, claims: list[Claim], limit: float = TAKE_OVER_SECONDS) -> None:
        """Waits until the claims are bound."""
        for claim in claims:
            self.eventually(f"{claim} is bound",
                            lambda: claim.read()["status"]["phase"] == "Bound", self.shown(claim),
                            limit)

    def assert_each_has_one_volume(self, claims: list[Claim], snapshots: int = 0) -> None:
        """Of these claims each has one PersistentVolume, one LogicalVolume and one LV, and so many
        snapshots have a LogicalVolume and an LV. There is no other one."""
        names = sorted(claim.volume_name for claim in claims)
        plane = self.stage.plane
        volumes = (plane.read("/api/v1/persistentvolumes") or {})["items"]
        self.assertEqual(sorted(entry["metadata"]["name"] for entry in volumes), names)
        logical = (plane.read("/apis/topolvm.io/v1/logicalvolumes") or {})["items"]
        self.assertEqual(sorted(entry["metadata"]["name"] for entry in logical
                                if not entry["metadata"]["name"].startswith("snapshot-")), names)
        self.assertEqual(len(logical), len(names) + snapshots)
        lvs = self.stage.node.shell(f"lvs --noheadings --options=lv_name {VOLUME_GROUP}").split()
        self.assertEqual(sorted(lvs), sorted(
            ["pool", *(entry["status"]["volumeID"] for entry in logical)]))

"""The objects behind an online snapshot. In a cluster, controllers create them; here the cases
do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e.kube import ControlPlane

from .daemon_pod import PACKAGING

COMPONENT = PACKAGING / "online-snapshots"
NAMESPACE = "lvmd-snapshots"
CLASS, STORAGE, SECRET = "stored", "local", "local"
REPOSITORIES = "/var/lib/lvmd/repositories"
_FIXTURES = Path(__file__).parent / "snapshot_crds.yaml"


class OnlineSnapshots:
    """Storage, secret and class, and for each snapshot or volume the objects that a CSI driver's
    sidecars would create."""

    def __init__(self, plane: ControlPlane) -> None:
        self._plane = plane

    def install(self) -> None:
        """With the kinds of snapshots, and a storage in a folder of the node."""
        self._plane.apply(_FIXTURES)
        self.install_component()
        self.install_storage({"provider": "local",
                              "local": {"path": REPOSITORIES, "secretName": SECRET}})

    def install_component(self) -> None:
        for file in ("crd.yaml", "namespace.yaml", "admission-policy.yaml", "rbac.yaml"):
            self._plane.apply(COMPONENT / file)

    def install_storage(self, storage: dict[str, Any]) -> None:
        """And its secret and its class."""
        self.apply({"apiVersion": "v1", "kind": "Secret",
                    "metadata": {"name": SECRET, "namespace": NAMESPACE},
                    "stringData": {"RESTIC_PASSWORD": "of the tests"}})
        self.apply(self.storage(storage))
        self.apply({"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass",
                    "metadata": {"name": CLASS}, "driver": "topolvm.io", "deletionPolicy": "Delete",
                    "parameters": {"topolvm.io/snapshotMode": "online",
                                   "topolvm.io/snapshotStorageName": STORAGE,
                                   "topolvm.io/snapshotStorageNamespace": NAMESPACE}})

    def withdraw_rights(self) -> None:
        """After this, the reconciler has the rights of the base only."""
        self._plane.kubectl("delete", "--ignore-not-found", f"--filename={COMPONENT / 'rbac.yaml'}")

    def storage(self, storage: dict[str, Any], **spec: Any) -> dict[str, Any]:
        return {"apiVersion": "topolvm.io/v1", "kind": "SnapshotBackupStorage",
                "metadata": {"name": STORAGE, "namespace": NAMESPACE},
                "spec": {"storage": storage, **spec}}

    def read(self, name: str) -> dict[str, Any]:
        """The current storage of that name."""
        return dict(json.loads(self._plane.kubectl(
            "get", "snapshotbackupstorage", name, f"--namespace={NAMESPACE}", "--output=json")))

    def content(self, snapshot: str) -> None:
        """The VolumeSnapshotContent of the snapshot with that spec.name."""
        self.apply({"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotContent",
                    "metadata": {"name": snapshot.replace("snapshot", "snapcontent", 1)},
                    "spec": {"volumeSnapshotClassName": CLASS}})

    def persistent_volume(self, name: str, claim: str) -> None:
        """The PersistentVolume of that name, of the claim shop/`claim`."""
        self.apply({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
                    "spec": {"capacity": {"storage": "64Mi"}, "accessModes": ["ReadWriteOnce"],
                             "csi": {"driver": "topolvm.io", "volumeHandle": name},
                             "claimRef": {"namespace": "shop", "name": claim}}})

    def apply(self, manifest: dict[str, Any]) -> None:
        self._plane.kubectl("apply", "--filename=-", input=json.dumps(manifest))

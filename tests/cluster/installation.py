"""What an administrator applies to the cluster: lvmd's manifests, the definitions of snapshots, the
driver and its classes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e.kube import ControlPlane
from tools.go.build import module_folder

DRIVER = "topolvm.io"
NAMESPACE = "lvmd-system"
ACCOUNT = "csi-controller"
"""The service account of csi-controller, with no other rights than docs/csi.md names."""
THICK = "thick"
THIN = "thin"
THIN_XFS = "thin-xfs"
AT_ONCE = "thick-at-once"
"""A claim of this class gets its volume before a pod uses it."""
SNAPSHOTS = "lvmd"
"""The class of all snapshots."""

_PACKAGING = Path(__file__).resolve().parents[2] / "packaging/kubernetes"
_SNAPSHOT_KINDS = ("volumesnapshotclasses", "volumesnapshotcontents", "volumesnapshots")


def install(plane: ControlPlane, cache: Path) -> None:
    """`cache`: the folder of the Go programs. On return, all kinds are served."""
    definitions = sources("kubernetes", "github.com/kubernetes-csi/external-snapshotter/client/v8",
                          cache) / "config/crd"
    for kind in _SNAPSHOT_KINDS:
        plane.kubectl("apply", f"--filename={definitions}/snapshot.storage.k8s.io_{kind}.yaml")
    plane.apply(_PACKAGING)
    items = [*_account(), _driver(), _storage_class(THICK, "thick", "ext4"),
             _storage_class(THIN, "thin", "ext4"), _storage_class(THIN_XFS, "thin", "xfs"),
             _storage_class(AT_ONCE, "thick", "ext4", binding="Immediate"), _snapshot_class()]
    plane.kubectl("apply", "--filename=-",
                  input=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))


def _driver() -> dict[str, Any]:
    return {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": DRIVER},
            "spec": {"attachRequired": False, "fsGroupPolicy": "File", "storageCapacity": True}}


def _storage_class(name: str, device_class: str, file_system: str,
                   binding: str = "WaitForFirstConsumer") -> dict[str, Any]:
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name},
            "provisioner": DRIVER, "volumeBindingMode": binding, "allowVolumeExpansion": True,
            "parameters": {"topolvm.io/device-class": device_class,
                           "csi.storage.k8s.io/fstype": file_system}}


def _snapshot_class() -> dict[str, Any]:
    return {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass",
            "metadata": {"name": SNAPSHOTS}, "driver": DRIVER, "deletionPolicy": "Delete"}


def _account() -> list[dict[str, Any]]:
    rbac = "rbac.authorization.k8s.io"
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount",
         "metadata": {"name": ACCOUNT, "namespace": NAMESPACE}},
        {"apiVersion": f"{rbac}/v1", "kind": "ClusterRole", "metadata": {"name": ACCOUNT}, "rules": [
            {"apiGroups": [DRIVER], "resources": ["logicalvolumes"],
             "verbs": ["get", "list", "watch", "create", "patch", "delete"]},
            {"apiGroups": [""], "resources": ["nodes"], "verbs": ["list", "watch"]}]},
        {"apiVersion": f"{rbac}/v1", "kind": "ClusterRoleBinding", "metadata": {"name": ACCOUNT},
         "roleRef": {"apiGroup": rbac, "kind": "ClusterRole", "name": ACCOUNT},
         "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": NAMESPACE}]},
    ]

"""What an administrator applies to the cluster: lvmd's manifests, the definitions of snapshots, and
classes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e import csi_controller, daemon_pod
from tests.e2e.daemon_pod import PACKAGING
from tests.e2e.kube import ControlPlane
from tools.go.build import module_folder

DRIVER = "topolvm.io"
THICK = "thick"
THIN = "thin"
THIN_XFS = "thin-xfs"
AT_ONCE = "thick-at-once"
"""A claim of this class gets its volume before a pod uses it."""
SNAPSHOTS = "lvmd"
"""The class of all snapshots."""

_SNAPSHOT_KINDS = ("volumesnapshotclasses", "volumesnapshotcontents", "volumesnapshots")


def install(plane: ControlPlane, cache: Path, manifests: Path) -> str:
    """`cache`: the folder of the Go programs. `manifests`: those of csi-controller. On return, all
    kinds are served. Returns a token of csi-controller's account, whose rights and restrictions are
    in force. Can be repeated.

    The Deployment has no pods: csi-controller and the sidecars run as processes of this host.
    """
    install_snapshot_kinds(plane, cache)
    plane.apply(PACKAGING)
    token = csi_controller.install(plane, manifests)
    plane.kubectl("scale", "deployment/csi-controller", "--replicas=0",
                  f"--namespace={csi_controller.NAMESPACE}")
    install_storage_classes(plane)
    plane.kubectl("apply", "--filename=-", input=json.dumps(_snapshot_class()))
    return token


def install_snapshot_kinds(plane: ControlPlane, cache: Path) -> None:
    """Applies the definitions of snapshots. `cache`: the folder of the Go programs."""
    definitions = module_folder(
        "kubernetes", "github.com/kubernetes-csi/external-snapshotter/client/v8",
        cache) / "config/crd"
    for kind in _SNAPSHOT_KINDS:
        plane.kubectl("apply", f"--filename={definitions}/snapshot.storage.k8s.io_{kind}.yaml")


def install_storage_classes(plane: ControlPlane) -> None:
    items = [_storage_class(THICK, "thick", "ext4"), _storage_class(THIN, "thin", "ext4"),
             _storage_class(THIN_XFS, "thin", "xfs"),
             _storage_class(AT_ONCE, "thick", "ext4", binding="Immediate")]
    plane.kubectl("apply", "--filename=-",
                  input=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))


def reconciler_token(plane: ControlPlane, node: str) -> bytes:
    """A token of the reconciler's account. It is bound to the Node `node`, which must exist, as
    that of a pod on this node is."""
    return plane.kubectl(
        "create", "token", daemon_pod.ACCOUNT, f"--namespace={daemon_pod.NAMESPACE}",
        "--bound-object-kind=Node", f"--bound-object-name={node}").strip().encode()


def _storage_class(name: str, device_class: str, file_system: str,
                   binding: str = "WaitForFirstConsumer") -> dict[str, Any]:
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name},
            "provisioner": DRIVER, "volumeBindingMode": binding, "allowVolumeExpansion": True,
            "parameters": {"topolvm.io/device-class": device_class,
                           "csi.storage.k8s.io/fstype": file_system}}


def _snapshot_class() -> dict[str, Any]:
    return {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshotClass",
            "metadata": {"name": SNAPSHOTS}, "driver": DRIVER, "deletionPolicy": "Delete"}

"""Manifests of the cases."""

from __future__ import annotations

from typing import Any

from tests.e2e.kube import NODE
from tools.vm.cluster import IMAGE

from .stage import DRIVER

PATH = "/data"
"""Where a pod has the file system of its volume."""
DEVICE = "/dev/volume"
"""Where a pod has the device of its volume."""

_TOPOLOGY_KEY = f"topology.{DRIVER}/node"


def static_volume(name: str, handle: str, mode: str) -> list[dict[str, Any]]:
    """A PersistentVolume for an LV that exists, and the claim that is bound to it. `mode`:
    Filesystem or Block."""
    both = {"storageClassName": "", "accessModes": ["ReadWriteOnce"], "volumeMode": mode}
    source = {"driver": DRIVER, "volumeHandle": handle}
    if mode == "Filesystem":
        source["fsType"] = "ext4"
    # kubelet puts this label on its node when the driver has registered.
    on_node = {"matchExpressions": [{"key": _TOPOLOGY_KEY, "operator": "In", "values": [NODE]}]}
    return [
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": {
            **both,
            "capacity": {"storage": "1Gi"},
            "persistentVolumeReclaimPolicy": "Retain",
            "claimRef": {"namespace": "default", "name": name},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [on_node]}},
            "csi": source}},
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": {
            **both, "volumeName": name, "resources": {"requests": {"storage": "1Gi"}}}},
    ]


def pod(name: str, claim: str, mode: str, script: str) -> dict[str, Any]:
    """A pod with the claim's volume at PATH or DEVICE. It runs `script` once."""
    place = ({"volumeMounts": [{"name": "data", "mountPath": PATH}]} if mode == "Filesystem" else
             {"volumeDevices": [{"name": "data", "devicePath": DEVICE}]})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": 1,
        "containers": [{"name": "case", "image": IMAGE, "imagePullPolicy": "Never",
                        "command": ["/bin/sh", "-c", script], **place}],
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]}}

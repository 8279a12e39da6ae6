"""Manifests of the cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.e2e.kube import NODE
from tools.vm.cluster import IMAGE

from .installation import DRIVER, SNAPSHOTS

PATH = "/data"
"""Where a pod has the file system of its volume."""
DEVICE = "/dev/volume"
"""Where a pod has the device of its volume."""
WRITER = f"""
i=0
while echo $i >>{PATH}/numbers && sync -d {PATH}/numbers; do i=$((i + 1)); sleep 0.2; done
exit 1
"""
"""Writes a number each time. Ends with an error when it cannot."""
BLOCK_WRITER = f"""
i=0
while echo $i | dd of={DEVICE} bs=512 seek=$i conv=sync,notrunc,fsync 2>/dev/null
do i=$((i + 1)); sleep 0.2; done
exit 1
"""
"""The same on a device: each number has a sector, and fills it with zero bytes."""

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


def claim(name: str, storage_class: str, size: str, mode: str = "Filesystem",
          source: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A claim for a new volume. `source`: the snapshot or claim whose content it has at first."""
    spec: dict[str, Any] = {
        "storageClassName": storage_class, "accessModes": ["ReadWriteOnce"], "volumeMode": mode,
        "resources": {"requests": {"storage": size}}}
    if source is not None:
        spec["dataSource"] = dict(source)
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name},
            "spec": spec}


def of_snapshot(name: str) -> dict[str, str]:
    return {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": name}


def of_claim(name: str) -> dict[str, str]:
    return {"kind": "PersistentVolumeClaim", "name": name}


def snapshot(name: str, claim_name: str, snapshot_class: str = SNAPSHOTS) -> dict[str, Any]:
    return {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot",
            "metadata": {"name": name}, "spec": {
                "volumeSnapshotClassName": snapshot_class,
                "source": {"persistentVolumeClaimName": claim_name}}}


def pod(name: str, script: str, claims: Mapping[str, str],
        mode: str = "Filesystem") -> dict[str, Any]:
    """A pod that runs `script` once. `claims`: by path, the claim whose volume is there. `mode`:
    that of all these volumes."""
    names = {path: f"volume-{number}" for number, path in enumerate(claims)}
    places = ({"volumeMounts": [{"name": names[path], "mountPath": path} for path in claims]}
              if mode == "Filesystem" else
              {"volumeDevices": [{"name": names[path], "devicePath": path} for path in claims]})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {
        "automountServiceAccountToken": False,
        "dnsPolicy": "Default",
        "enableServiceLinks": False,
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": 1,
        "containers": [{"name": "case", "image": IMAGE, "imagePullPolicy": "Never",
                        "command": ["/bin/sh", "-c", script], **places}],
        "volumes": [{"name": names[path], "persistentVolumeClaim": {"claimName": claim_name}}
                    for path, claim_name in claims.items()]}}


def stateful_set(name: str, script: str, template: Mapping[str, Any],
                 replicas: int) -> dict[str, Any]:
    """Pods that run `script` again and again. `template`: the claim of a pod at PATH; the claim's
    name is that of the template, then that of the pod."""
    claim_name = template["metadata"]["name"]
    spec = pod(name, script, {PATH: claim_name})["spec"]
    spec.pop("volumes")
    spec["containers"][0]["volumeMounts"][0]["name"] = claim_name
    spec["restartPolicy"] = "Always"
    labels = {"case": name}
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": name},
            "spec": {"replicas": replicas, "serviceName": name,
                     "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels}, "spec": spec},
                     "volumeClaimTemplates": [
                         {"metadata": template["metadata"], "spec": template["spec"]}]}}

"""A claim, and what it becomes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tests.e2e.kube import ControlPlane
from tests.e2e.logical_volume import LogicalVolume

from .installation import DRIVER

_KUBELET = "/var/lib/kubelet"


class Claim:
    """A claim in the namespace `default` that exists. Raises KubeError."""

    def __init__(self, plane: ControlPlane, name: str) -> None:
        self._plane = plane
        self.name = name
        self.uid = self.read()["metadata"]["uid"]
        self.volume_name = f"pvc-{self.uid}"
        """The name of its PersistentVolume and of its LogicalVolume."""
        self.object = LogicalVolume(plane, self.volume_name)

    def __str__(self) -> str:
        return f"claim {self.name} ({self.volume_name})"

    def read(self) -> dict[str, Any]:
        return self._plane.read(
            f"/api/v1/namespaces/default/persistentvolumeclaims/{self.name}") or {}

    def volume(self) -> dict[str, Any]:
        """Its PersistentVolume; empty if there is none."""
        return self._plane.read(f"/api/v1/persistentvolumes/{self.volume_name}") or {}

    def logical_volume(self) -> dict[str, Any]:
        """Its LogicalVolume; empty if there is none."""
        return self._plane.read(f"/apis/{DRIVER}/v1/logicalvolumes/{self.volume_name}") or {}

    def handle(self) -> str:
        """The name of its LV; empty before there is one."""
        return str(self.logical_volume().get("status", {}).get("volumeID", ""))

    def request(self, size: str) -> None:
        """Requests another size."""
        change = {"spec": {"resources": {"requests": {"storage": size}}}}
        self._plane.kubectl("patch", "persistentvolumeclaim", self.name, "--type=merge",
                            f"--patch={json.dumps(change)}")

    def delete(self) -> None:
        """Returns when the claim is gone, perhaps before its volume."""
        self._plane.kubectl("delete", "persistentvolumeclaim", self.name, "--timeout=90s")

    @staticmethod
    def staging_folder(handle: str) -> str:
        """kubelet's folder for the staging of the volume with this handle."""
        digest = hashlib.sha256(handle.encode()).hexdigest()
        return f"{_KUBELET}/plugins/kubernetes.io/csi/{DRIVER}/{digest}"

    def device_target(self, pod_uid: str) -> str:
        """Where a raw block volume is published for the pod."""
        return (f"{_KUBELET}/plugins/kubernetes.io/csi/volumeDevices/publish/{self.volume_name}/"
                f"{pod_uid}")

    def pod_target(self, pod_uid: str) -> str:
        return f"{_KUBELET}/pods/{pod_uid}/volumes/kubernetes.io~csi/{self.volume_name}/mount"

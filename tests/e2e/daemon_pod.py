"""A pod of the DaemonSet in the API only. It runs nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e.kube import ControlPlane

NAMESPACE = "lvmd-system"
ACCOUNT = "lvmd-reconciler"
PACKAGING = Path(__file__).resolve().parents[2] / "packaging/kubernetes"


class DaemonPod:
    """The pod on one node. Creates both in the API if they do not exist: the control plane of the
    tests has no controllers and no kubelets, which would create them."""

    def __init__(self, plane: ControlPlane, node: str) -> None:
        self._plane = plane
        self.node = node
        self.name = f"{ACCOUNT}-{node}"
        self._make({"apiVersion": "v1", "kind": "Node", "metadata": {"name": node}})
        owner = json.loads(plane.kubectl("get", "daemonset", "lvmd-reconciler", "--output=json",
                                         f"--namespace={NAMESPACE}"))
        template = owner["spec"]["template"]
        self.spec: dict[str, Any] = {**template["spec"], "nodeName": node}
        self._make({"apiVersion": "v1", "kind": "Pod", "spec": self.spec, "metadata": {
            "name": self.name, "namespace": NAMESPACE, "labels": template["metadata"]["labels"],
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "DaemonSet", "controller": True,
                                 "name": owner["metadata"]["name"],
                                 "uid": owner["metadata"]["uid"]}]}})

    def token(self) -> str:
        """The token that a kubelet would put into the pod: it is bound to the pod, and so to its
        node."""
        return self._plane.kubectl(
            "create", "token", ACCOUNT, f"--namespace={NAMESPACE}", "--bound-object-kind=Pod",
            f"--bound-object-name={self.name}").strip()

    def _make(self, manifest: dict[str, Any]) -> None:
        self._plane.kubectl("apply", "--filename=-", input=json.dumps(manifest))

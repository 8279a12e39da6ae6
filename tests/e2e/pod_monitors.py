"""The kind PodMonitor of the Prometheus Operator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .kube import ControlPlane

_KIND = "podmonitors.monitoring.coreos.com"
# With any fields.
_DEFINITION: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": _KIND},
    "spec": {"group": "monitoring.coreos.com", "scope": "Namespaced",
             "names": {"kind": "PodMonitor", "plural": "podmonitors"},
             "versions": [{"name": "v1", "served": True, "storage": True, "schema": {
                 "openAPIV3Schema": {"type": "object",
                                     "x-kubernetes-preserve-unknown-fields": True}}}]},
}


def apply(plane: ControlPlane, folder: Path, name: str, namespace: str) -> dict[str, Any]:
    """Applies the kustomization in `folder`. Returns the spec of the PodMonitor `name` in it."""
    plane.kubectl("apply", "--filename=-", input=json.dumps(_DEFINITION))
    plane.kubectl("wait", "--for=condition=Established", "--timeout=60s", f"crd/{_KIND}")
    plane.kubectl("apply", f"--kustomize={folder}")
    return dict(json.loads(plane.kubectl(
        "get", _KIND, name, "--output=json", f"--namespace={namespace}"))["spec"])

"""A cluster in the state after TopoLVM: its definitions, objects that lvmd's definitions refuse, and
its workloads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e.kube import ControlPlane

from .logical_volume import GROUP, LEGACY_GROUP

_NAMESPACE = "topolvm-system"
DEFINITIONS = Path(__file__).with_name("topolvm_crds.yaml")

_GOOD = {"name": "old", "nodeName": "vm", "size": "1Gi"}
BROKEN: dict[str, dict[str, Any] | None] = {
    "old-negative-size": {**_GOOD, "size": "-1Gi"},
    "old-without-node": {**_GOOD, "nodeName": ""},
    "old-without-access-type": {**_GOOD, "nodeName": "elsewhere", "source": "old"},
    "old-source-of-itself": {**_GOOD, "nodeName": "elsewhere", "source": "old-source-of-itself",
                             "accessType": "read"},
    "old-without-spec": None,
}
"""By name, the specs of objects that the older definition accepts and lvmd's refuses."""


def prepare(plane: ControlPlane, groups: tuple[str, ...] = (GROUP, LEGACY_GROUP)) -> None:
    """Applies TopoLVM's definitions, and creates the objects of BROKEN in each of `groups`."""
    plane.apply(DEFINITIONS)
    for group in groups:
        for name, spec in BROKEN.items():
            made = {"apiVersion": f"{group}/v1", "kind": "LogicalVolume", "metadata": {"name": name}}
            plane.kubectl("create", "--filename=-",
                          input=json.dumps(made if spec is None else {**made, "spec": spec}))


def create_workloads(plane: ControlPlane) -> None:
    """Creates a Deployment and DaemonSets with the names that TopoLVM's chart gives them. They run
    nothing."""
    items: list[dict[str, Any]] = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": _NAMESPACE}}]
    for kind, name in (("Deployment", "topolvm-controller"), ("DaemonSet", "topolvm-node"),
                       ("DaemonSet", "topolvm-lvmd-0")):
        labels = {"app.kubernetes.io/name": name}
        items.append({
            "apiVersion": "apps/v1", "kind": kind,
            "metadata": {"name": name, "namespace": _NAMESPACE}, "spec": {
                "selector": {"matchLabels": labels}, "template": {
                    "metadata": {"labels": labels},
                    "spec": {"containers": [{"name": name, "image": "localhost/topolvm"}]}}}})
    plane.kubectl("create", "--filename=-",
                  input=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))

"""A LogicalVolume object in the Kubernetes API."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.kube import ControlPlane

GROUP = "topolvm.io"
LEGACY_GROUP = "topolvm.cybozu.com"


class LogicalVolume:
    """One object, by its name and group, which need not exist. Raises KubeError."""

    def __init__(self, plane: ControlPlane, name: str, group: str = GROUP) -> None:
        self.name = name
        self.group = group
        self._plane = plane
        self._resource = f"logicalvolumes.{group}"

    def __str__(self) -> str:
        return f"{self._resource}/{self.name}"

    def create(self, spec: dict[str, Any], finalizers: tuple[str, ...] = ()) -> str:
        """Creates the object. Returns its UID, which must be the name of its volume."""
        manifest = {
            "apiVersion": f"{self.group}/v1",
            "kind": "LogicalVolume",
            "metadata": {"name": self.name, "finalizers": list(finalizers)},
            "spec": {"name": self.name, **spec},
        }
        made = self._plane.kubectl("create", "--filename=-", "--output=json",
                                   input=json.dumps(manifest))
        return json.loads(made)["metadata"]["uid"]

    def read(self) -> dict[str, Any] | None:
        """The whole object; None if it does not exist."""
        text = self._plane.kubectl("get", self._resource, self.name, "--ignore-not-found",
                                   "--output=json")
        return json.loads(text) if text.strip() else None

    def change(self, **spec: Any) -> None:
        self._patch({"spec": spec})

    def set_finalizers(self, *finalizers: str) -> None:
        self._patch({"metadata": {"finalizers": list(finalizers)}})

    def annotate(self, key: str, value: str) -> None:
        self._patch({"metadata": {"annotations": {key: value}}})

    def events(self, uid: str) -> list[dict[str, Any]]:
        """The events about the object with this UID, whether the object still exists or not."""
        text = self._plane.kubectl("get", "events", "--namespace=default", "--output=json",
                                   f"--field-selector=involvedObject.uid={uid}")
        return json.loads(text)["items"]

    def delete(self) -> None:
        """Requests the deletion. The object is deleted when its finalizers are removed."""
        self._plane.kubectl("delete", self._resource, self.name, "--wait=false",
                            "--ignore-not-found")

    def _patch(self, patch: dict[str, Any]) -> None:
        self._plane.kubectl("patch", self._resource, self.name, "--type=merge",
                            f"--patch={json.dumps(patch)}")

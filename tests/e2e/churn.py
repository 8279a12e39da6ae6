"""Random desired states of many LogicalVolume objects, and their actual states in the API."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.e2e.kube import ControlPlane

from .case import condition, status
from .logical_volume import GROUP
from .stage import NODE

_RESOURCE = f"logicalvolumes.{GROUP}"
# All are whole extents, so that a volume has exactly the requested size.
_FIRST_SIZES = (8, 12, 16)
_STEPS = (4, 8)
_LARGEST = 32
_COPY_CHANCE = 0.4
_SAME_NAME_CHANCE = 0.5


@dataclass
class RequestedVolume:
    """The desired state of one object. Sizes are in MiB."""

    name: str
    device_class: str
    size: int
    source: str = ""
    access: str = ""
    grown: bool = False
    has_copies: bool = False

    @property
    def can_have_copies(self) -> bool:
        """A copy of a volume that grows meanwhile could be refused as too small."""
        return self.device_class == "thin" and not self.source and not self.grown

    @property
    def can_grow(self) -> bool:
        return self.access != "ro" and not self.has_copies and self.size < _LARGEST

    def manifest(self) -> dict[str, Any]:
        origin = {"source": self.source, "accessType": self.access} if self.source else {}
        return {"apiVersion": f"{GROUP}/v1", "kind": "LogicalVolume",
                "metadata": {"name": self.name},
                "spec": {"name": self.name, "nodeName": NODE, "deviceClass": self.device_class,
                         "size": f"{self.size}Mi", **origin}}

    def complaints(self, found: dict[str, Any]) -> list[str]:
        """The difference between the object and the desired state."""
        wanted = {"volumeID": found["metadata"]["uid"], "currentSize": f"{self.size}Mi", "code": 0,
                  "message": "", "Ready": "True", "Resized": "True",
                  "observedGeneration": found["metadata"]["generation"]}
        is_now = {"code": 0, "message": "", **status(found)}
        is_now |= {kind: condition(found, kind).get("status") for kind in ("Ready", "Resized")}
        return [f"{self.name}: {field} is {is_now.get(field)!r}, not {value!r}"
                for field, value in wanted.items() if is_now.get(field) != value]


class Churn:
    """Objects named after `prefix`. Each change of a desired state is sent to the API at once.

    A source of a copy stays unchanged until `delete_all`; otherwise the copy could fail for ever.
    """

    def __init__(self, plane: ControlPlane, prefix: str, seed: int) -> None:
        self.requested: dict[str, RequestedVolume] = {}
        self._plane = plane
        self._prefix = f"{prefix}-"
        self._random = random.Random(seed)
        self._named = 0
        self._deleted: set[str] = set()

    def create(self, count: int) -> None:
        """Some objects have a source, and some have the name of a deleted object."""
        free = sorted(self._deleted - self.objects().keys()) if self._deleted else []
        self._apply([self._new(self._name(free)) for _ in range(count)])

    def grow(self, count: int) -> None:
        chosen = self._some(count, (volume for volume in self.requested.values() if volume.can_grow))
        for volume in chosen:
            volume.size = min(volume.size + self._random.choice(_STEPS), _LARGEST)
            volume.grown = True
        self._apply(chosen)

    def delete(self, count: int) -> None:
        chosen = self._some(count, (volume for volume in self.requested.values()
                                    if not volume.has_copies))
        self._delete([volume.name for volume in chosen])

    def delete_all(self) -> None:
        self._delete(list(self.requested))

    def objects(self) -> dict[str, dict[str, Any]]:
        """All existing objects, by name."""
        items = json.loads(self._plane.kubectl("get", _RESOURCE, "--output=json"))["items"]
        return {item["metadata"]["name"]: item for item in items
                if item["metadata"]["name"].startswith(self._prefix)}

    def complaints(self) -> list[str]:
        """The objects of the API that differ from the desired state, and those that are missing."""
        objects = self.objects()
        found = [f"{name} is still there" for name in objects.keys() - self.requested.keys()]
        for name, volume in self.requested.items():
            found += (volume.complaints(objects[name]) if name in objects
                      else [f"{name} is not there"])
        return found

    def _new(self, name: str) -> RequestedVolume:
        sources = [volume for volume in self.requested.values() if volume.can_have_copies]
        if sources and self._random.random() < _COPY_CHANCE:
            source = self._random.choice(sources)
            source.has_copies = True
            access = self._random.choice(("ro", "rw"))
            more = self._random.choice((0, *_STEPS)) if access == "rw" else 0
            volume = RequestedVolume(name, "thin", source.size + more, source.name, access)
        else:
            volume = RequestedVolume(name, self._random.choice(("thick", "thin")),
                        self._random.choice(_FIRST_SIZES))
        self.requested[name] = volume
        return volume

    def _name(self, free: list[str]) -> str:
        # The numbers are drawn in any case: deleted objects must not change the later random
        # numbers.
        old = self._random.random() < _SAME_NAME_CHANCE
        if old and free:
            name = free.pop()
            self._deleted.remove(name)
            return name
        self._named += 1
        return f"{self._prefix}{self._named}"

    def _some(self, count: int, requested: Iterable[RequestedVolume]) -> list[RequestedVolume]:
        among = list(requested)
        return self._random.sample(among, min(count, len(among)))

    def _apply(self, requested: list[RequestedVolume]) -> None:
        if requested:
            manifest = {"apiVersion": "v1", "kind": "List",
                        "items": [volume.manifest() for volume in requested]}
            self._plane.kubectl("apply", "--filename=-", input=json.dumps(manifest))

    def _delete(self, names: list[str]) -> None:
        if names:
            self._plane.kubectl("delete", _RESOURCE, *names, "--wait=false", "--ignore-not-found")
        for name in names:
            del self.requested[name]
            self._deleted.add(name)

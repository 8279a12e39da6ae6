"""The moments of claims, their volumes and their pods, as watches have shown them. Made from the
watches' lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from .samples import BenchError

Object = Mapping[str, Any]

CLAIM, VOLUME, LOGICAL_VOLUME, POD = (
    "PersistentVolumeClaim", "PersistentVolume", "LogicalVolume", "Pod")
MADE, READY, BOUND, SCHEDULED, RUNNING, GONE = (
    "made", "ready", "bound", "scheduled", "running", "gone")


def _is_bound(claim: Object) -> bool:
    return bool(claim.get("status", {}).get("phase") == "Bound")


def _has_volume(logical_volume: Object) -> bool:
    return bool(logical_volume.get("status", {}).get("volumeID"))


def _is_scheduled(pod: Object) -> bool:
    return bool(pod["spec"].get("nodeName"))


def _runs(pod: Object) -> bool:
    """Each of its containers does."""
    containers = pod.get("status", {}).get("containerStatuses", [])
    return bool(containers) and all("running" in each.get("state", {}) for each in containers)


_MOMENTS: dict[str, dict[str, Callable[[Object], bool]]] = {
    CLAIM: {BOUND: _is_bound},
    VOLUME: {},
    LOGICAL_VOLUME: {READY: _has_volume},
    POD: {SCHEDULED: _is_scheduled, RUNNING: _runs},
}


class ClaimSightings:
    def __init__(self) -> None:
        self._first: dict[tuple[str, str, str], float] = {}

    def first(self, kind: str, name: str, moment: str) -> float | None:
        """When the object of this kind and name was first seen at that moment; None before."""
        return self._first.get((kind, name, moment))

    def take(self, line: bytes, when: float) -> None:
        """Records the line, which arrived at `when`. Raises BenchError if it is not an event of one
        of these kinds."""
        try:
            event = json.loads(line)
            change, found = event["type"], event["object"]
            if change == "BOOKMARK":
                return
            kind, name = found["kind"], found["metadata"]["name"]
            if change not in ("ADDED", "MODIFIED", "DELETED"):
                raise BenchError(f"the watch failed: {line[:300]!r}")
            reached = [MADE, *(moment for moment, is_there in _MOMENTS[kind].items()
                               if is_there(found))]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BenchError(f"not an event of a watch: {line[:300]!r}") from error
        for moment in reached + ([GONE] if change == "DELETED" else []):
            self._first.setdefault((kind, name, moment), when)

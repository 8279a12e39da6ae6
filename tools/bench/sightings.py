"""The states of LogicalVolumes that a watch has shown, and their times. Made from the watch's
lines."""

from __future__ import annotations

import json
from dataclasses import dataclass

from .samples import BenchError


@dataclass
class Sighting:
    """The times at which the watch first showed each state of one object, in seconds of one clock;
    None before."""

    written: float | None = None
    """The object was changed after its creation."""
    ready: float | None = None
    """It has status.volumeID."""
    gone: float | None = None
    message: str = ""
    """The error in its status."""


class Sightings:
    def __init__(self) -> None:
        self._objects: dict[str, Sighting] = {}

    def of(self, name: str) -> Sighting:
        return self._objects.get(name, Sighting())

    def take(self, line: bytes, when: float) -> None:
        """Records the line, which arrived at `when`. Raises BenchError if it is not an event."""
        try:
            event = json.loads(line)
            kind, found = event["type"], event["object"]
            if kind == "BOOKMARK":
                return
            name, status = found["metadata"]["name"], found.get("status", {})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BenchError(f"not an event of a watch: {line[:300]!r}") from error
        if kind not in ("ADDED", "MODIFIED", "DELETED"):
            raise BenchError(f"the watch failed: {line[:300]!r}")
        seen = self._objects.setdefault(name, Sighting())
        seen.message = status.get("message", "")
        if kind == "MODIFIED" and seen.written is None:
            seen.written = when
        if status.get("volumeID") and seen.ready is None:
            seen.ready = when
        if kind == "DELETED":
            seen.gone = when

"""A watch of one node's LogicalVolumes that records the time of each event."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import TracebackType

from tests.e2e.kube import ControlPlane

from .api_connection import VOLUMES
from .event_watch import SILENT_SECONDS, EventWatch, wait_for_all
from .sightings import Sighting, Sightings


class VolumeWatch:
    """In the context, a thread reads the watch. Times are those of time.monotonic, when a line was
    read."""

    def __init__(self, plane: ControlPlane, node: str) -> None:
        self._news = threading.Condition()
        self._sightings = Sightings()
        self._watch = EventWatch(plane, f"{VOLUMES}?fieldSelector=spec.nodeName%3D{node}",
                                 self._sightings.take, self._news)

    def __enter__(self) -> VolumeWatch:
        self._watch.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._watch.__exit__(kind, error, trace)

    def wait(self, names: Sequence[str], moment: Callable[[Sighting], float | None],
             tell: Callable[[str], None]) -> list[float]:
        """The `moment` of each of these objects, when all have it. Calls `tell` with the number of
        those that have it. Raises BenchError if no further object gets it for three minutes."""
        return wait_for_all(self._news, [self._watch],
                            lambda: [moment(self._sightings.of(name)) for name in names], tell,
                            lambda first, lacking: self._late(names[first], lacking))

    def _late(self, name: str, lacking: int) -> str:
        message = self._sightings.of(name).message or "nothing"
        return (f"for {SILENT_SECONDS:.0f} s none of {lacking} LogicalVolumes came so far; the "
                f"status of {name} says {message}")

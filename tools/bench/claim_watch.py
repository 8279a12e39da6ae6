"""Watches of claims, volumes, LogicalVolumes and pods that record when each gets how far."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import TracebackType

from tests.e2e.kube import ControlPlane

from .api_connection import CLAIMS, PODS, VOLUMES
from .claim_sightings import ClaimSightings
from .event_watch import SILENT_SECONDS, EventWatch, wait_for_all

_PERSISTENT_VOLUMES = "/api/v1/persistentvolumes"


class ClaimWatch:
    """In the context, threads read the watches. Times are those of time.monotonic, when a line was
    read."""

    def __init__(self, plane: ControlPlane) -> None:
        self._news = threading.Condition()
        self._sightings = ClaimSightings()
        self._watches = [EventWatch(plane, path, self._sightings.take, self._news)
                         for path in (CLAIMS, _PERSISTENT_VOLUMES, VOLUMES, PODS)]
        self._stack = ExitStack()

    def __enter__(self) -> ClaimWatch:
        for watch in self._watches:
            self._stack.enter_context(watch)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._stack.close()

    def wait(self, kind: str, names: Sequence[str], moment: str,
             tell: Callable[[str], None] = lambda text: None) -> list[float]:
        """When each of these objects was first seen at this moment, when all were. Calls `tell` with
        their number. Raises BenchError if none comes for three minutes."""
        return wait_for_all(
            self._news, self._watches,
            lambda: [self._sightings.first(kind, name, moment) for name in names], tell,
            lambda first, lacking: f"for {SILENT_SECONDS:.0f} s none of {lacking} further objects "
            f"({kind}) was {moment}, the first of them {names[first]}")

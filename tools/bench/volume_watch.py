"""A watch of one node's LogicalVolumes that records the time of each event."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType

from tests.e2e.kube import ControlPlane

from .api_connection import VOLUMES, connect, headers
from .samples import BenchError
from .sightings import Sighting, Sightings

# The limit of the wait for the next event.
_SILENT_SECONDS = 180.0
_WATCH_SECONDS = 4 * 3600


class VolumeWatch:
    """In the context, a thread reads the watch. Times are those of time.monotonic, when a line was
    read."""

    def __init__(self, plane: ControlPlane, node: str) -> None:
        self._http = connect(plane, None)
        self._headers = headers(plane)
        self._path = (f"{VOLUMES}?watch=true&allowWatchBookmarks=true&"
                      f"timeoutSeconds={_WATCH_SECONDS}&fieldSelector=spec.nodeName%3D{node}")
        self._news = threading.Condition()
        self._sightings = Sightings()
        self._ended = ""

    def __enter__(self) -> VolumeWatch:
        try:
            self._http.connect()
            self._http.request("GET", self._path, headers=self._headers)
            # A response without a length takes over the connection's socket.
            self._socket = self._http.sock
            answer = self._http.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise BenchError(f"the API server can't be watched: {error!r}") from error
        if answer.status != 200:
            raise BenchError(f"the API server answered {answer.status} to a watch")
        self._reader = threading.Thread(target=self._read, args=(answer,), daemon=True)
        self._reader.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        with suppress(OSError):  # ended by the server
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._http.close()

    def wait(self, names: Sequence[str], moment: Callable[[Sighting], float | None],
             tell: Callable[[str], None]) -> list[float]:
        """The `moment` of each of these objects, when all have it. Calls `tell` with the number of
        those that have it. Raises BenchError if no further object gets it for three minutes."""
        known = -1
        with self._news:
            while True:
                moments = [moment(self._sightings.of(name)) for name in names]
                found = [each for each in moments if each is not None]
                if len(found) == len(names):
                    return found
                if len(found) > known:
                    known, deadline = len(found), time.monotonic() + _SILENT_SECONDS
                    tell(f"{known} of {len(names)}")
                if self._ended:
                    raise BenchError(self._ended)
                if time.monotonic() > deadline:
                    raise BenchError(self._late(names[moments.index(None)], len(names) - known))
                self._news.wait(deadline - time.monotonic() + 0.1)

    def _late(self, name: str, lacking: int) -> str:
        message = self._sightings.of(name).message or "nothing"
        return (f"for {_SILENT_SECONDS:.0f} s none of {lacking} LogicalVolumes came so far; the "
                f"status of {name} says {message}")

    def _read(self, answer: http.client.HTTPResponse) -> None:
        ended = "the API server ended the watch"
        try:
            while line := answer.readline():
                when = time.monotonic()
                with self._news:
                    self._sightings.take(line, when)
                    self._news.notify_all()
        except (OSError, ValueError, http.client.HTTPException, BenchError) as error:
            ended = f"{ended}: {error}"
        with self._news:
            self._ended = ended
            self._news.notify_all()

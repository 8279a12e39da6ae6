"""A watch of the API server whose lines are recorded with the time at which each was read."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType

from tests.e2e.kube import ControlPlane

from .api_connection import connect, headers
from .samples import BenchError

_WATCH_SECONDS = 4 * 3600
SILENT_SECONDS = 180.0
"""The limit of `wait_for_all` for the next object."""


class EventWatch:
    """In the context, a thread reads the watch of the list at `path`. It calls `take` with each line
    and the time.monotonic of its arrival, holds `news` while it does, and notifies `news` after
    it."""

    def __init__(self, plane: ControlPlane, path: str, take: Callable[[bytes, float], None],
                 news: threading.Condition) -> None:
        self._http = connect(plane, None)
        self._headers = headers(plane)
        self._path = (f"{path}{'&' if '?' in path else '?'}watch=true&allowWatchBookmarks=true&"
                      f"timeoutSeconds={_WATCH_SECONDS}")
        self._take = take
        self._news = news
        self.ended = ""
        """Why the watch has ended; empty before."""

    def __enter__(self) -> EventWatch:
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

    def _read(self, answer: http.client.HTTPResponse) -> None:
        ended = "the API server ended the watch"
        try:
            while line := answer.readline():
                when = time.monotonic()
                with self._news:
                    self._take(line, when)
                    self._news.notify_all()
        except (OSError, ValueError, http.client.HTTPException, BenchError) as error:
            ended = f"{ended}: {error}"
        with self._news:
            self.ended = ended
            self._news.notify_all()


def wait_for_all(news: threading.Condition, watches: Sequence[EventWatch],
                 moments: Callable[[], list[float | None]], tell: Callable[[str], None],
                 late: Callable[[int, int], str]) -> list[float]:
    """The `moments`, when none is None. Calls `tell` with the number of those that are not. If no
    further one is there for three minutes, raises BenchError with the text of `late` for the
    position of the first one and the number of those that are None. Raises it also if a watch
    ends."""
    known = -1
    with news:
        while True:
            now = moments()
            found = [each for each in now if each is not None]
            if len(found) == len(now):
                return found
            if len(found) > known:
                known, deadline = len(found), time.monotonic() + SILENT_SECONDS
                tell(f"{known} of {len(now)}")
            for watch in watches:
                if watch.ended:
                    raise BenchError(watch.ended)
            if time.monotonic() > deadline:
                raise BenchError(late(now.index(None), len(now) - known))
            news.wait(deadline - time.monotonic() + 0.1)

"""A TCP relay on the host's loopback, like a load balancer: it does not parse the data."""

from __future__ import annotations

import select
import socket
import threading
from types import TracebackType

from .certificates import GUEST_VIEW_OF_HOST

_PIECE = 64 << 10
_LOOK_SECONDS = 0.1
_CONNECT_SECONDS = 10.0
_STOP_SECONDS = 5.0


class TcpRelay:
    """Runs from `__enter__` to `__exit__`, on a separate port of 127.0.0.1. Connects each client to
    the port of 127.0.0.1 in `upstream` at that time."""

    def __init__(self, upstream: int) -> None:
        self.upstream = upstream
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(_LOOK_SECONDS)
        self._stopping = threading.Event()
        # The state of the present connections. Later connections have another one.
        self._silent = threading.Event()
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def url_for_guest(self) -> str:
        """The URL of an HTTPS server behind the relay, for a QEMU guest on a user network."""
        return f"https://{GUEST_VIEW_OF_HOST}:{self._listener.getsockname()[1]}"

    def go_silent(self) -> None:
        """Forwards nothing on the present connections any more. They stay open for both sides, and
        their data is discarded."""
        self._silent.set()
        self._silent = threading.Event()

    def cut(self) -> None:
        """Ends the present connections."""
        self._ended.set()
        self._ended = threading.Event()

    def __enter__(self) -> TcpRelay:
        self._start(self._accept)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._stopping.set()
        for thread in list(self._threads):
            thread.join(_STOP_SECONDS)
        self._listener.close()

    def _start(self, work: object, *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                client = self._listener.accept()[0]
            except TimeoutError:
                continue
            self._start(self._pass_on, client, self._silent, self._ended)

    def _pass_on(self, client: socket.socket, silent: threading.Event,
                 ended: threading.Event) -> None:
        try:
            with client, socket.create_connection(("127.0.0.1", self.upstream),
                                                  _CONNECT_SECONDS) as server:
                self._pump({client: server, server: client}, client, silent, ended)
        except OSError:  # one side closed it, and at the end of `with` the other one did
            pass

    def _pump(self, other: dict[socket.socket, socket.socket], client: socket.socket,
              silent: threading.Event, ended: threading.Event) -> None:
        reading = list(other)
        while client in reading and not self._stopping.is_set() and not ended.is_set():
            for side in select.select(reading, [], [], _LOOK_SECONDS)[0]:
                data = side.recv(_PIECE)
                if not data:
                    reading.remove(side)
                    if not silent.is_set():
                        return
                elif not silent.is_set():
                    other[side].sendall(data)

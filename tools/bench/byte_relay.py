"""A relay between the reconciler in the VM and the API server on the host. It counts bytes."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

_LOOPBACK = "127.0.0.1"
_CHUNK = 65536


@dataclass(frozen=True)
class Traffic:
    """The number of connections, and the bytes that the client sent and received: all data of TCP,
    including TLS."""

    connections: int = 0
    sent: int = 0
    received: int = 0

    def __add__(self, more: Traffic) -> Traffic:
        return Traffic(self.connections + more.connections, self.sent + more.sent,
                       self.received + more.received)

    def __sub__(self, before: Traffic) -> Traffic:
        return Traffic(self.connections - before.connections, self.sent - before.sent,
                       self.received - before.received)


class ByteRelay:
    """In the context, connections to `port` of the host's loopback are forwarded to its port
    `target`."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._lock = threading.Lock()
        self._counted = Traffic()
        self._listener = socket.create_server((_LOOPBACK, 0))
        self._accepting = threading.Thread(target=self._accept, daemon=True)

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def counted(self) -> Traffic:
        """The counts since the start of the relay."""
        with self._lock:
            return self._counted

    def __enter__(self) -> ByteRelay:
        self._accepting.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        # A close alone would not wake the thread in accept.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # shut down
                return
            threading.Thread(target=self._link, args=(client,), daemon=True).start()

    def _link(self, client: socket.socket) -> None:
        with (client, suppress(OSError),
              socket.create_connection((_LOOPBACK, self._target)) as server):
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._count(Traffic(connections=1))
            back = threading.Thread(target=self._pass, args=(server, client, False), daemon=True)
            back.start()
            self._pass(client, server, True)
            back.join()

    def _pass(self, source: socket.socket, target: socket.socket, from_client: bool) -> None:
        try:
            while data := source.recv(_CHUNK):
                size = len(data)
                self._count(Traffic(sent=size) if from_client else Traffic(received=size))
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one end is closed, so the other must be closed too
            for end in (source, target):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _count(self, more: Traffic) -> None:
        with self._lock:
            self._counted += more

"""An HTTPS proxy in front of the API server that injects faults."""

from __future__ import annotations

import http
import http.client
import http.server
import itertools
import json
import select
import socket
import socketserver
import ssl
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from .certificates import GUEST_VIEW_OF_HOST
from .faults import Fault, Kind, Policy, Request, Sort

_MAX_CONNECTIONS = 64
_MAX_BODY = 4 << 20
_MAX_ANSWER = 64 << 20
_PIECE = 64 << 10
_HANDSHAKE_SECONDS = 10.0
_IDLE_SECONDS = 120.0
_ANSWER_SECONDS = 60.0
_WATCH_SECONDS = 400.0
_STOP_SECONDS = 5.0
_LOOK_SECONDS = 0.02
_DRIBBLE_SECONDS = 0.02
_ALPN = ["http/1.1"]
# Headers of one connection are not forwarded, and the lines of a watch must not be compressed.
_NOT_PASSED_ON = {"connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade",
                  "transfer-encoding", "content-length", "host", "expect", "accept-encoding"}
_END_OF_CHUNKS = b"0\r\n\r\n"


class FaultProxy:
    """Forwards requests to the API server at the URL `upstream`, unless `policy` has a fault for
    them. Runs from `__enter__` to `__exit__`, on a separate port of 127.0.0.1.

    It has the certificate of the PEM file `certificate`, whose key is `key`, and trusts
    certificates signed by `ca`. With `watch_seconds`, it requests that the API server ends each
    watch after this time, whatever the client requests.
    """

    def __init__(self, upstream: str, ca: Path, certificate: Path, key: Path, policy: Policy,
                 watch_seconds: int | None = None) -> None:
        self._server = _Server(_Upstream(upstream, ca, watch_seconds), policy, certificate, key)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_LOOK_SECONDS,),
                                        daemon=True)

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._server.port}"

    @property
    def url_for_guest(self) -> str:
        """The same proxy, at the address for a QEMU guest on a user network."""
        return f"https://{GUEST_VIEW_OF_HOST}:{self._server.port}"

    def __enter__(self) -> FaultProxy:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._server.end_all()


class _Upstream:
    """The API server. Every request has a separate connection."""

    def __init__(self, url: str, ca: Path, watch_seconds: int | None) -> None:
        parts = urlsplit(url)
        self._host, self._port = str(parts.hostname), parts.port
        self._context = ssl.create_default_context(cafile=str(ca))
        self._context.set_alpn_protocols(_ALPN)
        self._watch_seconds = watch_seconds

    def connect(self, request: Request) -> http.client.HTTPSConnection:
        seconds = _WATCH_SECONDS if request.sort is Sort.WATCH else _ANSWER_SECONDS
        connection = http.client.HTTPSConnection(self._host, self._port, timeout=seconds,
                                                 context=self._context)
        connection.connect()
        return connection

    def ask(self, connection: http.client.HTTPSConnection, request: Request,
            headers: Iterable[tuple[str, str]], body: bytes) -> http.client.HTTPResponse:
        connection.putrequest(request.method, self._path(request), skip_accept_encoding=True)
        for name, value in _passed_on(headers):
            connection.putheader(name, value)
        if body:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        return connection.getresponse()

    def _path(self, request: Request) -> str:
        if request.sort is not Sort.WATCH or self._watch_seconds is None:
            return request.path
        path, _, query = request.path.partition("?")
        kept = [field for field in query.split("&") if not field.startswith("timeoutSeconds=")]
        return f"{path}?{'&'.join(kept)}&timeoutSeconds={self._watch_seconds}"


class _Server(socketserver.ThreadingTCPServer):
    """The listening socket, and all its connections."""

    daemon_threads = True
    request_queue_size = _MAX_CONNECTIONS

    def __init__(self, upstream: _Upstream, policy: Policy, certificate: Path, key: Path) -> None:
        self.upstream = upstream
        self.policy = policy
        self.stopping = threading.Event()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.context.set_alpn_protocols(_ALPN)
        self._places = threading.BoundedSemaphore(_MAX_CONNECTIONS)
        self._changed = threading.Condition()
        self._open: set[socket.socket] = set()
        self._asking: dict[socket.socket, socket.socket] = {}
        super().__init__(("127.0.0.1", 0), _Exchange)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @contextmanager
    def keeping(self, connection: socket.socket) -> Iterator[None]:
        """In the context, the connection ends with the proxy."""
        with self._changed:
            if self.stopping.is_set():
                raise ConnectionAbortedError("the proxy is stopping")
            self._open.add(connection)
        try:
            yield
        finally:
            with self._changed:
                self._open.remove(connection)
                self._changed.notify_all()

    @contextmanager
    def asking_for(self, client: socket.socket, upstream: socket.socket) -> Iterator[None]:
        """In the context, `upstream` ends with the client's connection."""
        with self._changed:
            self._asking[client] = upstream
        try:
            yield
        finally:
            with self._changed:
                del self._asking[client]

    def end_all(self) -> None:
        """Waits until no thread has a connection."""
        with self._changed:
            self.stopping.set()
            for connection in self._open:
                _end(connection)
            if not self._changed.wait_for(lambda: not self._open, _STOP_SECONDS):
                raise TimeoutError(f"{len(self._open)} connections of the proxy don't end")

    def service_actions(self) -> None:
        # serve_forever calls it after each connection and every _LOOK_SECONDS.
        with self._changed:
            for client, upstream in self._asking.items():
                # A client that waits for a response sends nothing, so this is the end of its
                # connection.
                if select.select([client], [], [], 0)[0]:
                    _end(upstream)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        return self._places.acquire(blocking=False)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        # Broken connections are normal for this proxy.
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Cut(Exception):
    """The connection to the client must be closed without a response."""


class _Exchange(http.server.BaseHTTPRequestHandler):
    """One connection of a client: its requests, one after another."""

    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        self._fault: Fault | None = None
        self._slow_until = 0.0
        self.request = self.server.context.wrap_socket(self.request, server_side=True,
                                                       do_handshake_on_connect=False)
        super().setup()

    def handle(self) -> None:
        with self.server.keeping(self.connection):
            self.connection.settimeout(_HANDSHAKE_SECONDS)
            self.connection.do_handshake()
            self.connection.settimeout(self.timeout)
            super().handle()

    def finish(self) -> None:
        super().finish()
        _end(self.connection)
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _take_request(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > _MAX_BODY or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            self.send_error(http.HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        body = self.rfile.read(length)
        request = Request(self.command, self.path)
        self._fault = self.server.policy(request)
        self._slow_until = 0.0
        try:
            self._pass_on(request, body)
        except (_Cut, OSError, http.client.HTTPException):
            # For the client, a server that closes its connection looks like a fault.
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _take_request

    def _due(self, *kinds: Kind) -> Fault | None:
        """Injects the fault of this request if it is one of `kinds`, and returns it."""
        fault = self._fault
        if fault is None or fault.kind not in kinds or not self.server.policy.begins(fault.kind):
            return None
        return fault

    def _pass_on(self, request: Request, body: bytes) -> None:
        if delay := self._due(Kind.DELAY):
            self._pause(delay.seconds)
        if self._due(Kind.DROP):
            raise _Cut
        if refusal := self._due(*_REFUSALS):
            self._send(_refusal(refusal.kind))
            return
        if self._due(Kind.DUPLICATE):
            with self._answer(request, body) as first:
                first.read(_MAX_ANSWER)
        with self._answer(request, body) as answer:
            if request.sort is Sort.WATCH and answer.status == http.HTTPStatus.OK:
                self._relay_watch(answer)
            else:
                self._relay(answer)

    @contextmanager
    def _answer(self, request: Request, body: bytes) -> Iterator[http.client.HTTPResponse]:
        connection = self.server.upstream.connect(request)
        # The last response takes over the connection's socket.
        upstream = connection.sock
        try:
            with self.server.keeping(upstream), self.server.asking_for(self.connection, upstream):
                yield self.server.upstream.ask(connection, request, self.headers.items(), body)
        finally:
            connection.close()

    def _relay(self, answer: http.client.HTTPResponse) -> None:
        body = answer.read(_MAX_ANSWER)
        if self._due(Kind.DROP_AFTER):
            raise _Cut
        if slowness := self._due(Kind.SLOW_LORIS):
            self._slow_until = time.monotonic() + slowness.seconds
        head = _head(answer, ("Content-Length", str(len(body))))
        if len(body) > 1 and (cut := self._due(Kind.TRUNCATE)):
            self._send(head + _part(body, cut))
            raise _Cut
        self._send(head + body)

    def _relay_watch(self, answer: http.client.HTTPResponse) -> None:
        if slowness := self._due(Kind.SLOW_LORIS):
            self._slow_until = time.monotonic() + slowness.seconds
        self._send(_head(answer, ("Transfer-Encoding", "chunked")))
        events = _events(answer)
        for event in itertools.islice(events, self._fault.events if self._fault else 0):
            self._send(_chunk(event))
        if stall := self._due(Kind.STALL):
            self._pause(stall.seconds)
            raise _Cut
        for event in events:
            if cut := self._due(Kind.CUT_EVENT):
                self._send(_chunk(_part(event, cut)))
                raise _Cut
            if self._due(Kind.EXPIRED_EVENT):
                self._send(_chunk(_EXPIRED_EVENT))
                break
            self._send(_chunk(event) * (2 if self._due(Kind.DUPLICATE_EVENT) else 1))
        self._send(_END_OF_CHUNKS)

    def _send(self, data: bytes) -> None:
        sent = 0
        while sent < len(data) and time.monotonic() < self._slow_until:
            self.wfile.write(data[sent:sent + 1])
            sent += 1
            self._pause(_DRIBBLE_SECONDS)
        self.wfile.write(data[sent:])

    def _pause(self, seconds: float) -> None:
        if self.server.stopping.wait(seconds):
            raise _Cut


def _end(connection: socket.socket) -> None:
    """Ends the connection for all threads that read from it or write to it."""
    try:
        # SSLSocket's own method would remove the TLS state that the other thread uses.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:  # it has ended
        pass


def _passed_on(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in headers if name.lower() not in _NOT_PASSED_ON]


def _head(answer: http.client.HTTPResponse, framing: tuple[str, str]) -> bytes:
    return _lines(answer.status, answer.reason, [*_passed_on(answer.getheaders()), framing])


def _lines(status: int, phrase: str, headers: Iterable[tuple[str, str]]) -> bytes:
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers)]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1")


def _events(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """The lines of a watch, each at its arrival. Raises HTTPException unless the watch ends
    properly."""
    begun = b""
    while piece := answer.read1(_PIECE):
        *lines, begun = (begun + piece).split(b"\n")
        yield from (line + b"\n" for line in lines)
    if begun:
        yield begun


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def _part(data: bytes, cut: Fault) -> bytes:
    """More than nothing, and less than all."""
    return data[:min(max(1, int(len(data) * cut.share)), len(data) - 1)]


def _status(code: int, reason: str, message: str, **details: int) -> dict[str, Any]:
    """An error in the format of the API server."""
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": message, "reason": reason, "details": details, "code": code}


_REFUSALS = {
    Kind.CONFLICT: _status(409, "Conflict", "the object has been modified; please apply your "
                           "changes to the latest version and try again"),
    Kind.GONE: _status(410, "Expired", "The resourceVersion for the provided list is too old."),
    Kind.TOO_MANY: _status(429, "TooManyRequests", "Too many requests, please try again later.",
                           retryAfterSeconds=1),
    Kind.BROKEN: _status(500, "InternalError", "Internal error occurred: etcdserver: request "
                         "timed out"),
}
_EXPIRED_EVENT = json.dumps({"type": "ERROR", "object": _status(
    410, "Expired", "too old resource version: 1 (2)")}).encode() + b"\n"


def _refusal(kind: Kind) -> bytes:
    status = _REFUSALS[kind]
    body = json.dumps(status).encode() + b"\n"
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    if kind is Kind.TOO_MANY:
        headers.append(("Retry-After", "1"))
    return _lines(status["code"], http.HTTPStatus(status["code"]).phrase, headers) + body

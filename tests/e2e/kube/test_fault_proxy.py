"""The fault proxy, in front of a server that the case controls."""

from __future__ import annotations

import atexit
import functools
import http.client
import http.server
import json
import queue
import socket
import socketserver
import ssl
import tempfile
import threading
import time
import unittest
from collections import Counter
from pathlib import Path
from typing import Any

from .certificates import Certificates, make_certificates
from .fault_proxy import FaultProxy
from .faults import FITS, Fault, Faults, Kind, Policy, Request, Sort

LIST = Request("GET", "/apis/topolvm.io/v1/logicalvolumes?limit=500")
WATCH = Request("GET", "/apis/topolvm.io/v1/logicalvolumes?watch=true&timeoutSeconds=300")
PATCH = Request("PATCH", "/apis/topolvm.io/v1/logicalvolumes/a/status")
BODY = json.dumps({"items": ["x" * 100]}).encode() + b"\n"
EVENTS = [json.dumps({"type": "ADDED", "object": {"n": number}}).encode() + b"\n"
          for number in range(3)]
BREAK_OFF = b"the connection ends here"
_SECONDS = 5.0


class ApiServer(socketserver.ThreadingTCPServer):
    """Answers a watch with the values in `events`, up to None or BREAK_OFF, and any other request
    with BODY.

    `asked` has each request with its body, in the order of arrival; `headers` has the headers of
    the last one.
    """

    daemon_threads = True

    def __init__(self, pems: Certificates) -> None:
        super().__init__(("127.0.0.1", 0), _ApiExchange)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pems.server, pems.server_key)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.asked: list[tuple[str, str, bytes]] = []
        self.headers: dict[str, str] = {}
        self.events: queue.Queue[bytes | None] = queue.Queue()
        self.watch_ended = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # the proxy breaks connections on purpose


class _ApiExchange(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ApiServer

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.command, self.path, body))
        self.server.headers = dict(self.headers.items())
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if "watch=true" in self.path:
            self._watch()
            return
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    do_PATCH = do_POST = do_GET

    def _watch(self) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while event := self.server.events.get(timeout=_SECONDS):
                if event is BREAK_OFF:
                    self.close_connection = True
                    return
                self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            self.wfile.write(b"0\r\n\r\n")
        finally:
            self.server.watch_ended.set()

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Always:
    """A policy: the same fault, or none, for every request."""

    def __init__(self, fault: Fault | None = None) -> None:
        self._fault = fault
        self.begun: list[Kind] = []

    def __call__(self, request: Request) -> Fault | None:
        return self._fault

    def begins(self, kind: Kind) -> bool:
        self.begun.append(kind)
        return True


@functools.cache
def certificates() -> Certificates:
    """Shared by all cases of the process."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return make_certificates(Path(folder.name))


class ProxyCase(unittest.TestCase):
    def setUp(self) -> None:
        self.api = ApiServer(certificates())
        self.addCleanup(self.api.server_close)
        thread = threading.Thread(target=self.api.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.api.shutdown)

    def proxy(self, policy: Policy, watch_seconds: int | None = None) -> FaultProxy:
        """Its context is not entered yet."""
        pems = certificates()
        return FaultProxy(f"https://127.0.0.1:{self.api.server_address[1]}", pems.ca, pems.server,
                          pems.server_key, policy, watch_seconds)

    def client(self, proxy: FaultProxy) -> http.client.HTTPSConnection:
        context = ssl.create_default_context(cafile=str(certificates().ca))
        context.set_alpn_protocols(["h2", "http/1.1"])
        made = http.client.HTTPSConnection(proxy.url.removeprefix("https://"), context=context,
                                           timeout=_SECONDS)
        self.addCleanup(made.close)
        return made

    def start(self, policy: Policy,
              watch_seconds: int | None = None) -> http.client.HTTPSConnection:
        """A client of a proxy that runs until the end of the case."""
        return self.client(self.enterContext(self.proxy(policy, watch_seconds)))


def ask(client: http.client.HTTPSConnection, request: Request,
        body: bytes | None = None) -> http.client.HTTPResponse:
    client.request(request.method, request.path, body, {"Authorization": "Bearer secret"})
    return client.getresponse()


class Unharmed(ProxyCase):
    def test_requests_of_one_connection_are_passed_on(self) -> None:
        client = self.start(Always())
        for request, body in ((LIST, b""), (PATCH, b'{"a":1}'),
                              (Request("POST", "/api/v1/namespaces/default/events"), b"{}")):
            answer = ask(client, request, body or None)
            connection = client.sock
            self.assertEqual((answer.status, answer.read()), (200, BODY))
            self.assertEqual(answer.headers["Content-Type"], "application/json")
            self.assertEqual(self.api.asked[-1], (request.method, request.path, body))
            self.assertEqual(self.api.headers["Authorization"], "Bearer secret")
            self.assertIs(client.sock, connection)
        self.assertEqual(client.sock.selected_alpn_protocol(), "http/1.1")

    def test_a_watch_comes_as_it_is_told(self) -> None:
        client = self.start(Always())
        answer = ask(client, WATCH)
        for event in EVENTS:
            self.api.events.put(event)
            self.assertEqual(answer.readline(), event)
        self.api.events.put(None)
        self.assertEqual(answer.read(), b"")
        self.assertEqual(ask(client, LIST).read(), BODY)

    def test_a_watch_is_as_short_as_wished(self) -> None:
        self.api.events.put(None)
        self.assertEqual(ask(self.start(Always(), watch_seconds=3), WATCH).read(), b"")
        self.assertEqual(self.api.asked[0][1], WATCH.path.replace("=300", "=3"))

    def test_a_watch_ends_at_the_server_when_its_client_is_gone(self) -> None:
        client = self.start(Always())
        ask(client, WATCH).close()
        client.close()
        deadline = time.monotonic() + _SECONDS
        while not self.api.watch_ended.wait(0.02) and time.monotonic() < deadline:
            self.api.events.put(EVENTS[0])  # the server detects it when it writes
        self.assertTrue(self.api.watch_ended.is_set())

    def test_a_server_that_breaks_off_is_no_proper_end(self) -> None:
        answer = ask(self.start(Always()), WATCH)
        self.api.events.put(EVENTS[0])
        self.api.events.put(BREAK_OFF)
        with self.assertRaises(http.client.IncompleteRead) as raised:
            answer.read()
        self.assertEqual(raised.exception.partial, EVENTS[0])

    def test_all_connections_end_with_the_proxy(self) -> None:
        with self.proxy(Always()) as proxy:
            idle, watching = self.client(proxy), self.client(proxy)
            ask(idle, LIST).read()
            watch = ask(watching, WATCH)
            begin = time.monotonic()
        self.assertLess(time.monotonic() - begin, 1.0)
        self.assertEqual(idle.sock.recv(1), b"")
        with self.assertRaises(http.client.IncompleteRead):
            watch.read()
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection((proxy.url.split("/")[2].split(":")[0],
                                      int(proxy.url.split(":")[2])))

    def test_a_request_that_is_too_large_is_refused(self) -> None:
        client = self.start(Always())
        client.putrequest("PATCH", PATCH.path)
        client.putheader("Content-Length", str(1 << 40))
        client.endheaders()
        self.assertEqual(client.getresponse().status, 413)
        self.assertEqual(self.api.asked, [])


class Harmed(ProxyCase):
    def assert_closed(self, client: http.client.HTTPSConnection, request: Request) -> None:
        """The connection ends without a response."""
        with self.assertRaises((http.client.RemoteDisconnected, ssl.SSLError)):
            ask(client, request, b"{}" if request.sort is Sort.WRITE else None)

    def test_drop(self) -> None:
        for request in (LIST, PATCH, WATCH):
            self.assert_closed(self.start(Always(Fault(Kind.DROP))), request)
        self.assertEqual(self.api.asked, [])

    def test_drop_after(self) -> None:
        self.assert_closed(self.start(Always(Fault(Kind.DROP_AFTER))), PATCH)
        self.assertEqual(self.api.asked, [("PATCH", PATCH.path, b"{}")])

    def test_delay(self) -> None:
        client = self.start(Always(Fault(Kind.DELAY, seconds=0.05)))
        begin = time.monotonic()
        self.assertEqual(ask(client, LIST).read(), BODY)
        self.assertGreaterEqual(time.monotonic() - begin, 0.05)

    def test_truncate(self) -> None:
        answer = ask(self.start(Always(Fault(Kind.TRUNCATE, share=0.5))), PATCH, b"{}")
        with self.assertRaises(http.client.IncompleteRead) as raised:
            answer.read()
        self.assertEqual(raised.exception.partial, BODY[:len(BODY) // 2])
        self.assertEqual(len(self.api.asked), 1)

    def test_duplicate(self) -> None:
        self.assertEqual(ask(self.start(Always(Fault(Kind.DUPLICATE))), PATCH, b"{}").read(), BODY)
        self.assertEqual(self.api.asked, [("PATCH", PATCH.path, b"{}")] * 2)

    def test_answers_that_the_server_never_gave(self) -> None:
        for kind in (Kind.CONFLICT, Kind.GONE, Kind.TOO_MANY, Kind.BROKEN):
            with self.subTest(kind):
                client = self.start(Always(Fault(kind)))
                for _ in range(2):  # on one connection
                    answer = ask(client, LIST)
                    status = json.loads(answer.read())
                    self.assertEqual((answer.status, status["code"]), (int(kind.value),) * 2)
                    self.assertEqual((status["kind"], status["status"]), ("Status", "Failure"))
                    self.assertEqual(answer.headers["Retry-After"],
                                     "1" if kind is Kind.TOO_MANY else None)
        self.assertEqual(self.api.asked, [])

    def test_slow_loris(self) -> None:
        for request, expected in ((LIST, BODY), (WATCH, EVENTS[0])):
            with self.subTest(request):
                client = self.start(Always(Fault(Kind.SLOW_LORIS, seconds=0.1)))
                self.api.events.put(EVENTS[0])
                self.api.events.put(None)
                begin = time.monotonic()
                self.assertEqual(ask(client, request).read(), expected)
                self.assertGreaterEqual(time.monotonic() - begin, 0.1)
                self.api.events.queue.clear()

    def test_slow_loris_is_byte_by_byte(self) -> None:
        client = self.start(Always(Fault(Kind.SLOW_LORIS, seconds=0.1)))
        client.request("GET", LIST.path)
        self.assertEqual([client.sock.recv(64) for _ in range(3)], [b"H", b"T", b"T"])


class HarmedWatch(ProxyCase):
    def watch(self, fault: Fault) -> http.client.HTTPResponse:
        """The fault occurs after one event, if it permits one before it."""
        for event in [*EVENTS, None]:
            self.api.events.put(event)
        return ask(self.start(Always(fault)), WATCH)

    def test_cut_event(self) -> None:
        answer = self.watch(Fault(Kind.CUT_EVENT, events=1, share=0.5))
        with self.assertRaises(http.client.IncompleteRead) as raised:
            answer.read()
        self.assertEqual(raised.exception.partial,
                         EVENTS[0] + EVENTS[1][:len(EVENTS[1]) // 2])

    def test_duplicate_event(self) -> None:
        answer = self.watch(Fault(Kind.DUPLICATE_EVENT, events=1))
        self.assertEqual(answer.read().splitlines(keepends=True),
                         [EVENTS[0], EVENTS[1], EVENTS[1], EVENTS[2], EVENTS[2]])

    def test_expired_event(self) -> None:
        first, error = self.watch(Fault(Kind.EXPIRED_EVENT, events=1)).read().splitlines(True)
        self.assertEqual(first, EVENTS[0])
        event = json.loads(error)
        self.assertEqual((event["type"], event["object"]["code"], event["object"]["reason"]),
                         ("ERROR", 410, "Expired"))

    def test_stall(self) -> None:
        begin = time.monotonic()  # the stall can begin before the client has the headers
        answer = self.watch(Fault(Kind.STALL, events=1, seconds=0.1))
        self.assertEqual(answer.readline(), EVENTS[0])
        with self.assertRaises(http.client.IncompleteRead) as raised:
            answer.read()
        self.assertEqual(raised.exception.partial, b"")
        self.assertGreaterEqual(time.monotonic() - begin, 0.1)

    def test_stall_before_any_event(self) -> None:
        answer = ask(self.start(Always(Fault(Kind.STALL, seconds=0.1))), WATCH)
        with self.assertRaises(http.client.IncompleteRead):
            answer.read()

    def test_a_stall_ends_with_the_proxy(self) -> None:
        policy = Always(Fault(Kind.STALL, seconds=600))
        with self.proxy(policy) as proxy:
            ask(self.client(proxy), WATCH)
            while not policy.begun:
                time.sleep(0.01)
            begin = time.monotonic()
        self.assertLess(time.monotonic() - begin, 1.0)

    def test_what_is_switched_off_meanwhile_does_not_happen(self) -> None:
        faults = Faults(1, {Kind.CUT_EVENT: 1.0})
        client = self.start(faults)
        client.request("GET", WATCH.path)
        answer = client.getresponse()  # the decision has been made by then
        faults.switch(False)
        for event in [*EVENTS, *EVENTS, None]:
            self.api.events.put(event)
        self.assertEqual(answer.read(), b"".join(EVENTS) * 2)
        self.assertEqual(faults.happened(), {Kind.CUT_EVENT: 0})


class Chances(unittest.TestCase):
    REQUESTS = (LIST, PATCH, WATCH)

    def play(self, faults: Faults, rounds: int) -> Counter[tuple[Sort, Kind]]:
        """All faults of this number of requests of each sort. Each kind occurs."""
        counted: Counter[tuple[Sort, Kind]] = Counter()
        for _ in range(rounds):
            for request in self.REQUESTS:
                if (fault := faults(request)) and faults.begins(fault.kind):
                    counted[request.sort, fault.kind] += 1
        return counted

    def test_sorts(self) -> None:
        self.assertEqual([request.sort for request in self.REQUESTS],
                         [Sort.READ, Sort.WRITE, Sort.WATCH])
        self.assertEqual(Request("GET", "/a?watch=false&watch=1").sort, Sort.WATCH)
        self.assertEqual(Request("GET", "/a?fieldSelector=watch%3Dtrue").sort, Sort.READ)

    def test_each_kind_comes_however_small_its_chance(self) -> None:
        faults = Faults(7, dict.fromkeys(Kind, 1e-9))
        counted = self.play(faults, 4 * len(Kind))
        self.assertEqual(faults.happened(), dict.fromkeys(Kind, 1))
        for sort, kind in counted:
            self.assertIn(sort, FITS[kind])
        self.assertFalse(self.play(faults, 200))

    def test_a_kind_comes_as_often_as_its_chance_says(self) -> None:
        counted = self.play(Faults(7, {Kind.DROP: 0.3, Kind.STALL: 0.1}), 2000)
        for sort in Sort:
            self.assertAlmostEqual(counted[sort, Kind.DROP] / 2000, 0.3, delta=0.05)
        self.assertAlmostEqual(counted[Sort.WATCH, Kind.STALL] / 2000, 0.1, delta=0.05)

    def test_one_seed_gives_one_sequence(self) -> None:
        chances = dict.fromkeys(Kind, 0.05)
        first, second, other = (Faults(seed, chances) for seed in (3, 3, 4))
        made = [[faults(LIST) for _ in range(100)] for faults in (first, second, other)]
        self.assertEqual(made[0], made[1])
        self.assertNotEqual(made[0], made[2])

    def test_nothing_while_switched_off(self) -> None:
        faults = Faults(7, dict.fromkeys(Kind, 0.05))
        faults.switch(False)
        self.assertFalse(self.play(faults, 100))
        self.assertFalse(faults.begins(Kind.DROP))
        faults.switch(True)
        self.assertTrue(self.play(faults, 100))

    def test_chances_of_more_than_one_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            Faults(7, {Kind.DROP: 0.6, Kind.STALL: 0.5})

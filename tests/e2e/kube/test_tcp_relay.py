"""The relay forwards everything until it is silenced, and then only new connections."""

from __future__ import annotations

import socket
import unittest
from urllib.parse import urlsplit

from .tcp_relay import TcpRelay

_SECONDS = 30.0
_SILENCE_SECONDS = 0.5


class Relay(unittest.TestCase):
    def setUp(self) -> None:
        self.upstream = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        self.relay = self.enterContext(TcpRelay(self.upstream.getsockname()[1]))

    def connected(self) -> tuple[socket.socket, socket.socket]:
        port = urlsplit(self.relay.url_for_guest).port
        client = self.enterContext(socket.create_connection(("127.0.0.1", port), _SECONDS))
        server = self.enterContext(self.upstream.accept()[0])
        server.settimeout(_SECONDS)
        return client, server

    def assert_passes(self, client: socket.socket, server: socket.socket) -> None:
        for source, target in ((client, server), (server, client)):
            source.sendall(b"words")
            self.assertEqual(target.recv(100), b"words")

    def test_silence_is_for_the_connections_that_there_are(self) -> None:
        client, server = self.connected()
        self.assert_passes(client, server)
        self.relay.go_silent()
        for source, target in ((client, server), (server, client)):
            source.sendall(b"lost")
            target.settimeout(_SILENCE_SECONDS)
            with self.assertRaises(TimeoutError):
                target.recv(100)
        server.close()
        with self.assertRaises(TimeoutError):
            client.recv(100)
        self.assert_passes(*self.connected())

    def test_a_cut_ends_the_connections_that_there_are(self) -> None:
        client, server = self.connected()
        self.relay.cut()
        self.assertEqual(client.recv(100), b"")
        self.assertEqual(server.recv(100), b"")
        self.assert_passes(*self.connected())

    def test_the_next_connection_goes_to_another_server(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            self.relay.upstream = other.getsockname()[1]
            self.upstream = other
            self.assert_passes(*self.connected())

"""The relay in front of a store: all data arrives, but not faster than the limit."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

from . import slow_relay


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Relay(unittest.TestCase):
    def test_both_ways_arrive_whole(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as upstream:
            port = _free_port()
            program = subprocess.Popen(
                [sys.executable, Path(slow_relay.__file__), str(port),
                 str(upstream.getsockname()[1]), "1000000000"])
            self.addCleanup(program.wait)
            self.addCleanup(program.kill)
            client = self._connected(port, program)
            server = upstream.accept()[0]
            for end in (client, server):
                end.settimeout(30)
                self.enterContext(end)
            sent = bytes(range(256)) * 300
            for source, target in ((client, server), (server, client)):
                source.sendall(sent)
                source.shutdown(socket.SHUT_WR)
                with target.makefile("rb") as file:
                    self.assertEqual(file.read(), sent)

    @staticmethod
    def _connected(port: int, program: subprocess.Popen[bytes]) -> socket.socket:
        while program.poll() is None:
            try:
                return socket.create_connection(("127.0.0.1", port))
            except ConnectionRefusedError:
                continue
        raise AssertionError("the relay has ended")


class Gate(unittest.TestCase):
    def test_bytes_wait_for_those_before_them(self) -> None:
        waits: list[float] = []

        async def run() -> None:
            async def sleep(seconds: float) -> None:
                waits.append(seconds)

            loop = asyncio.get_running_loop()
            gate = slow_relay.Gate(1000)
            with mock.patch.object(loop, "time", lambda: 50.0), \
                    mock.patch.object(slow_relay.asyncio, "sleep", sleep):
                await gate.wait(1000)
                await gate.wait(500)

        asyncio.run(run())
        self.assertEqual(waits, [1.0, 1.5])


if __name__ == "__main__":
    unittest.main()

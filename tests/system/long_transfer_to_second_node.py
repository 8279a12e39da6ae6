"""A second node restores what the first node stored. Each has a separate lvmd and separate volume
groups. The ids in brackets are rules of docs/protocol.md."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
import unittest

from tools.go import build as go_tools
from tools.dev.paths import CACHE
from tests.e2e.kube.servers import free_ports

from .node import machine
from .transfer_node import Target, TransferNode

_SIZE_MIB = 512
_PATIENCE_SECONDS = 30


class SecondNode(unittest.TestCase):
    def store(self) -> Target:
        """A repository on this host's loopback, which every VM reaches."""
        [port] = free_ports(1)
        program = go_tools.build("rest-server", CACHE / "go", lambda text: None)
        folder = self.enterContext(tempfile.TemporaryDirectory())
        server = subprocess.Popen(
            [program, "--path", folder, "--listen", f"127.0.0.1:{port}", "--no-auth"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return Target(f"rest:http://10.0.2.2:{port}/node/")
            self.assertLess(time.monotonic(), deadline, "rest-server does not listen")
            time.sleep(0.1)

    def test_what_one_node_stores_another_restores(self) -> None:
        """[P-XFER-7, P-XFER-9, P-XFER-10]"""
        target = self.store()
        first = TransferNode(self.enterContext(machine()))
        origin = first.source("data", "ext4", _SIZE_MIB, hole_mib=16)
        # An attribute that only SYS_ADMIN may set [P-XFER-4].
        first.shell(f"python3 -c \"import os; os.removexattr('{origin}/attributes/user', "
                    "'trusted.of_root')\"; sync")
        first.snapshot("data", "data-snap")
        first.shell(f"echo later >{origin}/later; sync")
        backup = first.succeed(first.start("StartBackup", target, name="data-snap",
                                           device_class="thin"))
        stored = first.trees.listed(first.mount("data-snap"))
        self.assertGreater(len(stored), 20)

        second = TransferNode(self.enterContext(machine()))
        second.make("back", _SIZE_MIB, "other")
        restored = second.succeed(second.start("StartRestore", target, name="back",
                                               device_class="other", backup_id=backup["id"]))
        self.assertEqual(restored["verification"]["result"], "RESULT_MATCHES", restored)
        back = second.trees.listed(second.mount("back", "other", read_only=True))
        self.assertEqual("\n".join(back), "\n".join(stored))


if __name__ == "__main__":
    unittest.main()

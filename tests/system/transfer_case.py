"""The base class of the cases of transfers: a VM, the stores' programs, and checks afterwards."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests.system.stores import RestStore, S3Store, put_programs

from .node import machine
from .transfer_node import Target, TransferNode


class TransferCase(unittest.TestCase):
    """One VM for the cases of a class. Each case has separate volumes and repositories."""

    node: TransferNode

    @classmethod
    def setUpClass(cls) -> None:
        programs = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        put_programs(programs)
        cls.node = TransferNode(cls.enterClassContext(machine(share=programs)))

    def s3(self) -> S3Store:
        return self.enterContext(S3Store(self.node, "/mnt/versitygw"))

    def rest(self, largest: int = 0) -> RestStore:
        return self.enterContext(RestStore(self.node, "/mnt/rest-server", largest))

    def assert_failed(self, ended: dict[str, Any], code: str, reason: str, *parts: str,
                      transient: bool | None = None) -> None:
        """Its message contains all `parts`."""
        self.assertEqual(ended["phase"], "PHASE_FAILED", ended)
        self.assertEqual((ended["error"]["code"], ended["error"]["reason"]), (code, reason), ended)
        for part in parts:
            self.assertIn(part, ended["error"]["message"])
        if transient is not None:
            self.assertEqual(ended["error"]["transient"], transient, ended)

    def assert_nothing_left(self, target: Target | None, *volumes: str) -> None:
        """There is no process, no mount of the volumes ("vg_a/name"), and no lock in the
        repository."""
        self.assertEqual(self.node.left_behind(*volumes), "")
        if target:
            self.assertEqual(self.node.restic(target, "list locks --no-lock"), "")


class RepositoryCase(TransferCase):
    """For cases about what a repository in a local folder contains."""

    def used(self, target: Target) -> int:
        """In bytes."""
        return int(self.node.shell(f"du -sb {target.location} | cut -f1"))

    def back_up(self, name: str, target: Target, identity: str = "") -> dict[str, Any]:
        """The state of a backup that has succeeded."""
        return self.node.succeed(self.node.start(
            "StartBackup", target, identity, name=name, device_class="thin"))

"""No other user can read a secret, neither while a transfer runs nor after a crash. The ids in
brackets are rules of docs/protocol.md."""

from __future__ import annotations

import unittest
from pathlib import Path

from tests.system.secrecy import search
from tests.system.stores import RestStore, S3Store, SlowRelay

from .transfer_case import TransferCase
from .transfer_node import PASSWORD, Target, remote

_SEARCH = "/srv/secrecy/search.py"
_FOLDERS = "/run /var/lib /var/log /var/tmp /tmp /etc /root /srv/cores"
_CORES = "mkdir -p /srv/cores && sysctl -q kernel.core_pattern=/srv/cores/core.%e.%p"


class Secrets(TransferCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        node = cls.node
        node.write(_SEARCH, Path(str(search.__file__)).read_text(encoding="utf-8"))
        node.shell(_CORES)
        node.make("data", 256)
        origin = node.mount("data", fs_type="ext4", format=True)
        node.shell(f"head -c 40M /dev/urandom >{origin}/file; sync")
        node.unmount("data")
        node.snapshot("data", "data-snap")

    def assert_nowhere(self, store: S3Store | RestStore) -> None:
        secrets = "\n".join((PASSWORD, *store.secrets))
        done = self.node.machine.run(
            f"python3 {_SEARCH} --except {store.unit} {_FOLDERS}", timeout=600,
            data=secrets.encode())
        self.assertEqual((done.exit_code, done.output.strip()), (0, ""))

    def check(self, store: S3Store | RestStore, name: str) -> None:
        """While it copies, and after it has succeeded."""
        with SlowRelay(self.node, store.port, 1 << 20) as relay:
            started = self.node.start("StartBackup", remote(store, name, relay.port),
                                      name="data-snap", device_class="thin")
            self.node.await_copying(started)
            self.assert_nowhere(store)
            self.node.succeed(started)
        self.assert_nowhere(store)

    def crash(self, store: S3Store | RestStore, program: str) -> None:
        with SlowRelay(self.node, store.port, 1 << 20) as relay:
            target: Target = remote(store, f"crash-{program}", relay.port)
            started = self.node.start("StartBackup", target, name="data-snap", device_class="thin")
            self.node.await_copying(started)
            self.node.shell(f"kill -SEGV $(pgrep -x {program})")
            ended = self.node.end(started, 300)
            self.assertEqual(ended["phase"], "PHASE_FAILED", ended)
        for secret in (PASSWORD, *store.secrets):
            self.assertNotIn(secret, str(ended))
        self.assert_nowhere(store)

    def test_a_planted_secret_is_found(self) -> None:
        """A precondition of the other cases."""
        self.node.write("/run/case/planted", f"a line\n{PASSWORD}\n")
        try:
            with self.assertRaisesRegex(AssertionError, "/run/case/planted"):
                self.assert_nowhere(self.s3())
        finally:
            self.node.shell("rm /run/case/planted")

    def test_a_process_that_crashes_here_leaves_a_core(self) -> None:
        """A precondition of the cases about crashes."""
        self.node.run("prlimit --core=unlimited bash -c 'kill -SEGV $$'")
        self.node.shell("ls /srv/cores/core.bash.* && rm /srv/cores/core.bash.*")

    def test_by_s3(self) -> None:
        """[P-XFER-5, P-XFER-12]"""
        self.check(self.s3(), "secrets")

    def test_over_rest(self) -> None:
        """[P-XFER-5, P-XFER-12]"""
        self.check(self.rest(), "secrets")

    def test_a_mover_that_crashes(self) -> None:
        """[P-XFER-5]"""
        self.crash(self.s3(), "lvmd-mover")

    def test_a_restic_that_crashes(self) -> None:
        """[P-XFER-5]"""
        self.crash(self.rest(), "restic")


if __name__ == "__main__":
    unittest.main()

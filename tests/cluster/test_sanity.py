"""The conformance tests of csi-test, in the VM, against lvmd's Node service and a csi-controller
there. They check the rules of docs/csi.md and section 17 of docs/protocol.md."""

from __future__ import annotations

import time
import unittest

from tests.system.node import Node
from tools.dev import paths

from . import junit
from .sanity_node import CONTROLLER, CONTROLLER_SOCKET, FOLDER, NODE_SOCKET, PROGRAM, sanity_node

_RUN_SECONDS = 420.0
# Words in the names of the tests that csi-test leaves out by itself, because the driver does not
# have this optional part of the specification. The second line: csi-test marks it as pending.
_LEFT_OUT = (
    "ModifyVolume", "volume attribute class", "GroupController", "Health", "max attach limit",
    "is already published but is incompatible", "accessibility requirements",
    "pagination should detect volumes added between pages")
_SNAPSHOTS = ("CreateSnapshot", "DeleteSnapshot", "GetSnapshot", "ListSnapshots")


class Sanity(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(sanity_node())

    def test_thin(self) -> None:
        self.check("thin", "mount", 75)

    def test_thick(self) -> None:
        """There are no snapshots and no clones of thick volumes."""
        self.check("thick", "mount", 55, (*_SNAPSHOTS, "source"))

    def test_block(self) -> None:
        """The content of a volume makes no difference to snapshots."""
        self.check("thin", "block", 60, _SNAPSHOTS)

    def check(self, device_class: str, access: str, least: int,
              skipped: tuple[str, ...] = ()) -> None:
        """All tests pass. At least `least` run, and of those that do not, each has one of the words
        `skipped` or _LEFT_OUT in its name."""
        run = f"{FOLDER}/{device_class}-{access}"
        skip = " ".join(f"--ginkgo.skip={words}" for words in skipped)
        self.node.shell(
            f"({PROGRAM} --node={NODE_SOCKET} --controller={CONTROLLER_SOCKET} "
            f"--device-class={device_class} --access={access} --ginkgo.no-color "
            f"--ginkgo.junit-report={run}.xml {skip} >{run}.log 2>&1; echo $? >{run}.code) "
            "</dev/null >/dev/null 2>&1 &")
        code = self.wait_for(f"{run}.code", f"{run}.log")
        report = self.node.shell(f"cat {run}.xml")
        (paths.LOGS / f"{paths.SUITE}-{device_class}-{access}.xml").write_text(report)
        self.assertEqual(code, "0", f"{self.node.run(f'cat {run}.log')[1]}\n{self.logs()}")
        specs = junit.read(report)
        self.assertGreaterEqual(sum(spec.ran for spec in specs), least)
        self.assertEqual([spec.name for spec in specs if not spec.ran and
                          not any(words in spec.name for words in (*_LEFT_OUT, *skipped))], [])

    def wait_for(self, file: str, log: str) -> str:
        """The content of a file of the node, once it has one."""
        deadline = time.monotonic() + _RUN_SECONDS
        while not (content := self.node.run(f"cat {file} 2>/dev/null")[1]):
            if time.monotonic() > deadline:
                self.fail(f"the tests did not end within {_RUN_SECONDS:.0f} s:\n"
                          f"{self.node.run(f'tail -n 40 {log}')[1]}\n{self.logs()}")
            time.sleep(1)
        return content

    def logs(self) -> str:
        return "\n".join(
            f"── {unit}\n" + self.node.run(
                f"journalctl --boot --no-pager --unit={unit} --lines=40")[1]
            for unit in ("lvmd.service", "e2e-reconciler.service", CONTROLLER))

"""Runs the conformance tests of csi-test on a node in the VM."""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass

from tests.system.node import Node
from tools.dev import paths

from . import junit

FOLDER = "/run/sanity"
PROGRAM = "csi-sanity"
_PATH = f"/mnt/{PROGRAM}"
_RUN_SECONDS = 600
# Time to end the test that runs then, and to write the report.
_END_SECONDS = 120
# Of the order, which is the same in each run.
_SEED = 1
LEFT_OUT = (
    "ModifyVolume", "volume attribute class", "GroupController", "Health", "max attach limit",
    "is already published but is incompatible", "accessibility requirements",
    "pagination should detect volumes added between pages")
"""Words in the names of the tests that csi-test leaves out by itself, because lvmd's driver does not
have this optional part of the specification. The last line: csi-test marks it as pending."""
_SNAPSHOTS = ("CreateSnapshot", "DeleteSnapshot", "GetSnapshot", "ListSnapshots")


@dataclass(frozen=True)
class Volumes:
    """The volumes of a run."""

    device_class: str
    access: str
    """mount or block"""
    skipped: tuple[str, ...] = ()
    """Words in the names of the tests that do not run."""

    def __str__(self) -> str:
        return f"{self.device_class}-{self.access}"


THIN = Volumes("thin", "mount")
THICK = Volumes("thick", "mount", (*_SNAPSHOTS, "source"))
"""There are no snapshots and no clones of thick volumes."""
BLOCK = Volumes("thin", "block", _SNAPSHOTS)
"""The content of a volume makes no difference to snapshots."""


@dataclass(frozen=True)
class Driver:
    """What the tests call: two sockets of the node."""

    node: Node
    node_socket: str
    controller_socket: str
    units: tuple[str, ...]
    """Their logs are in the message of a failure."""

    def test(self, volumes: Volumes, name: str) -> list[junit.Spec]:
        """The results of all tests. The test that runs after ten minutes fails, and the others
        do not run. The report is `name` in the folder of the logs. Raises AssertionError without a
        report."""
        run = f"{FOLDER}/{name}"
        skip = " ".join(f"--ginkgo.skip={shlex.quote(words)}" for words in volumes.skipped)
        self.node.shell(
            f"mkdir --parents {FOLDER} && ({_PATH} --node={self.node_socket} "
            f"--controller={self.controller_socket} --device-class={volumes.device_class} "
            f"--access={volumes.access} --ginkgo.no-color --ginkgo.seed={_SEED} "
            f"--ginkgo.timeout={_RUN_SECONDS}s "
            f"--ginkgo.junit-report={run}.xml {skip} >{run}.log 2>&1; echo $? >{run}.code) "
            "</dev/null >/dev/null 2>&1 &")
        code = self._wait_for(f"{run}.code", f"{run}.log")
        report = self.node.shell(f"cat {run}.xml")
        (paths.LOGS / f"{paths.SUITE}-{name}.xml").write_text(report)
        specs = junit.read(report)
        # The program fails if something before or after the tests does, too.
        if (code == "0") == any(spec.problem for spec in specs):
            raise AssertionError(f"{PROGRAM} ended with {code}:\n"
                                 f"{self.node.run(f'cat {run}.log')[1]}\n{self.logs()}")
        return specs

    def logs(self) -> str:
        """The end of each unit's log."""
        return "\n".join(
            f"── {unit}\n" + self.node.run(
                f"journalctl --boot --no-pager --unit={unit} --lines=40")[1]
            for unit in self.units)

    def _wait_for(self, file: str, log: str) -> str:
        """The content of a file of the node, once it has one."""
        deadline = time.monotonic() + _RUN_SECONDS + _END_SECONDS
        while not (content := self.node.run(f"cat {file} 2>/dev/null")[1]):
            if time.monotonic() > deadline:
                raise AssertionError(f"the tests did not end after {_RUN_SECONDS} s:\n"
                                     f"{self.node.run(f'tail -n 40 {log}')[1]}\n{self.logs()}")
            time.sleep(1)
        return content

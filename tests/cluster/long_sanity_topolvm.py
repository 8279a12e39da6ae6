"""The conformance tests of csi-test against TopoLVM's node and controller, over lvmd and over
TopoLVM's own lvmd. README.md tells which of them TopoLVM's driver fails or leaves out, and why.
The id in brackets is a goal of docs/goals.md."""

from __future__ import annotations

import dataclasses
import re
import tempfile
import unittest
from collections.abc import Iterable
from pathlib import Path

from tests.e2e.kube import NODE, ControlPlane
from tests.system.node import Node
from tools.dev import paths
from tools.vm import Machine

from . import sanity, topolvm
from .junit import Spec
from .sanity import BLOCK, THICK, THIN, Driver, Volumes
from .sanity_node import create_node, node_and_api
from .stage import MAKE_GROUP, lvmd_yaml, say
from .topolvm import TopolvmNode

# Without the keys that only lvmd knows.
_LVMD_YAML = lvmd_yaml()[lvmd_yaml().index("device-classes:"):]
_LVMD_UNITS = "lvmd.socket lvmd.service"
_DRIVER_UNITS = (topolvm.NODE_PLUGIN, topolvm.CONTROLLER)
_CAPACITIES = tuple(f"capacity.topolvm.io/{name}" for name in ("thick", "thin"))
_ROW = re.compile(r"(?m)^\| (`[^|]+`) \| (fails|left out) \| [^|]+ \|$")
_FAILS, _LEFT_OUT = "fails", "left out"
# With raw block volumes. It fails in any case (README.md). TopoLVM's lvmd removes the volume that
# is still mounted then. lvmd refuses (P-REMOVE-3), for which TopoLVM's controller waits without end.
_ENDLESS_OVER_LVMD = ("Node Service should be idempotent",)


class SanityThroughTopolvm(unittest.TestCase):
    machine: Machine
    plane: ControlPlane
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory(dir=paths.CACHE)))
        share = topolvm.fill_share(folder, say, ("hypertopolvm", sanity.PROGRAM))
        cls.machine, cls.plane = cls.enterClassContext(node_and_api(share))
        topolvm.install(cls.plane, paths.CACHE / "go")
        create_node(cls.plane)
        cls.node = Node(cls.machine, MAKE_GROUP, _LVMD_YAML, start=False)

    def test_thin(self) -> None:
        """[E-PEER-1]"""
        self.check(THIN, 45)

    def test_thick(self) -> None:
        """[E-PEER-1]"""
        self.check(THICK, 35)

    def test_block(self) -> None:
        """[E-PEER-1]"""
        self.check(BLOCK, 40, _ENDLESS_OVER_LVMD)

    def check(self, volumes: Volumes, least: int, only_over_topolvm: tuple[str, ...] = ()) -> None:
        """Over both lvmds, the same tests pass: at least `least`. The table has the others. lvmd's
        driver leaves out none of those that pass. The tests `only_over_topolvm` do not run over
        lvmd."""
        theirs = self.over_topolvm(volumes)
        ours = self.over_lvmd(dataclasses.replace(
            volumes, skipped=(*volumes.skipped, *only_over_topolvm)))
        self.assertEqual(_outcomes(ours, only_over_topolvm), _outcomes(theirs, only_over_topolvm),
                         _problems(ours))
        passed = [name for name, outcome in _outcomes(theirs).items() if not outcome]
        self.assertGreaterEqual(len(passed), least)
        self.assertEqual([name for name in passed if _has(name, sanity.LEFT_OUT)], [])
        rows = dict(_ROW.findall(Path(__file__).with_name("README.md").read_text("utf-8")))
        self.assertEqual([f"{name}: {outcome or 'passes'}"
                          for name, outcome in _outcomes(theirs, volumes.skipped).items()
                          if outcome != _row_of(name, rows, volumes)], [], _problems(theirs))

    def over_lvmd(self, volumes: Volumes) -> list[Spec]:
        self.node.shell(f"systemctl start {_LVMD_UNITS}")
        try:
            return self.results(volumes, "lvmd", "lvmd.service", _DRIVER_UNITS)
        finally:
            self.node.shell(f"systemctl stop {_LVMD_UNITS} && rm --force /run/topolvm/lvmd.sock")

    def over_topolvm(self, volumes: Volumes) -> list[Spec]:
        return self.results(volumes, "topolvm", topolvm.LVMD, (topolvm.LVMD, *_DRIVER_UNITS))

    def results(self, volumes: Volumes, name: str, lvmd: str,
                units: tuple[str, ...]) -> list[Spec]:
        """Starts the units, runs the tests, and ends the units. The tests must leave nothing."""
        driver = TopolvmNode(self.machine, self.plane, units)
        driver.start()
        try:
            self.wait_for_capacity()
            self.node.shell(f"until test -S {topolvm.NODE_SOCKET} -a "
                            f"-S {topolvm.CONTROLLER_SOCKET}; do sleep 0.2; done")
            found = Driver(self.node, topolvm.NODE_SOCKET, topolvm.CONTROLLER_SOCKET,
                           (lvmd, *_DRIVER_UNITS)).test(volumes, f"{volumes}-over-{name}")
        finally:
            driver.stop()
        self.assertEqual(self.node.run("findmnt --list --noheadings --output=TARGET | "
                                       "grep ^/var/lib/kubelet/")[1], "")
        self.assertEqual(self.plane.kubectl("get", "logicalvolumes.topolvm.io", "--output=name"), "")
        self.plane.kubectl("annotate", f"node/{NODE}", *(f"{key}-" for key in _CAPACITIES))
        return found

    def wait_for_capacity(self) -> None:
        """TopoLVM's node has written the space of the device classes to its Node object."""
        for key in _CAPACITIES:
            name = key.replace(".", r"\.")
            self.plane.kubectl("wait", f"node/{NODE}", "--timeout=60s",
                               f"--for=jsonpath={{.metadata.annotations.{name}}}")


def _outcomes(specs: Iterable[Spec], without: tuple[str, ...] = ()) -> dict[str, str]:
    """By name: _FAILS or _LEFT_OUT, or nothing if the test passes. Without those that have some of
    these words in their names."""
    return {spec.name: _FAILS if spec.problem else "" if spec.ran else _LEFT_OUT
            for spec in specs if not _has(spec.name, without)}


def _problems(specs: Iterable[Spec]) -> str:
    return "\n\n".join(f"{spec.name}\n{spec.problem}" for spec in specs if spec.problem)


def _has(name: str, words: tuple[str, ...]) -> bool:
    return any(word in name for word in words)


def _row_of(name: str, rows: dict[str, str], volumes: Volumes) -> str:
    """The second column of the first row whose words are all in the name of the test or are those
    of the volumes; empty if there is none."""
    return next((outcome for row, outcome in rows.items()
                 if all(words in name or words == str(volumes)
                        for words in re.findall("`([^`]+)`", row))), "")

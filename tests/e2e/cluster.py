"""For cases about the manifests alone: a cluster with lvmd's manifests applied over TopoLVM's,
without a node that acts on them."""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import time
import unittest
from typing import Any

from tools.dev import paths
from tests.e2e.kube import ControlPlane, KubeError

from . import before_lvmd
from .daemon_pod import PACKAGING, DaemonPod
from .logical_volume import GROUP, LogicalVolume
from .stages import say

_IN_FORCE_SECONDS = 60.0


class ClusterCase(unittest.TestCase):
    plane: ControlPlane

    @classmethod
    def setUpClass(cls) -> None:
        cls.plane = shared()

    def volume(self, suffix: str = "", group: str = GROUP) -> LogicalVolume:
        """An object of this case, which is not created yet. Removes it after the case."""
        name = self._testMethodName.removeprefix("test_").replace("_", "-") + suffix
        volume = LogicalVolume(self.plane, name, group)
        self.addCleanup(volume.delete)
        return volume

    def refused(self, *arguments: str, manifest: dict[str, Any] | None = None) -> str:
        """The reason why the API refuses kubectl's request. Fails if it does not refuse."""
        try:
            self.plane.kubectl(*arguments, input=None if manifest is None else json.dumps(manifest))
        except KubeError as error:
            return str(error)
        self.fail(f"not refused: kubectl {' '.join(arguments)} {json.dumps(manifest)}")


@functools.cache
def shared() -> ControlPlane:
    """The only cluster of this process. The first call creates it."""
    workdir = paths.LOGS / f"{paths.SUITE}.cluster"
    shutil.rmtree(workdir, ignore_errors=True)
    plane = ControlPlane(paths.CACHE / "go", workdir, say)
    plane.__enter__()
    atexit.register(plane.__exit__, None, None, None)
    before_lvmd.prepare(plane)
    plane.apply(PACKAGING)
    wait_for_policy(plane)
    return plane


def wait_for_policy(plane: ControlPlane) -> None:
    """Waits until the API server enforces the admission policy, which takes a moment after a
    change."""
    token = DaemonPod(plane, "policy-probe").token()
    deadline = time.monotonic() + _IN_FORCE_SECONDS
    while "ValidatingAdmissionPolicy" not in plane.call(
            "PATCH", "/api/v1/nodes/policy-probe?dryRun=All", token,
            {"metadata": {"labels": {"probe": "yes"}}}).message:
        if time.monotonic() > deadline:
            raise KubeError(f"the admission policy was not in force after {_IN_FORCE_SECONDS:.0f} s")
        time.sleep(0.2)

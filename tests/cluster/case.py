"""The base class of the cases: a volume and a pod named after the case, and waiting."""

from __future__ import annotations

import json
import time
import unittest
from collections.abc import Callable
from typing import Any

from . import objects, stage
from .mounts import Device, Mount, mounts_of

GIB = 1 << 30
LIMIT_SECONDS = 120.0
_POLL_SECONDS = 0.3
_GONE_SECONDS = 90


class Case(unittest.TestCase):
    stage: stage.Stage
    mode = "Filesystem"
    """The mode of the case's volume."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.stage = stage.shared()

    def setUp(self) -> None:
        self.name = self._testMethodName.removeprefix("test_").replace("_", "-")
        self.path = f"/dev/{stage.VOLUME_GROUP}/{self.name}"

    def make_volume(self) -> Device:
        """Makes an LV, and a claim that is bound to it. Removes both after the case."""
        node = self.stage.node
        node.must("CreateLV", name=self.name, device_class="thick", size_bytes=GIB)
        self.addCleanup(node.call, "RemoveLV", name=self.name, device_class="thick")
        for manifest in objects.static_volume(self.name, self.name, self.mode):
            self._create(manifest)
        number = node.shell(f"lsblk --nodeps --noheadings --output=MAJ:MIN {self.path}")
        name = node.shell(f"readlink --canonicalize {self.path}").removeprefix("/dev/")
        return Device(number, name)

    def start_pod(self, script: str) -> str:
        """Waits until the pod runs. Returns its UID."""
        self._create(objects.pod(self.name, self.name, self.mode, script))
        self.eventually("the pod runs", lambda: self.pod()["status"]["phase"] == "Running",
                        lambda: json.dumps(self.pod()["status"], indent=2))
        return self.pod()["metadata"]["uid"]

    def delete_pod(self) -> None:
        """Returns when the pod is gone."""
        self.stage.plane.kubectl("delete", "pod", self.name, f"--timeout={_GONE_SECONDS}s")

    def pod(self) -> dict[str, Any]:
        return json.loads(self.stage.plane.kubectl("get", "pod", self.name, "--output=json"))

    def container(self) -> dict[str, Any]:
        """The status of the pod's container."""
        [status] = self.pod()["status"]["containerStatuses"]
        return status

    def in_pod(self, script: str) -> str:
        """The output of a script in the pod's container. The case fails if the script does."""
        return self.stage.plane.kubectl(
            "exec", self.name, "--", "/bin/sh", "-c", script).strip()

    def host_mounts(self, device: Device) -> list[Mount]:
        """The volume's mounts in the host's namespace."""
        return mounts_of(device, self.stage.node.shell("cat /proc/1/mountinfo"))

    def mounts_anywhere(self, device: Device) -> list[Mount]:
        """The volume's mounts in the namespace of any process."""
        return mounts_of(device, self.stage.node.shell(
            "cat /proc/[0-9]*/mountinfo 2>/dev/null | sort --unique"))

    def assert_nothing_is_left(self, device: Device, *targets: str) -> None:
        """No mount in any namespace, nothing at the targets, and nobody has the device open.
        Removes the LV."""
        self.eventually("no mount of the volume", lambda: not self.mounts_anywhere(device),
                        lambda: self.mounts_anywhere(device))
        there = f"ls --directory {' '.join(targets)} 2>/dev/null"
        self.eventually("nothing at the targets", lambda: self.stage.node.run(there)[1] == "",
                        lambda: self.stage.node.run(there)[1])
        self.stage.node.must("RemoveLV", name=self.name, device_class="thick")

    def eventually(self, what: str, attempt: Callable[[], Any], now: Callable[[], object],
                   limit: float = LIMIT_SECONDS) -> Any:
        """The first true result of `attempt`. Fails after `limit` seconds, with a description of
        the state."""
        deadline = time.monotonic() + limit
        while not (result := attempt()):
            if time.monotonic() > deadline:
                self.fail(f"not within {limit:.0f} s: {what}\n── now\n{now()}\n"
                          f"{self.stage.describe()}")
            time.sleep(_POLL_SECONDS)
        return result

    def _create(self, manifest: dict[str, Any]) -> None:
        self.stage.plane.kubectl("create", "--filename=-", input=json.dumps(manifest))
        # The cleanups run in reverse order: the pod ends before its claim, the claim before the LV.
        self.addCleanup(self.stage.plane.kubectl, "delete", manifest["kind"].lower(),
                        manifest["metadata"]["name"], "--ignore-not-found",
                        f"--timeout={_GONE_SECONDS}s")

"""The base class of the cases: a volume and a pod named after the case."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e.csi_controller import MANIFESTS
from tests.e2e.stages import StageCase

from . import objects, stage
from .mounts import Device, Mount, mounts_of

GIB = 1 << 30
_GONE_SECONDS = 90


class Case(StageCase):
    stage: stage.Stage
    mode = "Filesystem"
    """The mode of the case's volume."""
    manifests = MANIFESTS
    """Those of csi-controller. All classes of a part have the same."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.stage = stage.shared(cls.manifests)

    def setUp(self) -> None:
        self.name = self._testMethodName.removeprefix("test_").replace("_", "-")
        self.path = f"/dev/{stage.VOLUME_GROUP}/{self.name}"

    def make_volume(self) -> Device:
        """Makes an LV, and a claim that is bound to it. Removes both after the case."""
        node = self.stage.node
        node.must("CreateLV", name=self.name, device_class="thick", size_bytes=GIB)
        self.addCleanup(node.call, "RemoveLV", name=self.name, device_class="thick")
        for manifest in objects.static_volume(self.name, self.name, self.mode):
            self.create(manifest)
        return self.device_of(self.path)

    def device_of(self, path: str) -> Device:
        """The device of an active LV at this path of the node."""
        number = self.stage.node.shell(f"lsblk --nodeps --noheadings --output=MAJ:MIN {path}")
        name = self.stage.node.shell(f"readlink --canonicalize {path}").removeprefix("/dev/")
        return Device(number, name)

    def start_pod(self, script: str) -> str:
        """A pod with the claim `name` at PATH or DEVICE. Waits until it runs. Returns its UID."""
        place = objects.PATH if self.mode == "Filesystem" else objects.DEVICE
        return self.run_pod(objects.pod(self.name, script, {place: self.name}, self.mode))

    def run_pod(self, manifest: dict[str, Any]) -> str:
        """Waits until the pod runs. Returns its UID."""
        name = manifest["metadata"]["name"]
        self.create(manifest)
        return self.wait_for_pod(name)

    def wait_for_pod(self, name: str) -> str:
        """Waits until the pod runs. Returns its UID."""
        self.eventually(f"the pod {name} runs",
                        lambda: self.pod(name)["status"]["phase"] == "Running",
                        lambda: json.dumps(self.pod(name)["status"], indent=2))
        return self.pod(name)["metadata"]["uid"]

    def delete_pod(self, name: str | None = None) -> None:
        """Returns when the pod is gone."""
        self.stage.plane.kubectl("delete", "pod", name or self.name, f"--timeout={_GONE_SECONDS}s")

    def pod(self, name: str | None = None) -> dict[str, Any]:
        found = self.stage.plane.read(f"/api/v1/namespaces/default/pods/{name or self.name}")
        if found is None:
            self.fail(f"there is no pod {name or self.name}\n{self.stage.describe()}")
        return found

    def container(self, name: str | None = None) -> dict[str, Any]:
        """The status of the pod's container."""
        [status] = self.pod(name)["status"]["containerStatuses"]
        return status

    def in_pod(self, script: str, name: str | None = None) -> str:
        """The output of a script in the pod's container. The case fails if the script does."""
        return self.stage.plane.kubectl(
            "exec", name or self.name, "--", "/bin/sh", "-c", script).strip()

    def numbers(self, path: str) -> int:
        """How many numbers a pod with WRITER or BLOCK_WRITER has written, to the file or device at
        `path` on the node. The case fails if one is missing."""
        text = self.stage.node.run(f"head --bytes=4M {path} 2>/dev/null | tr --delete '\\0'")[1]
        found = [int(line) for line in text.split()]
        self.assertEqual(found, list(range(len(found))))
        return len(found)

    def assert_writes_on(self, path: str, name: str | None = None) -> None:
        """The pod with WRITER or BLOCK_WRITER runs without interruption, and goes on to write."""
        written = self.numbers(path)
        self.eventually("the pod writes on", lambda: self.numbers(path) > written + 3,
                        lambda: self.numbers(path))
        self.assertEqual(self.pod(name)["status"]["phase"], "Running")
        self.assertEqual(self.container(name)["restartCount"], 0)

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

    def create(self, manifest: dict[str, Any]) -> None:
        """Creates the object, and deletes it after the case."""
        self.stage.plane.kubectl("create", "--filename=-", input=json.dumps(manifest))
        # The cleanups run in reverse order: the pod ends before its claim, the claim before the LV.
        self.addCleanup(self.stage.plane.kubectl, "delete", manifest["kind"].lower(),
                        manifest["metadata"]["name"], "--ignore-not-found",
                        f"--timeout={_GONE_SECONDS}s")

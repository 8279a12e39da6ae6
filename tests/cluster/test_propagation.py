"""Mounts and devices that lvmd puts below kubelet's folder reach a pod's container, outlive a
restart of kubelet, and end with the pod."""

from __future__ import annotations

import hashlib

from .case import Case
from .objects import DEVICE, PATH
from .stage import DRIVER

_KUBELET = "/var/lib/kubelet"
_DEVICES = f"{_KUBELET}/plugins/kubernetes.io/csi/volumeDevices"
_RESTART_SECONDS = 180.0
_CONTINUES_SECONDS = 60.0
# Writes a number each time, and ends with an error when it cannot.
_WRITER = f"""
i=0
while echo $i >>{PATH}/numbers && sync -d {PATH}/numbers; do i=$((i + 1)); sleep 0.2; done
exit 1
"""


class Propagation(Case):
    def staging_target(self) -> str:
        digest = hashlib.sha256(self.name.encode()).hexdigest()
        return f"{_KUBELET}/plugins/kubernetes.io/csi/{DRIVER}/{digest}/globalmount"

    def pod_target(self, uid: str) -> str:
        return f"{_KUBELET}/pods/{uid}/volumes/kubernetes.io~csi/{self.name}/mount"

    def test_a_container_sees_the_mount_and_it_ends_with_the_pod(self) -> None:
        device = self.make_volume()
        uid = self.start_pod(f"echo written >{PATH}/file && sleep infinity")
        staging, target = self.staging_target(), self.pod_target(uid)
        mounted = [mount.target for mount in self.host_mounts(device)]
        self.assertEqual(sorted(mounted), sorted([staging, target]))
        self.assertRegex(self.in_pod("cat /proc/mounts"), rf"(?m)^\S+ {PATH} ext4 rw,")
        self.eventually(
            "the host has the pod's file in both places",
            lambda: self.stage.node.run(f"cat {staging}/file {target}/file")[1].split()
            == ["written", "written"],
            lambda: self.stage.node.run(f"ls -la {staging} {target}")[1])
        self.delete_pod()
        self.assert_nothing_is_left(device, staging, target)

    def test_a_pod_writes_on_while_kubelet_restarts(self) -> None:
        device = self.make_volume()
        target = self.pod_target(self.start_pod(_WRITER))
        self.eventually("the pod writes", lambda: self.numbers(target) > 3,
                        lambda: self.numbers(target))
        mounts, container = self.host_mounts(device), self.container()["containerID"]
        before = self.node_calls()
        self.stage.node.shell("systemctl restart kubelet.service")
        self.eventually(
            "kubelet stages and publishes again",
            lambda: all(now > earlier for now, earlier in
                        zip(self.node_calls(), before, strict=True)),
            self.node_calls, _RESTART_SECONDS)
        self.assertEqual(self.host_mounts(device), mounts)
        written = self.numbers(target)
        self.eventually("the pod writes on", lambda: self.numbers(target) > written + 3,
                        lambda: self.numbers(target), _CONTINUES_SECONDS)
        self.assertEqual(self.pod()["status"]["phase"], "Running")
        status = self.container()
        self.assertEqual((status["containerID"], status["restartCount"]), (container, 0))

    def node_calls(self) -> tuple[int, int]:
        return self.stage.calls("NodeStageVolume"), self.stage.calls("NodePublishVolume")

    def numbers(self, target: str) -> int:
        """How many numbers the pod has written. The case fails if one is missing."""
        text = self.stage.node.run(f"cat {target}/numbers 2>/dev/null")[1]
        found = [int(line) for line in text.split()]
        self.assertEqual(found, list(range(len(found))))
        return len(found)


class RawBlock(Case):
    mode = "Block"

    def test_a_container_has_the_device_and_it_ends_with_the_pod(self) -> None:
        device = self.make_volume()
        uid = self.start_pod(
            f"echo written | dd of={DEVICE} bs=512 conv=sync,fsync && sleep infinity")
        published = f"{_DEVICES}/publish/{self.name}/{uid}"
        # The second one is kubelet's own, of the first.
        mounted = sorted(mount.target for mount in self.host_mounts(device))
        self.assertEqual(mounted, sorted([published, f"{_DEVICES}/{self.name}/dev/{uid}"]))
        self.assertEqual(self.in_pod(f"stat -c %t:%T {DEVICE}"),
                         self.stage.node.shell(f"stat --dereference --format=%t:%T {self.path}"))
        self.eventually("the pod has written",
                        lambda: self.in_pod(f"head -c 7 {DEVICE}") == "written",
                        lambda: self.in_pod(f"head -c 64 {DEVICE} | xxd"))
        self.assertEqual(self.stage.node.shell(f"head --bytes=7 {self.path}"), "written")
        self.delete_pod()
        self.assert_nothing_is_left(device, published, f"{_DEVICES}/{self.name}")
        # kubelet holds the device open with one.
        self.assertEqual(self.stage.node.shell("losetup --list --noheadings"), "")

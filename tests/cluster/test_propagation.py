"""Mounts and devices that lvmd puts below kubelet's folder reach a pod's container, outlive a
restart of kubelet, and end with the pod. The ids in brackets are goals of docs/goals.md."""

from __future__ import annotations

import hashlib

from .case import Case
from .installation import DRIVER
from .objects import DEVICE, PATH, WRITER

_KUBELET = "/var/lib/kubelet"
_DEVICES = f"{_KUBELET}/plugins/kubernetes.io/csi/volumeDevices"
_RESTART_SECONDS = 180.0


class Propagation(Case):
    def staging_target(self) -> str:
        digest = hashlib.sha256(self.name.encode()).hexdigest()
        return f"{_KUBELET}/plugins/kubernetes.io/csi/{DRIVER}/{digest}/globalmount"

    def pod_target(self, uid: str) -> str:
        return f"{_KUBELET}/pods/{uid}/volumes/kubernetes.io~csi/{self.name}/mount"

    def test_a_container_sees_the_mount_and_it_ends_with_the_pod(self) -> None:
        """[E-FLOW-4, E-FLOW-7, E-FLOW-8]"""
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
        """[E-FLOW-9]"""
        device = self.make_volume()
        numbers = f"{self.pod_target(self.start_pod(WRITER))}/numbers"
        self.eventually("the pod writes", lambda: self.numbers(numbers) > 3,
                        lambda: self.numbers(numbers))
        mounts, container = self.host_mounts(device), self.container()["containerID"]
        before = self.node_calls()
        self.stage.node.shell("systemctl restart kubelet.service")
        self.eventually(
            "kubelet stages and publishes again",
            lambda: all(now > earlier for now, earlier in
                        zip(self.node_calls(), before, strict=True)),
            self.node_calls, _RESTART_SECONDS)
        self.assertEqual(self.host_mounts(device), mounts)
        self.assert_writes_on(numbers)
        self.assertEqual(self.container()["containerID"], container)

    def node_calls(self) -> tuple[int, int]:
        return self.stage.calls("NodeStageVolume"), self.stage.calls("NodePublishVolume")


class RawBlock(Case):
    mode = "Block"

    def test_a_container_has_the_device_and_it_ends_with_the_pod(self) -> None:
        """[E-FLOW-4, E-FLOW-8]"""
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

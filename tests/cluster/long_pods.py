"""The driver as its users install it: csi-controller with its sidecars, and lvmd-reconciler, in pods
of their manifests. The ids in brackets are rules of docs/csi.md and docs/reconciler.md (R-), and
goals of docs/goals.md (E-)."""

from __future__ import annotations

import json
from typing import Any

from tests.e2e import csi_controller, daemon_pod
from tests.e2e.kube import NODE
from tests.e2e.kubernetes_document import sections
from tests.e2e.unprivileged import assert_unprivileged
from tools.image import PROGRAMS

from . import objects
from .claim import Claim
from .installation import AT_ONCE, DRIVER
from .objects import PATH
from .pod_case import TAKE_OVER_SECONDS, THICK, THIN, PodCase
from .stage import VOLUME_GROUP, lvmd_yaml

_FORMER = "topolvm.cybozu.com"
_FORMER_OVERLAY = "packaging/kubernetes/csi-cybozu"
# The Lease of each sidecar.
_LEASES = {
    "csi-provisioner": "topolvm-io",
    "csi-resizer": "external-resizer-topolvm-io",
    "csi-snapshotter": "external-snapshotter-leader-topolvm-io",
}
_ATTACHER_LEASE = {"csi-attacher": "external-attacher-leader-topolvm-io"}
_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "uts")
# What the container runtime adds to each container.
_OF_EACH_CONTAINER = {"/", "/etc/hostname", "/etc/hosts", "/etc/resolv.conf"}
_ACCOUNT = "kubernetes.io/serviceaccount"
_ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments"


class Installed(PodCase):
    def test_all_containers_are_ready_and_unprivileged(self) -> None:
        """[C-POD-1, C-POD-2, C-SERVE-3, R-POD-2, R-POD-3, R-POD-4, R-POD-5]"""
        group = self.stage.node.shell("stat --format=%g /run/topolvm/lvmd.sock")
        controllers, reconcilers = self.stage.controllers(), self.stage.reconcilers()
        self.assertEqual((len(controllers), len(reconcilers)), (2, 1))
        for pod in controllers:
            self.check_containers(pod, ["csi-controller", *_LEASES], "/csi")
        [pod] = reconcilers
        self.check_containers(pod, ["lvmd-reconciler"], "/run/topolvm")
        text = self.stage.node.shell(
            f"grep ^Groups: /proc/{self.stage.process(pod, 'lvmd-reconciler')}/status")
        self.assertIn(group, text.split())
        # All sidecars have found a leader among the two pods.
        names = {pod["metadata"]["name"] for pod in controllers}
        for lease in _LEASES.values():
            self.assertIn(self.holder(lease), names, lease)

    def check_containers(self, pod: dict[str, Any], names: list[str], folder: str) -> None:
        """The pod has these containers, which are ready. Each has its own namespaces, nothing to
        write in its root, and no file of the node outside of `folder`."""
        statuses = {status["name"]: status for status in pod["status"]["containerStatuses"]}
        self.assertEqual(sorted(statuses), sorted(names))
        for key in ("hostNetwork", "hostPID", "hostIPC"):
            self.assertNotIn(key, pod["spec"])
        for name, status in statuses.items():
            self.assertIs(status["ready"], True, name)
            # A sidecar ends if csi-controller does not answer its first connection in a second.
            if name in PROGRAMS:
                self.assertEqual(status["restartCount"], 0, name)
            self.check_process(self.stage.process(pod, name), name, folder)

    def check_process(self, process: int, name: str, folder: str) -> None:
        """The same for the container's process."""
        shell = self.stage.node.shell
        assert_unprivileged(self, name, shell(f"cat /proc/{process}/status"))
        for kind in _NAMESPACES:
            self.assertNotEqual(shell(f"readlink /proc/{process}/ns/{kind}"),
                                shell(f"readlink /proc/1/ns/{kind}"), f"{kind} of {name}")
        mounts = [line.split() for line in shell(f"cat /proc/{process}/mountinfo").splitlines()]
        options = {fields[4]: fields[5].split(",") for fields in mounts}
        self.assertIn("ro", options["/"], name)
        others = {path for path in options if not path.startswith(("/proc", "/sys", "/dev"))
                  and not path.endswith(_ACCOUNT)}
        self.assertEqual(others, _OF_EACH_CONTAINER | {folder}, name)
        [source] = [fields[3] for fields in mounts if fields[4] == folder]
        if folder == "/csi":
            self.assertRegex(source, "/pods/[^/]*/volumes/kubernetes.io~empty-dir/socket$")
        else:
            self.assertEqual(source, "/topolvm")
            self.assertIn("ro", options[folder], name)

    def test_a_claim_from_its_first_pod_to_its_deletion(self) -> None:
        """With growth, a snapshot and a clone. [C-POD-2, R-POD-1, C-CREATE-1, C-GROW-1, C-SNAP-1,
        C-DELETE-1, E-FLOW-1..3, E-FLOW-5, E-FLOW-8]"""
        claim = self.make_claim(THIN)
        self.start_pod(f"echo before >{PATH}/file && sync && sleep infinity")
        self.assert_passes(claim, "Creating", "Created", "VolumeReady", "Published")
        self.eventually("the pod has written",
                        lambda: self.in_pod(f"cat {PATH}/file || true") == "before",
                        lambda: self.in_pod(f"ls -la {PATH}"))
        claim.request("320Mi")
        self.wait_until_large(claim, "320Mi")
        self.assert_passes(claim, "Resizing", "Resized")

        self.take_snapshot(self.name, claim)
        content = self.wait_for_snapshot(self.name)
        self.in_pod(f"echo after >{PATH}/file && sync")
        restored = self.make_claim(THIN, "320Mi", "-restored", objects.of_snapshot(self.name))
        clone = self.make_claim(THIN, "320Mi", "-clone", objects.of_claim(claim.name))
        reader = f"{self.name}-reader"
        self.run_pod(objects.pod(reader, "sleep infinity",
                                 {"/restored": restored.name, "/clone": clone.name}))
        self.assertEqual(self.in_pod("cat /restored/file /clone/file", reader).split(),
                         ["before", "after"])
        claims = [claim, restored, clone]
        self.assert_each_has_one_volume(claims, snapshots=1)

        self.stage.plane.kubectl("delete", "volumesnapshot", self.name, "--timeout=90s")
        self.eventually("the snapshot's content is gone",
                        lambda: self.snapshot_content(content["metadata"]["name"]) is None,
                        lambda: content["metadata"]["name"])
        self.delete_pod(reader)
        self.delete_pod()
        handles = [entry.handle() for entry in claims]
        for entry, handle in zip(claims, handles):
            entry.delete()
            self.assert_removed(entry, handle)
        self.assert_each_has_one_volume([])


class Elections(PodCase):
    """While claims are made, one grows and a snapshot is taken, the leader of one kind of sidecar is
    lost. [C-POD-2]"""

    def setUp(self) -> None:
        super().setUp()
        self.writer, self._numbers = self.start_writer()
        self.claims = [self.writer]
        self.snapshots: list[str] = []

    def test_another_pod_takes_over_from_a_pod_that_is_deleted(self) -> None:
        for sidecar, lease in _LEASES.items():
            with self.subTest(sidecar):
                leader = self.holder(lease)
                self.begin(sidecar)
                self.delete(leader, csi_controller.NAMESPACE)
                self.begin(f"{sidecar}-later")
                self.finish()
                self.wait_for_other_holder(lease, leader)
                self.stage.wait_until_rolled_out()

    def test_a_killed_container_starts_again(self) -> None:
        """A sidecar ends, too, when it loses csi-controller. [C-SERVE-3]"""
        for container, lease in {**_LEASES, "csi-controller": _LEASES["csi-provisioner"]}.items():
            with self.subTest(container):
                leader = self.holder(lease)
                before = self.restarts(leader, container)
                process = self.stage.process(self.controller(leader), container)
                self.begin(container)
                self.stage.node.shell(f"kill -KILL {process}")
                self.begin(f"{container}-later")
                self.finish()
                self.eventually(f"{container} has started again",
                                lambda: self.restarts(leader, container) == before + 1,
                                lambda: self.restarts(leader, container))
                self.stage.wait_until_rolled_out()

    def test_the_other_pod_takes_over_from_a_leader_that_stands_still(self) -> None:
        """The leader goes on in the middle of what it did, and ends: it is no leader any more."""
        for sidecar, lease in _LEASES.items():
            with self.subTest(sidecar):
                leader = self.holder(lease)
                [other] = [pod["metadata"]["name"] for pod in self.stage.controllers()
                           if pod["metadata"]["name"] != leader]
                before = self.restarts(leader, sidecar)
                process = self.stage.process(self.controller(leader), sidecar)
                self.begin(sidecar)
                self.stage.node.shell(f"kill -STOP {process}")
                try:
                    self.begin(f"{sidecar}-later")
                    self.finish()
                    self.assertEqual(self.wait_for_other_holder(lease, leader), other)
                finally:
                    self.stage.node.shell(f"kill -CONT {process}")
                self.eventually(f"{sidecar} has started again",
                                lambda: self.restarts(leader, sidecar) == before + 1,
                                lambda: self.restarts(leader, sidecar))
                self.stage.wait_until_rolled_out()
                self.assertEqual(self.holder(lease), other)

    def begin(self, suffix: str) -> None:
        """Makes claims and a snapshot, and lets the claim of the pod grow."""
        self.claims += [self.make_claim(AT_ONCE, "64Mi", f"-{suffix}-{number}") for number in range(2)]
        snapshot = f"{self.name}-{suffix}"
        self.take_snapshot(snapshot, self.writer)
        self.snapshots.append(snapshot)
        self._size = f"{256 + 16 * len(self.snapshots)}Mi"
        self.writer.request(self._size)

    def finish(self) -> None:
        """Waits until all of it is done. Each has one volume, and the pod has written on."""
        self.wait_for_work(self.claims)
        self.wait_until_large(self.writer, self._size)
        for name in self.snapshots:
            self.wait_for_snapshot(name)
        self.assert_each_has_one_volume(self.claims, len(self.snapshots))
        self.assert_writes_on(self._numbers)

    def wait_for_other_holder(self, lease: str, leader: str) -> str:
        """Waits until another pod that exists has the lease. Returns its name."""
        found: str = self.eventually(
            f"another pod than {leader} has the lease {lease}",
            lambda: next((pod["metadata"]["name"] for pod in self.stage.controllers()
                          if self.holder(lease) == pod["metadata"]["name"] != leader), ""),
            lambda: self.holder(lease), TAKE_OVER_SECONDS)
        return found


class Replaced(PodCase):
    def test_a_pod_writes_on_while_all_pods_of_the_driver_are_replaced(self) -> None:
        """[E-FLOW-9, C-POD-2, R-POD-4]"""
        claim, numbers = self.start_writer()
        container = self.container()["containerID"]
        before = self.names()
        for what, namespace in (("deployment/csi-controller", csi_controller.NAMESPACE),
                                ("daemonset/lvmd-reconciler", daemon_pod.NAMESPACE)):
            self.stage.plane.kubectl("rollout", "restart", what, f"--namespace={namespace}")
        others = [self.make_claim(AT_ONCE, "64Mi", f"-{number}") for number in range(3)]
        self.stage.wait_until_rolled_out()
        self.assertEqual(self.names() & before, set())
        self.wait_for_work(others)
        claim.request("320Mi")
        self.wait_until_large(claim, "320Mi")
        self.assert_each_has_one_volume([claim, *others])
        self.assert_writes_on(numbers)
        self.assertEqual(self.container()["containerID"], container)

    def test_a_volume_is_created_once_while_the_reconcilers_pod_is_deleted(self) -> None:
        """[P-INTENT-1, R-POD-4]"""
        for place in ("worker.begun", "worker.finished", "server.replied"):
            with self.subTest(place):
                [before] = self.stage.reconcilers()
                self.stop_at(place)
                claim = self.make_claim(AT_ONCE, "64Mi", f"-{place.replace('.', '-')}")
                self.wait_at_place()
                self.stage.plane.kubectl(
                    "delete", "pod", before["metadata"]["name"], "--timeout=90s",
                    f"--namespace={daemon_pod.NAMESPACE}")
                self.let_go()
                self.wait_for_work([claim])
                self.assert_each_has_one_volume([claim])
                self.stage.wait_until_rolled_out()
                [after] = self.stage.reconcilers()
                self.assertNotEqual(after["metadata"]["uid"], before["metadata"]["uid"])
                handle = claim.handle()
                claim.delete()
                self.assert_removed(claim, handle)

    def names(self) -> set[str]:
        """The pods of the driver."""
        return {pod["metadata"]["name"]
                for pod in (*self.stage.controllers(), *self.stage.reconcilers())}


class Attaching(PodCase):
    """The commands of docs/kubernetes.md, "Attaching", there and back."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        _, _, attach, *cls.back = sections()["CSI driver"]
        cls.stage.run_block(attach)
        cls.addClassCleanup(cls.return_to_volumes_without_attachments)
        cls.stage.wait_until_rolled_out()

    @classmethod
    def return_to_volumes_without_attachments(cls) -> None:
        for block in cls.back:
            cls.stage.run_block(block)
        cls.stage.wait_until_rolled_out()

    def test_a_volume_is_attached_by_one_of_two_replicas(self) -> None:
        """Also while the leader's pod is deleted. [C-POD-7, C-RIGHT-4, C-ATTACH-1, E-FLOW-11..12]"""
        [(sidecar, lease)] = _ATTACHER_LEASE.items()
        for pod in self.stage.controllers():
            names = {status["name"] for status in pod["status"]["containerStatuses"]}
            self.assertEqual(names, {"csi-controller", *_LEASES, sidecar})
        self.eventually("a leader", lambda: self.holder(lease), lambda: self.holder(lease))
        first = self.make_claim(THICK)
        self.start_pod("sleep infinity")
        self.assertEqual(self.attached(first), [True])

        leader = self.holder(lease)
        self.delete(leader, csi_controller.NAMESPACE)
        second = self.make_claim(THICK, suffix="-second")
        self.create(objects.pod(second.name, "sleep infinity", {PATH: second.name}))
        self.eventually("the second pod runs",
                        lambda: self.pod(second.name)["status"]["phase"] == "Running",
                        lambda: json.dumps(self.pod(second.name)["status"], indent=2),
                        TAKE_OVER_SECONDS)
        self.assertEqual(self.attached(second), [True])
        self.assertNotEqual(self.holder(lease), leader)
        self.stage.wait_until_rolled_out()
        self.assert_each_has_one_volume([first, second])
        self.delete_pod()
        self.delete_pod(second.name)
        self.eventually("both are detached",
                        lambda: not self.attached(first) + self.attached(second),
                        lambda: self.attached(first) + self.attached(second), TAKE_OVER_SECONDS)

    def attached(self, claim: Claim) -> list[bool]:
        """Of each VolumeAttachment of the claim's volume, whether it is attached."""
        found = (self.stage.plane.read(_ATTACHMENTS) or {})["items"]
        return [entry["status"]["attached"] for entry in found
                if entry["spec"]["source"]["persistentVolumeName"] == claim.volume_name]


class FormerName(PodCase):
    """The overlay csi-cybozu. The last class, because the stage keeps this driver."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        node, plane = cls.stage.node, cls.stage.plane
        plugins = "/var/lib/kubelet/plugins"
        node.write("/etc/topolvm/lvmd.yaml",
                   lvmd_yaml().replace("csi: {", f"csi: {{driver-name: {_FORMER}, "))
        node.write("/etc/systemd/system/lvmd-csi.socket.d/override.conf", (
            f"[Socket]\nListenStream=\nListenStream={plugins}/{_FORMER}/csi.sock\n"
            f"ListenStream={plugins}_registry/lvmd-{_FORMER}-reg.sock\n"))
        # With the other sockets, or a call of the reconciler would start lvmd too early.
        sockets = "lvmd-csi.socket lvmd.socket lvmd-ro.socket"
        node.shell(f"systemctl stop lvmd.service {sockets} && systemctl daemon-reload && "
                   "lvmd check-config /etc/topolvm/lvmd.yaml && "
                   f"systemctl start {sockets} lvmd.service")
        plane.kubectl("delete", "csidriver", DRIVER)
        rendered = plane.kubectl("kustomize", cls.stage.repository / _FORMER_OVERLAY)
        plane.kubectl("apply", "--filename=-", input=rendered)
        cls.stage.wait_until_rolled_out()

    def test_a_claim_becomes_a_volume_and_goes(self) -> None:
        """[C-POD-5]"""
        node = f"/apis/storage.k8s.io/v1/csinodes/{NODE}"
        self.eventually("kubelet has registered the driver", lambda: [_FORMER] == [
            driver["name"] for driver in (self.stage.plane.read(node) or {})["spec"]["drivers"] or []],
            lambda: self.stage.plane.read(node))
        classes = self.stage.repository / "packaging/kubernetes/csi/examples/storage-classes.yaml"
        text = classes.read_text(encoding="utf-8").replace(DRIVER, _FORMER)
        self.stage.plane.kubectl("apply", "--filename=-",
                                 input=text.replace("name: lvmd-", "name: former-"))
        claim = self.make_claim("former-thin")
        self.start_pod("sleep infinity")
        volume = f"/apis/{_FORMER}/v1/logicalvolumes/{claim.volume_name}"
        handle = (self.stage.plane.read(volume) or {})["status"]["volumeID"]
        self.assertEqual(claim.volume()["spec"]["csi"]["driver"], _FORMER)
        claim.request("320Mi")
        self.eventually("the volume has grown",
                        lambda: (self.stage.plane.read(volume) or {})["status"]["currentSize"]
                        == "320Mi", lambda: self.stage.plane.read(volume))
        self.delete_pod()
        claim.delete()
        self.wait_until_removed(claim)
        self.assertIsNone(self.stage.plane.read(volume))
        self.assertNotIn(handle, self.stage.node.shell(
            f"lvs --noheadings --options=lv_name {VOLUME_GROUP}"))

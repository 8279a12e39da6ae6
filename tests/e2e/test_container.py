"""The image, run with the settings of the DaemonSet's pod, with lvmd as a unit. It serves a node
with a separate name in the VM, beside the reconciler of the other cases. The ids in brackets are
rules of docs/reconciler.md."""

from __future__ import annotations

from typing import Any

from tools.dev import paths
from tools.image import build_image
from tools.vm import CommandFailed

from .case import MIB, Case, status
from .container import Container
from .daemon_pod import DaemonPod
from .unprivileged import assert_unprivileged

NODE = "vm-container"


class InContainer(Case):
    container: Container
    pod: DaemonPod

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        image = build_image(paths.INSTALL_TREE, "lvmd-reconciler", paths.BUILD / "image")
        cls.pod = DaemonPod(cls.stage.plane, NODE)
        assert cls.pod.spec["containers"][0]["image"] == image.name
        cls.container = Container(cls.stage.machine, cls.stage.plane, cls.pod)
        cls.container.load(image.archive)
        cls.container.start()
        cls.addClassCleanup(cls.container.remove)

    def shell(self, command: str) -> str:
        return self.stage.machine.run(command, check=True).output.strip()

    def test_a_volume_is_made_grown_and_removed(self) -> None:
        """[R-POD-1]"""
        volume = self.volume()
        uid = volume.create({**self.spec("64Mi"), "nodeName": NODE})
        made = self.wait_for_size(volume, "64Mi")
        self.assertEqual(status(made)["volumeID"], uid)
        self.assert_volume(uid, 64 * MIB)
        volume.change(size="128Mi")
        self.wait_for_size(volume, "128Mi")
        self.assert_volume(uid, 128 * MIB)
        volume.delete()
        self.wait_until_gone(volume)
        self.assert_no_volume(uid)

    def test_it_has_no_privilege(self) -> None:
        """[R-POD-2]"""
        assert_unprivileged(self, "lvmd-reconciler",
                            self.shell(f"cat /proc/{self.container.pid()}/status"))

    def test_the_socket_is_reached_by_the_groups_number(self) -> None:
        """[R-POD-3]"""
        text = self.shell(f"cat /proc/{self.container.pid()}/status")
        groups = next(line for line in text.splitlines() if line.startswith("Groups:"))
        self.assertIn(self.shell("stat --format=%g /run/topolvm/lvmd.sock"), groups.split())

    def test_nothing_of_the_host_but_the_sockets_folder_and_nothing_writable(self) -> None:
        """[R-POD-2]"""
        mounts = [line.split() for line in
                  self.shell(f"cat /proc/{self.container.pid()}/mountinfo").splitlines()]
        options = {fields[4]: fields[5].split(",") for fields in mounts}
        for path in ("/", "/run/topolvm"):
            self.assertIn("ro", options[path], path)
        device = self.shell("findmnt --noheadings --output MAJ:MIN --target /run/topolvm")
        from_host = {fields[4]: fields[3] for fields in mounts if fields[2] == device}
        self.assertEqual(from_host["/run/topolvm"], "/topolvm")
        outside = {path for path in options if not path.startswith(("/proc", "/sys", "/dev"))}
        self.assertLessEqual(outside, {
            "/", "/run/topolvm", "/run/secrets/kubernetes.io/serviceaccount",
            "/var/run/secrets/kubernetes.io/serviceaccount",
            # Files that podman itself adds to every container.
            "/etc/hostname", "/etc/hosts", "/etc/resolv.conf", "/run/.containerenv"})

    def test_its_probes_are_answered(self) -> None:
        """[R-POD-5]"""
        [container] = self.pod.spec["containers"]
        self.eventually("ready", lambda: self.answers(container["readinessProbe"]["httpGet"]),
                        self.container.log)
        self.assertTrue(self.answers(container["livenessProbe"]["httpGet"]))
        self.assertIn("lvmd_reconciler_lvmd_connected 1",
                      self.container.get("/metrics", container["ports"][0]["name"]))

    def answers(self, asked: dict[str, Any]) -> bool:
        try:
            self.container.get(asked["path"], asked["port"])
        except CommandFailed:
            return False
        return True

    def test_its_end(self) -> None:
        """[R-CLI-22]"""
        self.addCleanup(self.container.start)
        self.addCleanup(self.container.remove)
        log = self.container.log()
        self.assertIn(f"node {NODE}", log)
        self.assertEqual(self.container.stop(), 0)

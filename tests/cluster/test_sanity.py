"""The conformance tests of csi-test, in the VM, against lvmd's Node service and a csi-controller
there. They check the rules of docs/csi.md and section 17 of docs/protocol.md."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from .case import Case

_FOLDER = "/run/sanity"
_CONTROLLER = "sanity-controller.service"
_CONTROLLER_SOCKET = f"{_FOLDER}/csi.sock"
_RUN_SECONDS = 400.0
_NODE_SOCKET = "/var/lib/kubelet/plugins/topolvm.io/csi.sock"
# Optional parts of the specification that the driver does not have (docs/csi.md).
_NOT_SERVED = ("ModifyVolume", "volume attribute class", "GroupController", "ControllerPublishVolume",
               "ControllerUnpublishVolume")
# csi-test does not run this one.
_PENDING = ("pagination should detect volumes added between pages",)


class Sanity(Case):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        stage, node = cls.stage, cls.stage.node
        node.write(f"{_FOLDER}/token", stage.csi_token)
        node.write(f"{_FOLDER}/ca.crt", stage.plane.ca.read_text())
        cls.addClassCleanup(node.shell, f"systemctl stop {_CONTROLLER}")
        node.shell(
            f"systemd-run --quiet --unit={_CONTROLLER} /usr/bin/csi-controller "
            f"--csi-socket={_CONTROLLER_SOCKET} --kube-server={stage.plane.url_for_guest} "
            f"--kube-token-file={_FOLDER}/token --kube-ca-file={_FOLDER}/ca.crt && "
            f"until test -S {_CONTROLLER_SOCKET}; do sleep 0.2; done")
        # kubelet would remove the folders, because they belong to no pod that it knows.
        cls.addClassCleanup(stage.wait_until_ready)
        cls.addClassCleanup(node.shell, "systemctl start kubelet.service")
        node.shell("systemctl stop kubelet.service")

    def test_thin(self) -> None:
        self.check("thin", "mount", 60)

    def test_thick(self) -> None:
        self.check("thick", "mount", 40, skipped=("ListSnapshots", "CreateSnapshot",
                                                  "DeleteSnapshot", "source"))

    def test_block(self) -> None:
        self.check("thin", "block", 40)

    def check(self, device_class: str, access: str, least: int,
              skipped: tuple[str, ...] = ()) -> None:
        """All tests pass; at least `least` run, and those that do not have one of the reasons
        above or of `skipped`, which are not run for a thick volume, because it has no snapshots."""
        run = f"{_FOLDER}/{device_class}-{access}"
        skip = " ".join(f"--ginkgo.skip={words}" for words in skipped)
        self.stage.node.shell(
            f"(/mnt/csi-sanity --node={_NODE_SOCKET} --controller={_CONTROLLER_SOCKET} "
            f"--device-class={device_class} --access={access} --ginkgo.no-color "
            f"--ginkgo.junit-report={run}.xml {skip} >{run}.log 2>&1; echo $? >{run}.code) "
            "</dev/null >/dev/null 2>&1 &")
        code = self.eventually(
            "the tests end", lambda: self.stage.node.run(f"cat {run}.code 2>/dev/null")[1],
            lambda: self.stage.node.run(f"tail -n 50 {run}.log")[1], _RUN_SECONDS)
        self.assertEqual(code, "0", self.stage.node.shell(f"cat {run}.log"))
        ran, left_out = outcome(self.stage.node.shell(f"cat {run}.xml"))
        self.assertGreaterEqual(len(ran), least)
        reasons = (*_NOT_SERVED, *_PENDING, *skipped)
        self.assertEqual([name for name in left_out
                          if not any(words in name for words in reasons)], [])


def outcome(report: str) -> tuple[list[str], list[str]]:
    """The names of the tests that ran, and of those that did not, by a report of JUnit."""
    ran, left_out = [], []
    for case in ElementTree.fromstring(report).iter("testcase"):
        name = case.attrib["name"]
        if name.startswith("[It]"):
            (left_out if case.find("skipped") is not None else ran).append(name)
    return ran, left_out

"""docs/kubernetes.md: each command in it is run unchanged, on the cluster and node of these cases.
The ids in brackets are rules of docs/reconciler.md."""

from __future__ import annotations

import json
import os
import re
import subprocess

from tools.dev import paths

from . import csi_controller, stage
from .case import MIB, Case
from .daemon_pod import PACKAGING
from .logical_volume import LogicalVolume

DOCUMENT = paths.ROOT / "docs/kubernetes.md"
LOST = "lost-node"
_LIMIT_SECONDS = 120


def sections() -> dict[str, list[str]]:
    """The blocks of commands by their heading. Omits headings without blocks."""
    found: dict[str, list[str]] = {}
    for part in re.split(r"(?m)^## ", DOCUMENT.read_text(encoding="utf-8"))[1:]:
        blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", part)
        if blocks:
            found[part.splitlines()[0]] = blocks
    return found


class Document(Case):
    def run_block(self, block: str) -> str:
        kubectl = self.stage.plane.kubectl_program
        environment = {**os.environ, "KUBECONFIG": str(self.stage.plane.kubeconfig),
                       "PATH": f"{kubectl.parent}:{os.environ['PATH']}",
                       "NODE": stage.NODE, "LOST": LOST}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=paths.ROOT,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=_LIMIT_SECONDS)
        if done.returncode != 0:
            self.fail(f"exit code {done.returncode} of\n{block}\n{done.stdout}\n"
                      f"{self.stage.describe()}")
        return done.stdout

    def test_every_section_with_commands_has_a_case(self) -> None:
        self.assertEqual(list(sections()), [
            "Install", "CSI driver", "From TopoLVM's node controller", "Draining a node",
            "A node that is lost", "Troubleshooting"])

    def test_install(self) -> None:
        """[R-POD-4]"""
        apply, make, grow_and_remove = sections()["Install"]
        self.assertIn(f"lvmd-reconciler-{stage.NODE}", self.run_block(apply))
        first = LogicalVolume(self.stage.plane, "first")
        self.addCleanup(first.delete)
        shown = self.run_block(make)
        uid = first.read()["metadata"]["uid"]  # type: ignore[index]
        self.assertIn(uid, shown)
        self.assert_volume(uid, 100 * MIB)
        self.run_block(grow_and_remove)
        self.assertIsNone(first.read())
        self.assert_no_volume(uid)

    def test_the_csi_driver(self) -> None:
        """[R-POD-4, C-POD-3]"""
        install, look, *_ = sections()["CSI driver"]
        made = self.run_block(install)
        for name in ("deployment.apps/csi-controller", "csidriver.storage.k8s.io/topolvm.io",
                     "storageclass.storage.k8s.io/lvmd-thin"):
            self.assertRegex(made, rf"(?m)^{name} (created|configured|unchanged)$")
        self.assertRegex(self.run_block(look), r"(?m)^CLASS +NODE +FREE$")

    def test_attaching(self) -> None:
        """There and back. [C-POD-7]"""
        install, _, attach, replace, forget = sections()["CSI driver"]
        plane = self.stage.plane
        self.run_block(install)
        self.assertRegex(self.run_block(attach), r"(?m)^deployment.apps/csi-controller configured$")
        self.assertIs(self.attach_required(), True)
        self.run_block(replace)
        self.assertIs(self.attach_required(), False)
        others = ["example.com/first", "example.com/last"]
        plane.kubectl("create", "--filename=-", input=json.dumps({
            "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {
                "name": "attached", "finalizers": [
                    others[0], "external-attacher/topolvm-io", others[1]]},
            "spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"},
                     "csi": {"driver": "topolvm.io", "volumeHandle": "any"}}}))
        self.addCleanup(plane.kubectl, "patch", "persistentvolume", "attached",
                        '--patch={"metadata":{"finalizers":null}}', "--type=merge")
        self.addCleanup(plane.kubectl, "delete", "persistentvolume", "attached", "--wait=false")
        self.run_block(forget)
        self.assertEqual(csi_controller.pod_template(plane)["spec"]["containers"][-1]["name"],
                         "csi-snapshotter")
        volume = plane.read("/api/v1/persistentvolumes/attached") or {}
        self.assertEqual([name for name in volume["metadata"]["finalizers"]
                          if not name.startswith("kubernetes.io/")], others)

    def attach_required(self) -> bool:
        driver = self.stage.plane.read("/apis/storage.k8s.io/v1/csidrivers/topolvm.io") or {}
        return bool(driver["spec"]["attachRequired"])

    def test_coming_from_topolvm(self) -> None:
        look, apply, label, failed = sections()["From TopoLVM's node controller"]
        self.assertRegex(self.run_block(look), r"old-negative-size +vm +-1Gi")
        self.run_block(apply)
        self.run_block(label)
        old = LogicalVolume(self.stage.plane, "old-negative-size")
        self.assertIn("spec.size", self.wait_for_code(old, 3))
        self.assertRegex(self.run_block(failed), r"old-negative-size +vm .* 3 .*spec\.size")

    def test_draining(self) -> None:
        """[R-POD-4]"""
        drain, left = sections()["Draining a node"]
        volume = self.volume()
        uid = volume.create(self.spec("64Mi"))
        self.wait_for_size(volume, "64Mi")
        self.assertIn("drained", self.run_block(drain))
        self.assertIn(volume.name, self.run_block(left))
        volume.delete()
        self.wait_until_gone(volume)
        self.assert_no_volume(uid)

    def test_a_lost_node(self) -> None:
        [let_go] = sections()["A node that is lost"]
        self.stage.plane.kubectl("create", "--filename=-",
                                 input=f'{{"apiVersion":"v1","kind":"Node","metadata":'
                                       f'{{"name":"{LOST}"}}}}')
        lost, kept = self.volume("-lost"), self.volume("-kept")
        for volume, node in ((lost, LOST), (kept, "another")):
            volume.create({**self.spec("64Mi"), "nodeName": node},
                          finalizers=("topolvm.io/logicalvolume",))
        self.addCleanup(kept.set_finalizers)
        lost.delete()
        self.assertIsNotNone(lost.read())
        self.run_block(let_go)
        self.assertIsNone(lost.read())
        self.assertIsNotNone(kept.read())

    def test_troubleshooting(self) -> None:
        [look] = sections()["Troubleshooting"]
        self.assertIn(f"lvmd-reconciler-{stage.NODE}", self.run_block(look))

    def test_the_images_are_those_that_are_made_here(self) -> None:
        """[R-POD-4]"""
        for program, folder in (("lvmd-reconciler", PACKAGING),
                                ("csi-controller", PACKAGING / "csi")):
            shown = subprocess.run([paths.INSTALL_TREE / f"usr/bin/{program}", "--version"],
                                   check=True, capture_output=True, text=True).stdout.split()[-1]
            self.assertIn(f"newName: localhost/{program}\n    newTag: {shown}\n",
                          (folder / "kustomization.yaml").read_text())

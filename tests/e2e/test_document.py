"""docs/kubernetes.md: each command in it is run unchanged, on the cluster and node of these cases.
The ids in brackets are rules of docs/reconciler.md."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from tools.dev import paths

from . import before_lvmd, csi_controller, stage
from .case import MIB, Case
from .daemon_pod import PACKAGING
from .kubernetes_document import run_block, sections
from .logical_volume import LogicalVolume

LOST = "lost-node"


class Document(Case):
    def run_block(self, block: str) -> str:
        done = run_block(self.stage.plane, block, NODE=stage.NODE, LOST=LOST)
        if done.returncode != 0:
            self.fail(f"exit code {done.returncode} of\n{block}\n{done.stdout}\n"
                      f"{self.stage.describe()}")
        return done.stdout

    def test_every_section_with_commands_has_a_case(self) -> None:
        self.assertEqual(list(sections()), [
            "Install", "CSI driver", "From TopoLVM", "Draining a node", "A node that is lost",
            "Troubleshooting"])

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
        look, failed, apply, label, controller, leave, join, finalizer, *back = (
            sections()["From TopoLVM"])
        self.assertRegex(self.run_block(look), r"old-negative-size +vm +-1Gi")
        self.run_block(apply)
        self.run_block(label)
        old = LogicalVolume(self.stage.plane, "old-negative-size")
        self.assertIn("spec.size", self.wait_for_code(old, 3))
        self.assertRegex(self.run_block(failed), r"old-negative-size +vm .* 3 .*spec\.size")

        before_lvmd.create_workloads(self.stage.plane)
        self.assertRegex(self.run_block(controller), r"(?m)^daemonset\S+/topolvm-node patched$")
        self.stage.plane.kubectl("patch", "node", stage.NODE, "--type=merge", '--patch={"metadata":'
                                 '{"finalizers":["topolvm.io/node","example.com/other"]}}')
        self.addCleanup(self.stage.plane.kubectl, "patch", "node", stage.NODE, "--type=merge",
                        '--patch={"metadata":{"finalizers":null}}')
        for block in (leave, join, finalizer):
            self.run_block(block)
        found = self.node_metadata()
        self.assertEqual(found["finalizers"], ["example.com/other"])
        self.assertEqual([found["labels"].get(f"lvmd.io/{name}") for name in ("driver", "node")],
                         ["lvmd", "true"])
        for block in back:
            self.run_block(block)
        self.assertEqual([label for label in self.node_metadata().get("labels", {})
                          if label.startswith("lvmd.io/")], [])
        self.run_block(join)

    def node_metadata(self) -> dict[str, Any]:
        return dict((self.stage.plane.read(f"/api/v1/nodes/{stage.NODE}") or {})["metadata"])

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
        """Without claims."""
        blocks = sections()["A node that is lost"]
        self.stage.plane.kubectl("create", "--filename=-",
                                 input=f'{{"apiVersion":"v1","kind":"Node","metadata":'
                                       f'{{"name":"{LOST}"}}}}')
        lost, stored, kept = (self.volume(f"-{name}") for name in ("lost", "stored", "kept"))
        for volume, node in ((lost, LOST), (stored, LOST), (kept, "another")):
            volume.create({**self.spec("64Mi"), "nodeName": node},
                          finalizers=("topolvm.io/logicalvolume",))
        for volume in (stored, kept):
            self.addCleanup(volume.set_finalizers)
        self.stage.plane.kubectl(
            "patch", str(stored), "--subresource=status", "--type=merge", "--patch="
            '{"status":{"snapshot":{"operation":"Backup","phase":"Succeeded"}}}')
        lost.delete()
        self.assertIsNotNone(lost.read())
        for block in blocks:
            self.run_block(block)
        self.assertIsNone(lost.read())
        for volume in (stored, kept):
            self.assertIsNotNone(volume.read())

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

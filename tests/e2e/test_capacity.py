"""The Node has the free capacity of its node. The ids in brackets are rules of
docs/reconciler.md."""

import json

from . import node_capacity
from .case import Case
from .node_capacity import LEGACY_PREFIX, PREFIX
from .stage import NODE, VOLUME_GROUP


class NodeCapacity(Case):
    def wait_until_true(self) -> None:
        for prefix in (PREFIX, LEGACY_PREFIX):
            self.eventually(f"the Node says what LVM says, with {prefix}", lambda: (
                node_capacity.told(self.stage, prefix) == node_capacity.true(self.stage)),
                lambda: f"Node: {node_capacity.told(self.stage, prefix)}, "
                        f"LVM: {node_capacity.true(self.stage)}")

    def test_annotations_follow_lvm(self) -> None:
        """[R-CAP-1, R-CAP-2]"""
        volume, thin = self.volume(), self.volume("-thin")
        self.wait_until_true()
        volume.create(self.spec("64Mi"))
        thin.create(self.spec("64Mi", "thin"))
        self.wait_for_size(volume, "64Mi")
        self.wait_for_size(thin, "64Mi")
        self.wait_until_true()
        self.stage.machine.run(f"lvcreate -q -y -n by-hand -L 32M {VOLUME_GROUP}", check=True)
        self.addCleanup(self.stage.machine.run, f"lvremove -q -y {VOLUME_GROUP}/by-hand")
        self.wait_until_true()

    def test_a_node_that_was_made_anew_has_them_again(self) -> None:
        """[R-CAP-5]"""
        plane = self.stage.plane
        self.wait_until_true()
        before = json.loads(plane.kubectl("get", "node", NODE, "--output=json"))
        plane.kubectl("delete", "node", NODE)
        plane.kubectl("create", "--filename=-", input=json.dumps(
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}}))
        self.wait_until_true()
        after = json.loads(plane.kubectl("get", "node", NODE, "--output=json"))
        self.assertNotEqual(before["metadata"]["uid"], after["metadata"]["uid"])

    def test_what_somebody_took_away_is_there_again(self) -> None:
        """[R-CAP-5]"""
        self.wait_until_true()
        self.stage.plane.kubectl("annotate", "--overwrite", "node", NODE, f"{PREFIX}thick-",
                                 f"{LEGACY_PREFIX}thin=1")
        self.wait_until_true()

    def test_a_wrong_annotation_from_before_goes_at_the_start(self) -> None:
        """[R-CAP-2, R-CAP-3]"""
        self.addCleanup(self.stage.reconciler.start)
        self.stage.reconciler.stop()
        self.stage.plane.kubectl("annotate", "--overwrite", "node", NODE, f"{PREFIX}gone=1",
                                 f"{LEGACY_PREFIX}gone=1",
                                 f"{PREFIX}thick=1", "example.com/other=1")
        self.stage.reconciler.start()
        self.wait_until_true()
        node = json.loads(self.stage.plane.kubectl("get", "node", NODE, "--output=json"))
        self.assertEqual(node["metadata"]["annotations"]["example.com/other"], "1")

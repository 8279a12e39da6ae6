"""What the node can still give is on its Node. The ids in brackets are rules of docs/reconciler.md."""

import json

from . import node_capacity
from .case import Case
from .node_capacity import PREFIX
from .stage import NODE, VOLUME_GROUP


class NodeCapacity(Case):
    def wait_until_true(self) -> None:
        self.eventually("the Node says what LVM says",
                        lambda: node_capacity.told(self.stage) == node_capacity.true(self.stage),
                        lambda: f"Node: {node_capacity.told(self.stage)}, "
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

    def test_a_wrong_annotation_from_before_goes_at_the_start(self) -> None:
        """[R-CAP-2, R-CAP-3]"""
        self.addCleanup(self.stage.reconciler.start)
        self.stage.reconciler.stop()
        self.stage.plane.kubectl("annotate", "--overwrite", "node", NODE, f"{PREFIX}gone=1",
                                 f"{PREFIX}thick=1", "example.com/other=1")
        self.stage.reconciler.start()
        self.wait_until_true()
        node = json.loads(self.stage.plane.kubectl("get", "node", NODE, "--output=json"))
        self.assertEqual(node["metadata"]["annotations"]["example.com/other"], "1")

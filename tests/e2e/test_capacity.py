"""What the node can still give is on its Node. The ids in brackets are rules of docs/reconciler.md."""

import json

from .case import Case
from .stage import NODE, VOLUME_GROUP

PREFIX = "capacity.topolvm.io/"
OVERPROVISION_RATIO = 5


class NodeCapacity(Case):
    def annotations(self) -> dict[str, str]:
        node = json.loads(self.stage.plane.kubectl("get", "node", NODE, "--output=json"))
        return {key.removeprefix(PREFIX): value
                for key, value in node["metadata"].get("annotations", {}).items()
                if key.startswith(PREFIX)}

    def expected(self) -> dict[str, str]:
        """By what LVM itself says of the group and its pool."""
        free = self.stage.machine.run(
            f"vgs --noheadings --units b --nosuffix -o vg_free {VOLUME_GROUP}",
            check=True).output.strip()
        volumes = self.stage.volumes()
        promised = sum(volume["lv_size"] for volume in volumes.values()
                       if volume["pool_lv"] == "pool")
        thin = OVERPROVISION_RATIO * volumes["pool"]["lv_size"] - promised
        return {"00default": free, "thick": free, "thin": str(thin)}

    def wait_until_true(self) -> None:
        self.eventually("the Node says what LVM says",
                        lambda: self.annotations() == self.expected(),
                        lambda: f"Node: {self.annotations()}, LVM: {self.expected()}")

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

"""restic by hand on a node: what it preserves of an odd tree on each file system, with each kind of
store. The cases of lvmd's transfers are compared with these results."""

from __future__ import annotations

import shlex
import tempfile
import unittest
from pathlib import Path

from tests.system.stores import RestStore, S3Store, SlowRelay, put_programs

from .node import Node, machine
from .tree_on_node import Trees

_PASSWORD = "password of the repository"
_MAKE = """
set -e
for side in {kind} {kind}-back; do
  lvcreate -q -y -L 1G -n $side vg_n
  mkfs.{kind} -q /dev/vg_n/$side
  mkdir -p /run/case/$side/volume
  mount /dev/vg_n/$side /run/case/$side/volume
done
"""


class Stores(unittest.TestCase):
    node: Node
    trees: Trees

    @classmethod
    def setUpClass(cls) -> None:
        programs = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        put_programs(programs)
        cls.node = Node(cls.enterClassContext(machine(share=programs)))
        cls.trees = Trees(cls.node)

    def restic(self, location: str, environment: dict[str, str], words: str) -> str:
        variables = {"RESTIC_PASSWORD": _PASSWORD, "RESTIC_REPOSITORY": location,
                     "RESTIC_CACHE_DIR": "/srv/cache", **environment}
        given = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        return self.node.shell(f"{given} restic --json {words}")

    def check(self, kind: str, location: str, environment: dict[str, str]) -> None:
        """Backs up and restores. Stores the folder above the volume, because restic does not
        restore the metadata of the snapshot's root."""
        self.node.shell(_MAKE.format(kind=kind))
        there, back = f"/run/case/{kind}", f"/run/case/{kind}-back"
        self.trees.make(f"{there}/volume")
        self.restic(location, environment, "init")
        self.restic(location, environment, f"backup {there}/volume")
        self.restic(location, environment,
                    f"restore latest:{there} --target {back} --sparse --verify")
        self.assertEqual(self.trees.differences(f"{there}/volume", f"{back}/volume"), "")

    def test_ext4_by_s3(self) -> None:
        with S3Store(self.node, "/mnt/versitygw") as store:
            self.check("ext4", store.location("by-hand"), store.environment)

    def test_xfs_over_rest_with_a_user_and_tls(self) -> None:
        with RestStore(self.node, "/mnt/rest-server") as store:
            self.check("xfs", store.location("by-hand"), store.environment)

    def test_btrfs_in_a_local_folder(self) -> None:
        self.check("btrfs", "/srv/repository", {})

    def test_a_slow_way_to_a_store_is_slow(self) -> None:
        with S3Store(self.node, "/mnt/versitygw") as store, \
                SlowRelay(self.node, store.port, 1 << 20) as relay:
            location = store.location("slow", relay.port)
            self.restic(location, store.environment, "init")
            self.node.shell("head -c 12M /dev/urandom >/run/case/random")
            begin = self.node.shell("cut -d' ' -f1 /proc/uptime")
            self.restic(location, store.environment, "backup /run/case/random")
            end = self.node.shell("cut -d' ' -f1 /proc/uptime")
            self.assertGreater(float(end) - float(begin), 12)


if __name__ == "__main__":
    unittest.main()

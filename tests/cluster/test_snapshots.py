"""Snapshots of a claim, and claims that begin with their content or with that of another claim. The
ids in brackets are rules of docs/csi.md and docs/protocol.md (P-)."""

from __future__ import annotations

import json
from . import objects
from .claim_case import ClaimCase
from .installation import THIN_XFS
from .objects import PATH
from .stage import VOLUME_GROUP

# The smallest size for which mkfs.xfs makes a file system is 300 MiB.
_SIZE = "320Mi"


class Snapshots(ClaimCase):
    def test_claims_from_a_snapshot_and_from_a_claim(self) -> None:
        """All three xfs, which have the same UUID, are mounted at the same time.
        [C-OBJ-5, C-SNAP-1, C-SNAP-3, C-PLACE-4, P-CSI-31, P-MOUNT-6]"""
        source = self.make_claim(THIN_XFS, _SIZE)
        self.start_pod(f"echo before >{PATH}/file && sync && sleep infinity")
        self.eventually("the pod has written",
                        lambda: self.in_pod(f"cat {PATH}/file || true") == "before",
                        lambda: self.in_pod(f"ls -la {PATH}"))
        self.create(objects.snapshot(self.name, source.name))
        content = self.wait_for_snapshot(self.name)
        handle = content["status"]["snapshotHandle"]
        self.in_pod(f"echo after >{PATH}/file && sync")

        restored = self.make_claim(THIN_XFS, _SIZE, "-restored", objects.of_snapshot(self.name))
        clone = self.make_claim(THIN_XFS, _SIZE, "-clone", objects.of_claim(source.name))
        reader = f"{self.name}-reader"
        self.run_pod(objects.pod(reader, "sleep infinity",
                                 {"/restored": restored.name, "/clone": clone.name}))
        self.assertEqual(self.in_pod("cat /restored/file /clone/file", reader).split(),
                         ["before", "after"])
        self.in_pod("echo own >/restored/file && echo own >/clone/file && sync", reader)
        self.assertEqual(self.in_pod(f"cat {PATH}/file"), "after")

        self.stage.plane.kubectl("delete", "volumesnapshot", self.name, "--timeout=90s")
        name = content["metadata"]["name"]
        self.eventually("the snapshot's content is gone",
                        lambda: self.snapshot_content(name) is None,
                        lambda: json.dumps(self.snapshot_content(name), indent=2))
        self.assertNotIn(handle, self.stage.node.shell(
            f"lvs --noheadings --options=lv_name {VOLUME_GROUP}"))
        self.assertEqual(self.in_pod("cat /restored/file", reader), "own")

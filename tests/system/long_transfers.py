"""Cases like those of test_transfers.py and long_transfer_faults.py that take many minutes. The ids
in brackets are rules of docs/protocol.md."""

from __future__ import annotations

import re
import unittest
from typing import Any

from tests.system.stores import SlowRelay
from tools.dev import paths

from .transfer_case import RepositoryCase, TransferCase
from .transfer_node import MIB, PASSWORD, Target, local, new_id, remote
from .tree_case import LOST, TreeCase


class Trees(TreeCase):
    """The same as the case for ext4 in test_transfers.py."""

    def test_xfs_over_rest_with_a_user_and_a_ca_while_its_origin_is_written(self) -> None:
        """[P-XFER-5, P-XFER-7, P-XFER-9, P-XFER-10, P-XFER-18, P-MOUNT-6]"""
        self.there_and_back("xfs", remote(self.rest(), "xfs"))

    def test_btrfs_into_a_local_folder(self) -> None:
        """[P-XFER-4, P-XFER-7, P-XFER-9, P-XFER-10, P-XFER-18]"""
        self.there_and_back("btrfs", local("btrfs"), verify=False)

    def test_a_file_system_can_be_stored_as_blocks(self) -> None:
        """[P-XFER-7, P-XFER-9]"""
        node, target = self.node, local("as-blocks")
        node.source("fs", "xfs", 512, hole_mib=16)
        node.unmount("fs")
        node.snapshot("fs", "fs-snap")
        backup = node.succeed(node.start("StartBackup", target, name="fs-snap", device_class="thin",
                                         mode="MODE_BLOCKS"))
        self.assertEqual(backup["mode"], "MODE_BLOCKS")
        node.make("fs-back", 512, "other")
        node.succeed(node.start("StartRestore", target, name="fs-back", device_class="other",
                                snapshot_id=backup["snapshot_id"]))
        node.shell("cmp /dev/vg_a/fs-snap /dev/vg_b/fs-back")


class Repository(RepositoryCase):
    """What is stored, stored again, and deleted."""

    def test_a_second_backup_stores_what_has_changed(self) -> None:
        """[P-XFER-7]"""
        target = local("again")
        origin = self.node.source("again", "ext4", 512)
        self.node.shell(f"head -c 40M /dev/urandom >{origin}/random; sync")
        self.node.snapshot("again", "again-1")
        self.back_up("again-1", target)
        first = self.used(target)
        self.node.shell(f"head -c 1M /dev/urandom >{origin}/more; sync")
        self.node.snapshot("again", "again-2")
        self.back_up("again-2", target)
        self.assertLess(self.used(target) - first, 4 * MIB)
        self.assertEqual(len(self.node.snapshots(target)), 2)
        self.node.unmount("again")

    def test_restic_alone_gets_files_back(self) -> None:
        """The commands of docs/snapshots.md for a repository without lvmd. [P-XFER-10]"""
        node, target = self.node, local("alone")
        origin = node.source("alone", "ext4", 512, hole_mib=1)
        node.shell(f"echo found >{origin}/wanted; sync")
        node.unmount("alone")
        node.snapshot("alone", "alone-snap")
        backup = self.back_up("alone-snap", target)
        listed = node.restic(target, f"ls --tag lvmd.v1.backup={backup['id']} latest")
        [path] = [line for line in listed.splitlines() if line.endswith("/wanted")]
        self.assertEqual(node.restic(target, f"dump {backup['snapshot_id']} {path}"), "found")

    def test_blocks_are_where_they_were_and_holes_are_holes(self) -> None:
        """[P-XFER-7, P-XFER-8, P-XFER-9, P-XFER-10]"""
        node, target = self.node, local("blocks")
        node.make("raw", 128)
        node.trees.make_blocks("/dev/vg_a/raw")
        node.snapshot("raw", "raw-snap")
        backup = self.back_up("raw-snap", target)
        self.assertEqual((backup["mode"], backup["fs_type"]), ("MODE_BLOCKS", ""))
        self.assertIn("lvmd.v1.mode=blocks", node.snapshots(target)[0]["tags"])
        self.assertLess(self.used(target), 8 * MIB)
        node.make("raw-back", 128)
        restored = node.succeed(node.start("StartRestore", target, name="raw-back",
                                           device_class="thin", backup_id=backup["id"]))
        self.assertEqual(restored["verification"]["result"], "RESULT_MATCHES", restored)
        node.shell("cmp /dev/vg_a/raw-snap /dev/vg_a/raw-back")
        used = node.shell("lvs --noheadings -o data_percent vg_a/raw-back")
        self.assertLess(float(used), 10)

    def test_a_deletion_takes_the_backup_and_its_space_and_can_be_repeated(self) -> None:
        """[P-XFER-11]"""
        node, target = self.node, local("deleted")
        origin = node.source("deleted", "ext4", 512, hole_mib=1)
        node.shell(f"head -c 24M /dev/urandom >{origin}/random; sync")
        node.unmount("deleted")
        node.snapshot("deleted", "deleted-snap")
        backup = self.back_up("deleted-snap", target)
        before = self.used(target)
        for _ in range(2):
            node.succeed(node.start("DeleteBackup", target, backup_id=backup["id"]))
        self.assertEqual(node.snapshots(target), [])
        self.assertLess(self.used(target), before - 20 * MIB)
        self.assert_nothing_left(target)
        node.succeed(node.start("DeleteBackup", local("never-made"), backup_id=backup["id"]))
        self.assertEqual(node.run("ls -d /var/lib/lvmd/repositories/never-made")[0], 2)


class Document(TransferCase):
    def test_the_commands_of_docs_snapshots_md_as_they_stand(self) -> None:
        """The blocks of docs/snapshots.md, one after another, in one shell."""
        text = (paths.ROOT / "docs/snapshots.md").read_text(encoding="utf-8")
        blocks = re.findall(r"(?ms)^```sh\n(.*?)^```$", text)
        self.assertGreaterEqual(len(blocks), 7)
        begun, deleted = "".join(blocks[:-1]), blocks[-1]
        self.node.shell("set -euo pipefail\n" + begun)
        alone = text[text.index("    export RESTIC_REPOSITORY"):].split("\n\n")[0]
        self.assertIn("hello", self.node.shell(f"set -euo pipefail\n{alone}"))
        self.assertEqual(self.node.shell("cat /tmp/back/file"), "hello")
        said = self.node.shell("set -euo pipefail\n" + blocks[0] + deleted)
        self.assertIn('"PHASE_SUCCEEDED"', said)


class Holes(TransferCase):
    """A hole of 4 GiB is stored, compared and restored as a hole."""

    def there_and_back(self, kind: str) -> None:
        node, target = self.node, local(f"{kind}-hole")
        node.source(f"{kind}-hole", kind, 512, hole_mib=4096)
        node.unmount(f"{kind}-hole")
        node.snapshot(f"{kind}-hole", f"{kind}-snap")
        backup = node.succeed(node.start("StartBackup", target, name=f"{kind}-snap",
                                         device_class="thin", verify=True))
        node.make(f"{kind}-back", 512, "other")
        node.succeed(node.start("StartRestore", target, name=f"{kind}-back",
                                device_class="other", backup_id=backup["id"]))
        left, right = node.mount(f"{kind}-snap"), node.mount(f"{kind}-back", "other")
        self.assertEqual(node.trees.differences(left, right), LOST)
        node.unmount(f"{kind}-snap")
        node.unmount(f"{kind}-back", "other")

    def test_on_ext4(self) -> None:
        """[P-XFER-7, P-XFER-9, P-XFER-10]"""
        self.there_and_back("ext4")

    def test_on_xfs(self) -> None:
        """[P-XFER-7, P-XFER-9, P-XFER-10]"""
        self.there_and_back("xfs")

    def test_on_btrfs(self) -> None:
        """[P-XFER-7, P-XFER-9, P-XFER-10]"""
        self.there_and_back("btrfs")


class Waiting(TransferCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.node.make("data", 256)
        origin = cls.node.mount("data", fs_type="ext4", format=True)
        cls.node.shell(f"head -c 60M /dev/urandom >{origin}/file; sync")
        cls.node.unmount("data")
        cls.node.snapshot("data", "data-snap")

    def back_up(self, target: Target, identity: str = "") -> dict[str, Any]:
        return self.node.end(self.node.start("StartBackup", target, identity, name="data-snap",
                                             device_class="thin"))

    def test_nothing_moves_for_10_minutes(self) -> None:
        """[P-XFER-14]"""
        store = self.s3()
        with SlowRelay(self.node, store.port, 1 << 20) as relay:
            identity = new_id()
            started = self.node.start("StartBackup", remote(store, "stalled", relay.port), identity,
                                      name="data-snap", device_class="thin")
            self.node.await_copying(started, 1)
            self.node.shell(f"systemctl kill -s STOP {relay.unit}")
            ended = self.node.end(started, 900)
            self.node.shell(f"systemctl kill -s CONT {relay.unit}")
        self.assert_failed(ended, "SnapshotExecutionFailed", "Stalled", transient=True)
        self.assert_nothing_left(None, "vg_a/data-snap")
        self.assertEqual(self.back_up(remote(store, "stalled"))["phase"], "PHASE_SUCCEEDED")

    def test_somebody_elses_lock_is_waited_for_and_then_named(self) -> None:
        """[P-XFER-13]"""
        target = local("locked")
        self.assertEqual(self.back_up(target)["phase"], "PHASE_SUCCEEDED")
        [snapshot] = self.node.snapshots(target)
        identity = next(tag.split("=")[1] for tag in snapshot["tags"]
                        if tag.startswith("lvmd.v1.backup="))
        self.node.write("/srv/other.environment",
                        f"RESTIC_PASSWORD={PASSWORD}\nRESTIC_CACHE_DIR=/srv/other\n")
        # For restic it is the lock of another host. A backup that does not end holds it.
        self.node.shell(
            "systemd-run --quiet --collect --unit=other-host "
            "--property=EnvironmentFile=/srv/other.environment unshare --uts bash -c "
            f"'hostname other-host; sleep infinity | restic -r {target.location} backup --stdin'")
        self.node.shell(f"for _ in $(seq 300); do [ \"$(ls {target.location}/locks)\" ] && exit 0; "
                        "sleep 0.1; done; exit 1")
        begin = float(self.node.shell("cut -d' ' -f1 /proc/uptime"))
        ended = self.node.end(self.node.start("DeleteBackup", target, backup_id=identity), 600)
        waited = float(self.node.shell("cut -d' ' -f1 /proc/uptime")) - begin
        self.assert_failed(ended, "DeleteExecutionFailed", "RepositoryLocked", transient=True)
        self.assertGreater(waited, 290)
        self.node.shell("systemctl stop other-host")


if __name__ == "__main__":
    unittest.main()

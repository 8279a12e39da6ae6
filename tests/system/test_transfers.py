"""Backups and restores of an operator, checked from outside: with calls, with restic, and with an
independent comparison of trees. The ids in brackets are rules of docs/protocol.md."""

from __future__ import annotations

import unittest
from typing import Any

from .stores import SlowRelay
from .transfer_case import RepositoryCase, TransferCase
from .transfer_node import MIB, PASSWORD, Target, local, new_id, remote
from .tree_case import SIZE_MIB, TreeCase


class Trees(TreeCase):
    """The other file systems: long_transfers.py."""

    def test_ext4_by_s3_while_its_origin_is_written(self) -> None:
        """[P-XFER-4, P-XFER-6, P-XFER-7, P-XFER-9, P-XFER-10, P-XFER-18]"""
        target = remote(self.s3(), "ext4")
        backup = self.there_and_back("ext4", target)
        [stored] = self.node.snapshots(target)
        self.assertEqual(stored["id"], backup["snapshot_id"])
        self.assertLessEqual({"lvmd.v1", f"lvmd.v1.backup={backup['id']}", "lvmd.v1.mode=files",
                              "lvmd.v1.fs=ext4", f"lvmd.v1.size={SIZE_MIB * MIB}"},
                             set(stored["tags"]))


class Repository(RepositoryCase):
    """More: long_transfers.py."""

    def test_the_same_start_again_stores_nothing_twice_also_without_records(self) -> None:
        """[P-XFER-1, P-XFER-8]"""
        node, target, identity = self.node, local("twice"), new_id()
        node.source("twice", "ext4", 512, hole_mib=1)
        node.unmount("twice")
        node.snapshot("twice", "twice-snap")
        first = self.back_up("twice-snap", target, identity)
        again = node.start("StartBackup", target, identity, name="twice-snap", device_class="thin")
        self.assertEqual(again.response, first)
        other = node.start("StartBackup", target, identity, name="twice-snap", device_class="thin",
                           mode="MODE_BLOCKS")
        self.assertEqual(other.code, "ALREADY_EXISTS", other)
        node.shell("systemctl stop lvmd.service; rm -rf /run/lvmd/transfers/*; "
                   "systemctl start lvmd.service")
        self.assertEqual(node.transfers("List", {}).response["transfers"], [])
        third = self.back_up("twice-snap", target, identity)
        self.assertEqual(third["snapshot_id"], first["snapshot_id"])
        self.assertEqual(len(node.snapshots(target)), 1)


class TemporaryFiles(TransferCase):
    def test_they_are_in_memory(self) -> None:
        """[P-XFER-19]"""
        node, store = self.node, self.s3()
        node.make("staged", 64)
        origin = node.mount("staged", fs_type="ext4", format=True)
        node.shell(f"head -c 20M /dev/urandom >{origin}/file; sync")
        node.unmount("staged")
        node.snapshot("staged", "staged-snap")
        with SlowRelay(node, store.port, 1 << 20) as relay:
            started = node.start("StartBackup", remote(store, "staged", relay.port),
                                 name="staged-snap", device_class="thin")
            node.await_copying(started, megabytes=4)
            files = node.shell("find /proc/$(pgrep -x restic)/fd -lname '*restic-temp-pack-*' "
                               "-printf '%l\\n'").splitlines()
            mounts = node.shell("grep ' /tmp ' /proc/$(pgrep -x restic)/mounts")
            node.succeed(started)
        self.assertTrue(files)
        self.assertEqual({name.rpartition("/")[0] for name in files}, {"/tmp"})
        self.assertRegex(mounts, "^tmpfs /tmp tmpfs .*noexec.*size=262144k")


class Checks(TransferCase):
    """Whether a store can be used, before it contains anything [P-XFER-20]."""

    def check(self, target: Target, **wrong: str) -> dict[str, Any]:
        # On a slow host one run of restic takes a minute. Without lvmd, restic tries for 15 minutes.
        ended = self.node.end(self.node.start("StartCheck", target, wrong=wrong), 300)
        self.assert_nothing_left(None)
        return ended

    def stored(self, folder: str) -> str:
        return self.node.shell(f"find {folder} -mindepth 1 | sort")

    def test_a_store_is_let_in_to_and_nothing_is_written(self) -> None:
        """[P-XFER-20]"""
        for store in (self.s3(), self.rest()):
            with self.subTest(store.unit):
                before = self.stored(store.folder)
                target = remote(store, "never-made")
                ended = self.check(target)
                self.assertEqual(ended["phase"], "PHASE_SUCCEEDED", ended)
                self.assertEqual((ended["name"], ended["repository"]), ("", target.location))
                self.assertEqual(self.stored(store.folder), before)
        ended = self.check(local("never-made"))
        self.assertEqual(ended["phase"], "PHASE_SUCCEEDED", ended)
        self.assertEqual(self.node.run("ls -d /var/lib/lvmd/repositories/never-made")[0], 2)

    def test_a_key_or_a_user_that_is_not_let_in(self) -> None:
        """[P-XFER-12, P-XFER-14, P-XFER-20]"""
        target = remote(self.s3(), "key")
        for wrong in ({"secret_access_key": "wrong"}, {"access_key_id": "NOBODY"}):
            with self.subTest(wrong):
                ended = self.check(target, **wrong)
                self.assert_failed(ended, "CheckExecutionFailed", "AccessDenied", target.location,
                                   transient=False)
        target = remote(self.rest(), "user")
        self.assert_failed(self.check(target, rest_password="wrong"), "CheckExecutionFailed",
                           "AccessDenied", target.location, transient=False)

    def test_a_bucket_that_is_not_there(self) -> None:
        """[P-XFER-14, P-XFER-20]"""
        store = self.s3()
        target = Target(store.location("any").replace("/backups/", "/nowhere/"),
                        credentials=store.credentials)
        regional = Target(target.location, {"options": {"s3.region": "us-east-1"}},
                          store.credentials)
        for asked in (target, regional):
            with self.subTest(asked.more):
                self.assert_failed(self.check(asked), "CheckExecutionFailed",
                                   "RepositoryNotFound", "the bucket of repository",
                                   target.location, transient=False)
        self.assertNotIn("nowhere", self.stored(store.folder))

    def test_a_repository_has_its_password(self) -> None:
        """[P-XFER-20]"""
        node, target, identity = self.node, local("checked"), new_id()
        node.make("checked", 16)
        node.snapshot("checked", "checked-snap")
        node.succeed(node.start("StartBackup", target, name="checked-snap", device_class="thin"))
        for attempt in (1, 2):
            ended = node.succeed(node.start("StartCheck", target, identity))
            self.assertEqual(ended["attempt"], attempt)
            self.assert_nothing_left(target)
        self.assert_failed(self.check(target, password="another"), "CheckExecutionFailed",
                           "WrongPassword", target.location, transient=False)


class Refusals(TransferCase):
    """Requests that are refused at once, without a transfer."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.node.make("writable", 16)
        cls.node.snapshot("writable", "read-only")

    def refused(self, code: str, part: str, target: Target, identity: str = "",
                **words: Any) -> None:
        before = self.node.transfers("List", {}).response
        answer = self.node.start("StartBackup", target, identity,
                                 **{"name": "read-only", "device_class": "thin", **words})
        self.assertEqual(answer.code, code, answer)
        self.assertIn(part, answer.message)
        self.assertNotIn(PASSWORD, answer.message)
        self.assertEqual(self.node.transfers("List", {}).response, before)

    def test_a_writable_volume(self) -> None:
        """[P-XFER-7]"""
        self.refused("FAILED_PRECONDITION", "writable", local("r"), name="writable")

    def test_no_such_volume_or_class(self) -> None:
        """[P-MOUNT-3]"""
        self.refused("NOT_FOUND", "nobody", local("r"), name="nobody")
        self.refused("NOT_FOUND", "nothing", local("r"), device_class="nothing")

    def test_an_id_that_cannot_be_a_name(self) -> None:
        """[P-XFER-1]"""
        for identity in ("-a", ".a", "a/b", "a" * 65, "ä", "a b"):
            with self.subTest(identity):
                self.refused("INVALID_ARGUMENT", "id", local("r"), identity)

    def test_a_location_with_a_password_or_out_of_bounds(self) -> None:
        """[P-XFER-18]"""
        for location in ("rest:https://user:word@host/", "s3:https://key:word@host/bucket",
                         "/var/lib/other", "/var/lib/lvmd/repositories/../other",
                         "/var/lib/lvmd/repositories", "relative", ""):
            with self.subTest(location):
                self.refused("INVALID_ARGUMENT", "location", Target(location))

    def test_a_local_repository_behind_a_symlink(self) -> None:
        """[P-XFER-18, P-MOUNT-2]"""
        self.node.shell("mkdir -p /srv/elsewhere; "
                        "ln -s /srv/elsewhere /var/lib/lvmd/repositories/link")
        started = self.node.start("StartBackup", local("link/r"), name="read-only",
                                  device_class="thin")
        if started.ok:
            self.assertEqual(self.node.end(started)["phase"], "PHASE_FAILED")
        self.assertEqual(self.node.shell("ls -A /srv/elsewhere"), "")
        self.node.shell("rm /var/lib/lvmd/repositories/link")

    def test_a_transfer_that_nobody_began(self) -> None:
        """[P-XFER-2]"""
        for method in ("Get", "Watch", "Cancel"):
            with self.subTest(method):
                answer = self.node.transfers(
                    method, {"operation": "OPERATION_BACKUP", "id": "nobody"})
                self.assertEqual(answer.code, "NOT_FOUND", answer)

    def test_a_restic_that_is_too_old_or_not_there(self) -> None:
        """[P-XFER-17]"""
        node = self.node
        node.shell("mv /usr/bin/restic /usr/bin/restic.kept")
        try:
            node.shell("systemctl restart lvmd.service")
            self.refused("FAILED_PRECONDITION", "/usr/bin/restic", local("r"))
            node.shell("printf '#!/bin/sh\\necho restic 0.14.0 compiled with go1.19\\n' "
                       ">/usr/bin/restic; chmod 755 /usr/bin/restic; "
                       "systemctl restart lvmd.service")
            self.refused("FAILED_PRECONDITION", "0.14", local("r"))
        finally:
            node.shell("mv /usr/bin/restic.kept /usr/bin/restic; systemctl restart lvmd.service")


if __name__ == "__main__":
    unittest.main()

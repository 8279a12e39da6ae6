"""Transfers that fail: the errors, the remaining state, and the success of the same transfer
afterwards. The ids in brackets are rules of docs/protocol.md."""

from __future__ import annotations

import unittest
from typing import Any

from tests.system.calls.grpc_call import Answer
from tests.system.stores import S3Store, SlowRelay
from tests.system.stores.place import FOLDER

from .transfer_case import TransferCase
from .transfer_node import LOCAL_ROOT, Target, local, new_id, remote

_RATE = 1 << 20


class FaultCase(TransferCase):
    """`data-snap` has 60 MB that can't be compressed."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        node = cls.node
        node.make("data", 256)
        origin = node.mount("data", fs_type="ext4", format=True)
        node.shell(f"for n in 1 2 3 4 5 6; do head -c 10M /dev/urandom >{origin}/$n; done; sync")
        node.unmount("data")
        node.snapshot("data", "data-snap")

    def back_up(self, target: Target, identity: str = "", wrong: dict[str, str] | None = None,
                **words: Any) -> Answer:
        return self.node.start("StartBackup", target, identity, wrong, name="data-snap",
                               device_class="thin", **words)

    def check(self, target: Target) -> Answer:
        return self.node.start("StartCheck", target)

    def restore(self, target: Target, name: str, identity: str = "", **words: Any) -> Answer:
        return self.node.start("StartRestore", target, identity, name=name, device_class="thin",
                               **words)


class Causes(FaultCase):
    """Each cause has its reason, and a message with the place."""

    def test_the_repositorys_password_is_wrong(self) -> None:
        """[P-XFER-12]"""
        target = local("password")
        self.node.succeed(self.back_up(target))
        ended = self.node.end(self.back_up(target, wrong={"password": "another one"}))
        self.assert_failed(ended, "SnapshotExecutionFailed", "WrongPassword", target.location,
                           transient=False)
        self.assertNotIn("another one", str(ended))
        self.assert_nothing_left(target, "vg_a/data-snap")

    def test_the_key_of_s3_is_wrong(self) -> None:
        """[P-XFER-12]"""
        target = remote(self.s3(), "key")
        for wrong in ({"secret_access_key": "wrong"}, {"access_key_id": "NOBODY"}):
            with self.subTest(wrong):
                ended = self.node.end(self.back_up(target, wrong=wrong), 300)
                self.assert_failed(ended, "SnapshotExecutionFailed", "AccessDenied",
                                   target.location, transient=False)

    def test_the_user_of_a_rest_server_is_wrong(self) -> None:
        """[P-XFER-12]"""
        target = remote(self.rest(), "user")
        ended = self.node.end(self.back_up(target, wrong={"rest_password": "wrong"}), 300)
        self.assert_failed(ended, "SnapshotExecutionFailed", "AccessDenied", transient=False)

    def test_a_certificate_that_nobody_trusts(self) -> None:
        """[P-XFER-12, P-XFER-14, P-XFER-20]"""
        target = remote(self.rest(), "tls")
        untrusted = Target(target.location, {}, target.credentials)
        for started, code in ((self.back_up(untrusted), "SnapshotExecutionFailed"),
                              (self.check(untrusted), "CheckExecutionFailed")):
            self.assert_failed(self.node.end(started, 300), code, "RepositoryUnreachable",
                               "certificate", transient=False)

    def test_nobody_answers(self) -> None:
        """[P-XFER-12, P-XFER-14, P-XFER-20]"""
        keys = {"access_key_id": "AKIDOFNOBODY", "secret_access_key": "of-nobody"}
        for location in ("rest:http://127.0.0.1:9/r/", "rest:http://nobody.invalid/r/",
                         "s3:http://127.0.0.1:9/bucket/r"):
            target = Target(location, credentials=keys)
            for start, code in ((self.back_up, "SnapshotExecutionFailed"),
                                (self.check, "CheckExecutionFailed")):
                with self.subTest(location, code=code):
                    self.assert_failed(self.node.end(start(target), 600), code,
                                       "RepositoryUnreachable", location, transient=True)

    def test_there_is_no_such_repository_or_snapshot(self) -> None:
        """The volume stays blank, and is reserved for the restore that failed. [P-XFER-12,
        P-XFER-21]"""
        self.node.make("blank", 256)
        self.node.make("other", 256)
        ended = self.node.end(self.restore(local("nowhere"), "blank", backup_id=new_id()))
        self.assert_failed(ended, "RestoreExecutionFailed", "RepositoryNotFound", "nowhere")
        target = local("no-snapshot")
        self.node.succeed(self.back_up(target))
        ended = self.node.end(self.restore(target, "other", backup_id="never-made"))
        self.assert_failed(ended, "RestoreExecutionFailed", "SnapshotNotFound", "never-made")
        for volume in ("blank", "other"):
            self.assertEqual(self.node.run(f"blkid -p /dev/vg_a/{volume}")[0], 2)
        refused = self.restore(target, "blank", backup_id="never-made")
        self.assertIn("has begun on volume blank", str(refused))

    def test_a_repository_that_is_full(self) -> None:
        """[P-XFER-12]"""
        full = f"{LOCAL_ROOT}/full"
        self.node.shell(f"mkdir {full}; mount -t tmpfs -o size=32M none {full}")
        try:
            ended = self.node.end(self.back_up(Target(f"{full}/r")))
            self.assert_failed(ended, "SnapshotExecutionFailed", "RepositoryFull", full)
        finally:
            self.node.shell(f"umount {full}; rmdir {full}")
        target = remote(self.rest(largest=20_000_000), "full")
        self.assert_failed(self.node.end(self.back_up(target)), "SnapshotExecutionFailed",
                           "RepositoryFull", target.location)

    def test_s3_whose_disk_is_full(self) -> None:
        """restic alone would retry for 15 minutes. [P-XFER-12, P-XFER-14]"""
        store, disk = f"{FOLDER}/{S3Store.name}", f"{LOCAL_ROOT}/small.ext4"
        self.node.shell(f"truncate -s 48M {disk}; mkfs.ext4 -q {disk}; "
                        f"mkdir -p {store}; mount -o loop {disk} {store}")
        self.addCleanup(self.node.shell, f"umount {store}; rm {disk}")
        target = remote(self.s3(), "full")
        self.assert_failed(self.node.end(self.back_up(target), 300), "SnapshotExecutionFailed",
                           "RepositoryFull", target.location, transient=False)
        self.assert_nothing_left(None, "vg_a/data-snap")

    def test_a_volume_that_is_too_small(self) -> None:
        """[P-XFER-9]"""
        target = local("small")
        backup = self.node.succeed(self.back_up(target))
        self.node.make("small", 64)
        started = self.restore(target, "small", backup_id=backup["id"])
        ended = self.node.end(started)
        self.assert_failed(ended, "RestoreExecutionFailed", "NoSpace", "small")
        self.assertEqual(self.node.run("blkid -p /dev/vg_a/small")[0], 2)

    def test_a_volume_that_is_not_blank_stays_as_it_is(self) -> None:
        """[P-XFER-9]"""
        target = local("not-blank")
        backup = self.node.succeed(self.back_up(target))
        for name, make in (("foreign", "mkfs.ext4 -q {0}"), ("signed", "mkswap -q {0}"),
                           ("bytes", "printf x | dd of={0} bs=1 seek=700000 status=none")):
            with self.subTest(name):
                device = f"/dev/vg_a/{name}"
                self.node.make(name, 256)
                self.node.shell(make.format(device) + "; sync")
                before = self.node.shell(f"sha256sum {device}")
                ended = self.node.end(self.restore(target, name, backup_id=backup["id"]))
                self.assert_failed(ended, "RestoreExecutionFailed", "NotBlank", name)
                self.assertEqual(self.node.shell(f"sha256sum {device}"), before)

    def test_a_pack_whose_bytes_have_changed(self) -> None:
        """[P-XFER-10, P-XFER-12]"""
        target = local("damaged")
        backup = self.node.succeed(self.back_up(target))
        self.node.shell(f"pack=$(ls -S {target.location}/data/*/* | head -1); chmod u+w $pack; "
                        "printf damaged | dd of=$pack bs=1 seek=5000 conv=notrunc status=none; sync")
        self.node.make("damaged", 256)
        ended = self.node.end(self.restore(target, "damaged", backup_id=backup["id"]))
        self.assertEqual(ended["phase"], "PHASE_FAILED", ended)
        self.assertEqual(ended["error"]["reason"], "RepositoryDamaged", ended)
        # The same files are not stored again, so only reading them back finds the damage.
        ended = self.node.end(self.back_up(target, verify=True))
        self.assert_failed(ended, "VerificationFailed", "RepositoryDamaged")
        self.assertEqual(ended["verification"]["result"], "RESULT_DIFFERS", ended)

    def test_no_more_than_so_many_at_a_time(self) -> None:
        """[P-XFER-16]"""
        store = self.s3()
        with SlowRelay(self.node, store.port, _RATE) as relay:
            started = [self.back_up(remote(store, f"many-{number}", relay.port))
                       for number in range(2)]
            third = self.back_up(local("third"))
            self.assertEqual(third.code, "RESOURCE_EXHAUSTED", third)
            for each in started:
                self.node.transfers("Cancel", {"operation": "OPERATION_BACKUP",
                                               "id": each.response["id"]})
                self.assertEqual(self.node.end(each)["phase"], "PHASE_CANCELLED")
        self.node.succeed(self.back_up(local("third")))

    def test_a_deadline(self) -> None:
        """[P-XFER-14]"""
        store = self.s3()
        with SlowRelay(self.node, store.port, _RATE) as relay:
            target = remote(store, "deadline", relay.port)
            ended = self.node.end(self.back_up(target, deadline_seconds=30), 120)
        self.assert_failed(ended, "SnapshotExecutionFailed", "DeadlineExceeded")
        self.assert_nothing_left(None, "vg_a/data-snap")


class Interruptions(FaultCase):
    """A backup through a slow relay, with interruptions."""

    store: S3Store
    relay: SlowRelay

    def setUp(self) -> None:
        self.store = self.s3()
        self.relay = self.enterContext(SlowRelay(self.node, self.store.port, _RATE))

    def slow(self, name: str) -> Target:
        return remote(self.store, name, self.relay.port)

    def fast(self, name: str) -> Target:
        return remote(self.store, name)

    def test_start_again_while_it_runs_joins_it(self) -> None:
        """[P-XFER-1]"""
        target, identity = self.slow("joined"), new_id()
        self.node.await_copying(self.back_up(target, identity))
        again = self.back_up(target, identity)
        self.assertEqual((again.response["phase"], again.response["attempt"]),
                         ("PHASE_RUNNING", 1), again)
        other = self.back_up(self.fast("another"), identity)
        self.assertEqual(other.code, "ALREADY_EXISTS", other)
        self.node.succeed(again)
        self.assertEqual(len(self.node.snapshots(self.fast("joined"))), 1)

    def test_watch_tells_of_each_step_once_a_second_at_most(self) -> None:
        """[P-XFER-14]"""
        started = self.back_up(self.slow("watched"))
        request = {"operation": "OPERATION_BACKUP", "id": started.response["id"]}
        watched = self.node.transfers("Watch", request)
        self.assertTrue(watched.ok, watched)
        self.assertEqual(watched.response["phase"], "PHASE_SUCCEEDED")
        done = [int((each["progress"] or {"done_bytes": 0})["done_bytes"])
                for each in watched.messages]
        self.assertEqual(done, sorted(done))
        self.assertGreaterEqual(len(set(done)), 3, done)
        self.assertEqual(done[-1], int(watched.response["progress"]["total_bytes"]))

    def test_a_cancelled_one_ends_within_10_seconds_and_leaves_nothing(self) -> None:
        """[P-XFER-15, P-XFER-6]"""
        started = self.back_up(self.slow("cancelled"))
        transfer = self.node.await_copying(started, 1)
        cancel = ("grpcurl -plaintext -d "
                  f"'{{\"operation\":\"OPERATION_BACKUP\",\"id\":\"{transfer['id']}\"}}' "
                  "unix:///run/topolvm/lvmd.sock lvmd.v1.TransferService/Cancel >/dev/null")
        seconds, ended = self.node.end_after(started, cancel)
        self.assertEqual(ended["phase"], "PHASE_CANCELLED", ended)
        self.assertLess(seconds, 10)
        self.assert_nothing_left(self.fast("cancelled"), "vg_a/data-snap")
        self.assertEqual(self.node.snapshots(self.fast("cancelled")), [])
        again = self.node.transfers("Cancel", {"operation": "OPERATION_BACKUP",
                                               "id": transfer["id"]})
        self.assertEqual((again.code, again.response["phase"]), ("OK", "PHASE_CANCELLED"))

    def test_a_killed_mover_is_known_within_2_seconds_and_the_same_again_succeeds(self) -> None:
        """[P-XFER-3, P-XFER-6, P-XFER-13, P-XFER-1]"""
        target, identity = self.slow("killed"), new_id()
        started = self.back_up(target, identity)
        transfer = self.node.await_copying(started, 1)
        seconds, ended = self.node.end_after(
            started, f"kill -KILL $({self.node.mover(transfer)})")
        self.assert_failed(ended, "SnapshotExecutionFailed", "Interrupted", transient=True)
        self.assertLess(seconds, 2)
        self.assert_nothing_left(None, "vg_a/data-snap")
        again = self.node.succeed(self.back_up(target, identity))
        self.assertEqual(again["attempt"], 2)
        self.assertEqual(len(self.node.snapshots(self.fast("killed"))), 1)
        self.assert_nothing_left(self.fast("killed"), "vg_a/data-snap")

    def test_a_killed_restore_is_made_anew_on_the_same_volume(self) -> None:
        """[P-XFER-3, P-XFER-9]"""
        backup = self.node.succeed(self.back_up(self.fast("restored")))
        self.node.make("anew", 256)
        identity = new_id()
        started = self.restore(self.fast("restored"), "anew", identity, backup_id=backup["id"])
        self.node.shell("for _ in $(seq 600); do blkid -p /dev/vg_a/anew >/dev/null && exit 0; "
                        "sleep 0.05; done; exit 1")
        self.node.shell(f"kill -KILL $({self.node.mover(started.response)})")
        ended = self.node.end(started)
        self.assert_failed(ended, "RestoreExecutionFailed", "Interrupted", transient=True)
        self.node.succeed(self.restore(self.fast("restored"), "anew", identity,
                                       backup_id=backup["id"]))
        left, right = self.node.mount("data-snap"), self.node.mount("anew", read_only=True)
        self.assertEqual(self.node.trees.differences(left, right), "")
        self.node.unmount("anew")
        self.node.unmount("data-snap")
        # The volume's restore is complete, so another restore does not write to it.
        ended = self.node.end(self.restore(self.fast("restored"), "anew", backup_id=backup["id"]))
        self.assert_failed(ended, "RestoreExecutionFailed", "NotBlank", "anew")

    def test_a_killed_restic_fails_the_transfer_and_nothing_is_left(self) -> None:
        """[P-XFER-12, P-XFER-6]"""
        target = self.slow("without-restic")
        started = self.back_up(target)
        self.node.await_copying(started, 1)
        self.node.shell("kill -KILL $(pgrep -x restic)")
        ended = self.node.end(started, 120)
        self.assertEqual(ended["phase"], "PHASE_FAILED", ended)
        self.assert_nothing_left(None, "vg_a/data-snap")
        self.node.succeed(self.back_up(self.fast("without-restic"), started.response["id"] + "-2"))

    def test_lvmd_restarted_or_killed_in_the_middle_changes_nothing(self) -> None:
        """[P-XFER-3]"""
        for name, how in (("restarted", "systemctl restart lvmd.service"),
                          ("lvmd-killed", "systemctl kill -s KILL lvmd.service; sleep 1; "
                           "until lvmd health >/dev/null 2>&1; do sleep 0.2; done")):
            with self.subTest(name):
                started = self.back_up(self.slow(name))
                transfer = self.node.await_copying(started, 1)
                mover = self.node.shell(self.node.mover(transfer))
                self.node.shell(how)
                self.assertEqual(self.node.shell(self.node.mover(transfer)), mover)
                ended = self.node.succeed(started)
                self.assertEqual(ended["attempt"], 1)

    def test_a_store_that_comes_back_is_no_failure(self) -> None:
        """[P-XFER-14]"""
        started = self.back_up(self.slow("back"))
        self.node.await_copying(started, 1)
        self.store.stop()
        self.node.shell("sleep 5")
        self.store.start()
        self.node.succeed(started)

    def test_a_lock_of_a_dead_mover_is_no_obstacle_to_a_deletion(self) -> None:
        """[P-XFER-13, P-XFER-11]"""
        first = self.node.succeed(self.back_up(self.fast("locked")))
        started = self.back_up(self.slow("locked"))
        transfer = self.node.await_copying(started)
        self.node.shell(f"kill -KILL $({self.node.mover(transfer)})")
        self.assertEqual(self.node.end(started)["error"]["reason"], "Interrupted")
        self.node.succeed(self.node.start("DeleteBackup", self.fast("locked"),
                                          backup_id=first["id"]))
        self.assertEqual(self.node.snapshots(self.fast("locked")), [])


if __name__ == "__main__":
    unittest.main()

"""A restore writes only to a volume with its mark. A restored volume that is in use survives every
repeated call, and a restore that is interrupted at any point can be started again. The ids in
brackets are rules of docs/protocol.md."""

from __future__ import annotations

import shlex
import unittest
from typing import Any

from tests.system.calls.grpc_call import Answer

from .transfer_case import TransferCase
from .transfer_node import local, name_of, new_id

_HEALTHY = "until lvmd health >/dev/null 2>&1; do sleep 0.2; done"
_LOSE_RECORDS = ("systemctl stop lvmd.service; rm -rf /run/lvmd/transfers/*; "
                 f"systemctl start lvmd.service; {_HEALTHY}")
_SIZE_MIB = 256


class RestoreCase(TransferCase):
    """A backup of files that is large enough to interrupt its restore, and a backup of blocks."""

    files: str
    blocks: str

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        node, cls.target = cls.node, local("marks")
        node.make("data", _SIZE_MIB)
        origin = node.mount("data", fs_type="ext4", format=True)
        node.shell(f"for n in $(seq 40); do head -c 1M /dev/urandom >{origin}/$n; done; "
                   f"echo stored >{origin}/file; sync")
        node.snapshot("data", "data-snap")
        node.make("raw", 64)
        node.shell("head -c 8M /dev/urandom >/dev/vg_a/raw; "
                   "dd if=/dev/urandom of=/dev/vg_a/raw bs=1M seek=63 count=1 conv=fsync")
        node.snapshot("raw", "raw-snap")
        cls.files, cls.blocks = (
            node.succeed(node.start("StartBackup", cls.target, name=name,
                                    device_class="thin"))["id"]
            for name in ("data-snap", "raw-snap"))

    def volume(self, size_mib: int = _SIZE_MIB) -> str:
        name = f"back-{new_id()[:8]}"
        self.node.make(name, size_mib)
        return name

    def restore(self, name: str, identity: str, backup: str = "") -> Answer:
        return self.node.start("StartRestore", self.target, identity, name=name,
                               device_class="thin", backup_id=backup or self.files)

    def marks(self, name: str) -> list[str]:
        """The volume's marks of restores."""
        tags = self.node.shell(f"lvs --noheadings -o lv_tags vg_a/{name}").split(",")
        return [tag for tag in tags if tag.startswith("lvmd.v1:rest")]

    def hold(self, place: str, command: str) -> None:
        """When a process reaches the failpoint, runs `command` with its $pid. Afterwards the
        failpoint holds no process."""
        script = (f"until found=$(grep -lsx {place} /proc/[0-9]*/task/*/comm | head -1) && "
                  "[ \"$found\" ]; do sleep 0.05; done; pid=$(echo $found | cut -d/ -f3); "
                  f"{command}; rm -f /run/lvmd.failpoint")
        self.node.shell(f"echo {place} >/run/lvmd.failpoint; chmod 644 /run/lvmd.failpoint; "
                        f"systemd-run --quiet --collect --unit=holder bash -c {shlex.quote(script)}")

    def await_holder(self, then: str = _HEALTHY) -> None:
        self.node.shell("for _ in $(seq 1200); do systemctl is-active -q holder || break; "
                        f"sleep 0.1; done; ! systemctl is-active -q holder; {then}")

    def assert_restored(self, name: str, identity: str) -> None:
        self.assertEqual(self.marks(name), [f"lvmd.v1:restored={identity}"])
        left, right = self.node.mount("data-snap"), self.node.mount(name)
        try:
            self.assertEqual(self.node.shell(f"diff -r {left} {right}"), "")
        finally:
            self.node.unmount(name)
            self.node.unmount("data-snap")

    def assert_not_blank(self, ended: dict[str, Any], *parts: str) -> None:
        self.assert_failed(ended, "RestoreExecutionFailed", "NotBlank", *parts)


class Repetitions(RestoreCase):
    """The same StartRestore for a volume that was restored and has been used since."""

    def test_a_restored_volume_in_use_is_not_formatted(self) -> None:
        """[P-XFER-9, P-XFER-21, P-XFER-22, P-TAG-7]"""
        node, name, identity = self.node, self.volume(), new_id()
        first = node.succeed(self.restore(name, identity))
        self.assertEqual(self.marks(name), [f"lvmd.v1:restored={identity}"])
        self.assertEqual(self.restore(name, identity).response, first)
        target = node.mount(name)
        node.shell(f"echo new >{target}/new; rm {target}/file; sync")
        for mounted in (True, False):
            with self.subTest(mounted=mounted):
                if not mounted:
                    node.unmount(name)
                node.shell(_LOSE_RECORDS)
                ended = node.end(self.restore(name, identity))
                if not mounted:
                    node.mount(name)
                self.assertEqual(node.shell(f"cat {target}/new; ls {target}/file 2>&1 || true"),
                                 f"new\nls: cannot access '{target}/file': "
                                 "No such file or directory")
                self.assertEqual(ended["phase"], "PHASE_SUCCEEDED", ended)
        with self.subTest("another id"):
            node.unmount(name)
            self.assert_not_blank(node.end(self.restore(name, new_id())), name)
            self.assertEqual(self.marks(name), [f"lvmd.v1:restored={identity}"])
            self.assertEqual(node.shell(f"cat {node.mount(name)}/new"), "new")
            node.unmount(name)

    def test_restored_blocks_in_use_are_not_written(self) -> None:
        """[P-XFER-9, P-XFER-22]"""
        node, name, identity = self.node, self.volume(64), new_id()
        node.succeed(self.restore(name, identity, self.blocks))
        node.shell(f"cmp /dev/vg_a/raw-snap /dev/vg_a/{name}; echo used | "
                   f"dd of=/dev/vg_a/{name} bs=4k seek=9 conv=notrunc,fsync")
        before = node.shell(f"sha256sum /dev/vg_a/{name}")
        node.shell(_LOSE_RECORDS)
        node.succeed(self.restore(name, identity, self.blocks))
        self.assert_not_blank(node.end(self.restore(name, new_id(), self.blocks)))
        self.assertEqual(node.shell(f"sha256sum /dev/vg_a/{name}"), before)

    def test_a_restored_volume_that_was_blanked_is_restored_again(self) -> None:
        """[P-XFER-21]"""
        node, name, identity = self.node, self.volume(), new_id()
        node.succeed(self.restore(name, identity))
        node.shell(f"{_LOSE_RECORDS}; blkdiscard -f /dev/vg_a/{name}")
        node.succeed(self.restore(name, identity))
        self.assert_restored(name, identity)

    def test_a_volume_restored_by_an_earlier_version(self) -> None:
        """[P-XFER-22]"""
        node, name, identity = self.node, self.volume(), new_id()
        node.succeed(self.restore(name, identity))
        node.shell(f"{_LOSE_RECORDS}; lvchange -q --deltag lvmd.v1:restored={identity} vg_a/{name}")
        before = node.shell(f"sha256sum /dev/vg_a/{name}")
        ended = node.succeed(self.restore(name, identity))
        self.assertEqual(ended["verification"]["result"], "RESULT_MATCHES", ended)
        self.assertEqual(node.shell(f"sha256sum /dev/vg_a/{name}"), before)
        target = node.mount(name)
        node.shell(f"echo new >{target}/file; sync")
        for mounted in (True, False):
            with self.subTest(mounted=mounted):
                if not mounted:
                    node.unmount(name)
                node.shell(_LOSE_RECORDS)
                self.assert_not_blank(node.end(self.restore(name, identity)),
                                      "used since", "Nothing was written")
        self.assertEqual(node.shell(f"cat {node.mount(name)}/file"), "new")
        node.unmount(name)


class Crashes(RestoreCase):
    """A process is killed, or a restore ends, at each point."""

    def test_the_mark_is_set_and_no_mover_was_started(self) -> None:
        """[P-XFER-21]"""
        name, identity = self.volume(), new_id()
        self.hold("server.marked", "kill -KILL $pid")
        self.assertEqual(self.restore(name, identity).code, "UNAVAILABLE")
        self.await_holder()
        self.assertEqual(self.marks(name), [f"lvmd.v1:restore={identity}"])
        known = self.node.transfers("List", {}).response["transfers"]
        self.assertNotIn(identity, [transfer["id"] for transfer in known])
        ended = self.node.succeed(self.restore(name, identity))
        self.assertEqual(ended["attempt"], 1)
        self.assert_restored(name, identity)

    def test_half_of_it_is_restored(self) -> None:
        """[P-XFER-9, P-XFER-21]"""
        for lost in (False, True):
            with self.subTest(record_lost=lost):
                name, identity = self.volume(), new_id()
                started = self.restore(name, identity)
                self.node.await_copying(started, 4)
                self.assertEqual(self.marks(name), [f"lvmd.v1:restore={identity}"])
                self.node.shell(f"kill -KILL $({self.node.mover(started.response)})")
                self.assertEqual(self.node.end(started)["error"]["reason"], "Interrupted")
                self.assertEqual(self.marks(name), [f"lvmd.v1:restore={identity}"])
                if lost:
                    self.node.shell(_LOSE_RECORDS)
                self.node.succeed(self.restore(name, identity))
                self.assert_restored(name, identity)

    def test_a_file_system_that_is_half_made(self) -> None:
        """[P-XFER-21]"""
        node, name, identity = self.node, self.volume(), new_id()
        node.shell(f"lvchange -q --addtag lvmd.v1:restore={identity} vg_a/{name}; "
                   f"dd if=/dev/urandom of=/dev/vg_a/{name} bs=4k seek=3 count=1 conv=fsync")
        node.succeed(self.restore(name, identity))
        self.assert_restored(name, identity)

    def test_the_mover_has_succeeded_and_the_mark_is_not_cleared(self) -> None:
        """[P-XFER-23]"""
        node, name, identity = self.node, self.volume(), new_id()
        started = self.restore(name, identity)
        node.await_copying(started)
        request = shlex.quote(f'{{"operation": "OPERATION_RESTORE", "id": "{identity}"}}')
        # It reports RUNNING until the next server replaces the mark.
        self.hold("worker.marking",
                  "sleep 3; grpcurl -plaintext -emit-defaults "
                  f"-d {request} unix:///run/topolvm/lvmd.sock lvmd.v1.TransferService/Get "
                  ">/run/case/told; kill -KILL $pid $(pgrep -x lvmd-server)")
        self.await_holder()
        told = node.shell("cat /run/case/told")
        self.assertIn('"phase": "PHASE_RUNNING"', told)
        self.assertIn('"step": "completing"', told)
        ended = node.end(started)
        self.assertEqual((ended["phase"], ended["attempt"]), ("PHASE_SUCCEEDED", 1), ended)
        self.assert_restored(name, identity)

    def test_the_host_dies_before_the_mark_is_cleared(self) -> None:
        """[P-XFER-21, P-XFER-23]"""
        for name, backup in ((self.volume(), self.files), (self.volume(64), self.blocks)):
            with self.subTest(name):
                identity = new_id()
                started = self.restore(name, identity, backup)
                self.assertTrue(started.ok, started)
                # Stopped before systemd starts it again, because a new server would replace the
                # mark.
                self.hold("worker.marking", "systemctl kill -s KILL lvmd.service; systemctl stop "
                          "lvmd.socket lvmd-ro.socket lvmd.service")
                self.await_holder("true")
                self.assertEqual(self.marks(name), [f"lvmd.v1:restore={identity}"])
                # As after a boot: /run is empty.
                self.node.shell("rm -rf /run/lvmd/transfers/*; systemctl start lvmd.socket "
                                f"lvmd-ro.socket lvmd.service; {_HEALTHY}")
                ended = self.node.succeed(self.restore(name, identity, backup))
                self.assertEqual(ended["attempt"], 1)
                self.assertEqual(self.marks(name), [f"lvmd.v1:restored={identity}"])
                if backup == self.files:
                    self.assert_restored(name, identity)
                else:
                    self.node.shell(f"cmp /dev/vg_a/raw-snap /dev/vg_a/{name}")

    def test_a_cancelled_restore_can_be_begun_anew_and_no_other_can_take_its_place(self) -> None:
        """[P-XFER-15, P-XFER-21, P-TAG-6]"""
        node, name, identity = self.node, self.volume(), new_id()
        started = self.restore(name, identity)
        node.await_copying(started)
        node.transfers("Cancel", name_of(started.response))
        self.assertEqual(node.end(started)["phase"], "PHASE_CANCELLED")
        self.assertEqual(self.marks(name), [f"lvmd.v1:restore={identity}"])
        other = self.restore(name, new_id())
        self.assertEqual(other.code, "FAILED_PRECONDITION", other)
        self.assertIn(f'restore "{identity}" has begun', other.message)
        ended = node.succeed(self.restore(name, identity))
        self.assertEqual(ended["attempt"], 2)
        self.assert_restored(name, identity)

    def test_another_file_system_on_a_marked_volume_stays(self) -> None:
        """[P-XFER-21]"""
        node, name, identity = self.node, self.volume(), new_id()
        node.shell(f"lvchange -q --addtag lvmd.v1:restore={identity} vg_a/{name}; "
                   f"mkfs.ext4 -q /dev/vg_a/{name}")
        before = node.shell(f"sha256sum /dev/vg_a/{name}")
        self.assert_not_blank(node.end(self.restore(name, identity)), "ext4")
        self.assertEqual(node.shell(f"sha256sum /dev/vg_a/{name}"), before)

    def test_a_volume_that_was_replaced_after_it_was_marked(self) -> None:
        """[P-XFER-24]"""
        node, name, identity = self.node, self.volume(), new_id()
        self.hold("server.marked",
                  f"lvremove -qq -f vg_a/{name}; lvcreate -qq -V {_SIZE_MIB}m --thinpool pool "
                  f"-n {name} vg_a; head -c 1M /dev/urandom >/dev/vg_a/{name}; sync")
        started = self.restore(name, identity)
        self.await_holder()
        self.assertEqual(started.code, "FAILED_PRECONDITION", started)
        self.assertIn("the device has changed", started.message)
        node.shell(f"! head -c 1M /dev/vg_a/{name} | cmp -s - <(head -c 1M /dev/zero)")

    def test_a_group_that_left_the_configuration(self) -> None:
        """[P-XFER-24]"""
        node, name, identity = self.node, f"other-{new_id()[:8]}", new_id()
        node.make(name, _SIZE_MIB, "other")
        kept = "/etc/topolvm/lvmd.yaml"
        node.shell(f"cp {kept} /run/case/kept; "
                   f"sed '/volume-group: vg_b/d' {kept} >/run/case/without")
        self.hold("server.marked",
                  f"cp /run/case/without {kept}; systemctl reload lvmd.service; sleep 1")
        started = node.start("StartRestore", self.target, identity, name=name,
                             device_class="other", backup_id=self.files)
        self.await_holder()
        node.shell(f"cp /run/case/kept {kept}; systemctl reload lvmd.service; {_HEALTHY}")
        self.assertEqual(started.code, "INVALID_ARGUMENT", started)
        self.assertIn('volume group "vg_b" is not configured', started.message)
        node.succeed(node.start("StartRestore", self.target, identity, name=name,
                                device_class="other", backup_id=self.files))


if __name__ == "__main__":
    unittest.main()

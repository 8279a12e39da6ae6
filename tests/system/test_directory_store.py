"""lvmd-reconciler on a folder of manifests, on a node. The ids in brackets are rules of
docs/reconciler.md."""

from __future__ import annotations

import unittest

from .node import Node, machine

_MANIFEST = """\
apiVersion: {group}/v1
kind: LogicalVolume
metadata: {{name: {name}}}
spec: {{size: {size}, deviceClass: thick}}
"""
_FLAGS = ("--lvmd-socket /run/topolvm/lvmd.sock --node-name here --manifests /run/case/manifests "
          "--state-dir /run/case/state --delete-after 2s")


class DirectoryStore(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = Node(cls.enterClassContext(machine()))
        cls.node.shell("mkdir /run/case/manifests && "
                       f"systemd-run --quiet --unit=reconciler lvmd-reconciler {_FLAGS}")

    def put(self, name: str, size: str = "8Mi", group: str = "topolvm.io") -> None:
        self.node.write(f"/run/case/manifests/{group}-{name}.yaml",
                        _MANIFEST.format(group=group, name=name, size=size))

    def eventually(self, command: str, seconds: float = 30) -> str:
        """Waits until the command succeeds. Returns its output."""
        return self.node.shell(f"for _ in $(seq {int(seconds * 5)}); do "
                               f"if said=$({{ {command}; }} 2>/dev/null); then echo \"$said\"; exit; fi; "
                               "sleep 0.2; done; journalctl -u reconciler --no-pager -n 20; exit 1")

    def test_a_manifest_becomes_a_volume_by_the_flags_given(self) -> None:
        """[R-CLI-1..5, R-DIR-3, R-STAT-3, R-OBJ-3]"""
        self.put("plain")
        status = self.eventually(
            "grep -q 'currentSize: 8Mi' /run/case/state/plain.status.yaml && "
            "cat /run/case/state/plain.status.yaml")
        uid = next(line.split()[1] for line in status.splitlines() if "uid:" in line)
        self.assertEqual(self.node.shell(f"lvs --noheadings -o lv_name vg_n/{uid}"), uid)
        self.assertEqual(self.node.shell("stat -c %a /run/case/state/plain.status.yaml"), "644")
        self.assertEqual(self.node.run("ls /run/case/state | grep -v -e yaml -e _lock")[1], "")

    def test_one_name_in_both_groups_is_two_volumes(self) -> None:
        """[R-OBJ-1, R-OBJ-2]"""
        before = int(self.node.shell("lvs --noheadings -o lv_name vg_n | wc -l"))
        self.put("twin")
        self.put("twin", group="topolvm.cybozu.com")
        self.eventually(f"[ $(lvs --noheadings -o lv_name vg_n | wc -l) -eq {before + 2} ]")

    def test_a_volume_grows_with_its_manifest_and_its_file_system_does_not(self) -> None:
        """[R-GROW-1, R-GROW-5]"""
        self.put("grows", "32Mi")
        uid = self.eventually("grep -q 'currentSize: 32Mi' /run/case/state/grows.status.yaml && "
                              "sed -n 's/ *uid: //p' /run/case/state/grows.status.yaml")
        self.node.shell(f"mkfs.ext4 -q /dev/vg_n/{uid}")
        blocks = f"dumpe2fs -h /dev/vg_n/{uid} 2>/dev/null | grep '^Block count'"
        before = self.node.shell(blocks)
        self.put("grows", "64Mi")
        self.eventually("grep -q 'currentSize: 64Mi' /run/case/state/grows.status.yaml")
        self.assertEqual(self.node.shell(blocks), before)

    def test_while_removals_wait_the_log_and_the_folders_status_say_so(self) -> None:
        """[R-DEL-2, R-DEL-6, R-STAT-4, R-STAT-5]"""
        self.put("waits")
        self.eventually("grep -q 'currentSize: 8Mi' /run/case/state/waits.status.yaml")
        self.node.write("/run/case/manifests/broken.yaml", "kind: [\n")
        self.eventually("grep broken.yaml /run/case/state/_folder.status.yaml")
        self.node.shell("rm /run/case/manifests/topolvm.io-waits.yaml; sleep 4")
        self.assertIn("broken.yaml", self.node.shell(
            "journalctl -u reconciler --no-pager -o cat | grep -i -e remov"))
        self.node.shell("[ -e /run/case/state/waits.status.yaml ]")
        self.node.shell("rm /run/case/manifests/broken.yaml")
        self.eventually("[ ! -e /run/case/state/waits.status.yaml ]")

    def test_a_btrfs_that_is_mounted_again_is_the_same_folder(self) -> None:
        """[R-DIR-5]"""
        folder, state = "/run/case/btrfs/manifests", "/run/case/btrfs-state"
        start = ("systemd-run --quiet --collect --unit=on-btrfs lvmd-reconciler --lvmd-socket "
                 f"/run/topolvm/lvmd.sock --node-name here --manifests {folder} --state-dir {state} "
                 "--delete-after 1s")
        mount = "mount -o loop /run/case/btrfs.img /run/case/btrfs"
        self.addCleanup(self.node.run, "systemctl stop on-btrfs; umount /run/case/btrfs; "
                                       "umount /run/case/between")
        device = self.node.shell(
            "truncate -s 128M /run/case/btrfs.img && mkfs.btrfs -q /run/case/btrfs.img && "
            f"mkdir /run/case/btrfs /run/case/between && {mount} && mkdir {folder} && {start} && "
            f"stat -c %d {folder}")
        for name in ("goes", "stays"):
            self.node.write(f"{folder}/{name}.yaml",
                            _MANIFEST.format(group="topolvm.io", name=name, size="8Mi"))
            self.eventually(f"grep -q 'currentSize: 8Mi' {state}/{name}.status.yaml")
        # Its anonymous device number is given to the file system that is mounted in between.
        again = self.node.shell(
            "systemctl stop on-btrfs && umount /run/case/btrfs && mount -t tmpfs none /run/case/between "
            f"&& {mount} && rm {folder}/goes.yaml && {start} && stat -c %d {folder}")
        self.assertNotEqual(again, device)
        self.eventually(f"[ ! -e {state}/goes.status.yaml ]")
        self.node.shell(f"grep -q 'trusted: true' {state}/_folder.status.yaml && "
                        f"[ -e {state}/stays.status.yaml ]")

    def test_help_and_version(self) -> None:
        """[R-CLI-20]"""
        for flag in ("--help", "--version"):
            self.assertIn("lvmd-reconciler", self.node.shell(f"lvmd-reconciler {flag} 2>/dev/null"))

    def test_a_wrong_flag_is_named_and_nothing_is_done(self) -> None:
        """[R-CLI-6, R-CLI-21]"""
        for words, named in (("--no-such-flag", "--no-such-flag"),
                             ("--kube-server https://x", "--kube-server"),
                             ("--store nowhere", "nowhere"), ("--delete-after 5", "delete-after"),
                             ("--store kube", "node-name"),
                             ("--store kube --node-name x --manifests /y", "--manifests")):
            with self.subTest(words):
                code, said = self.node.run(f"timeout 10 lvmd-reconciler {words} 2>&1")
                self.assertNotIn(code, (0, 124), said)
                self.assertIn(named, said)

    def test_it_starts_without_lvmd_and_waits_for_it(self) -> None:
        """[R-CLI-23, R-CLI-22]"""
        self.node.shell(
            "mkdir -p /run/case/other && systemd-run --quiet --unit=waiting lvmd-reconciler "
            "--lvmd-socket /run/case/nobody.sock --manifests /run/case/other "
            "--state-dir /run/case/other-state")
        self.node.write("/run/case/other/a.yaml",
                        _MANIFEST.format(group="topolvm.io", name="a", size="8Mi"))
        self.eventually("journalctl --boot --unit=waiting | grep -q 'look up UNAVAILABLE'")
        self.node.shell("! [ -e /run/case/other-state/a.status.yaml ]")  # R-FAIL-9
        self.node.shell("systemctl is-active waiting && systemctl stop waiting && "
                        "[ $(systemctl show --value -p Result waiting) = success ]")

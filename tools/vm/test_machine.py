"""The features of the VM that the other suites use. The environment variable VM_CACHE replaces the
cache `.cache/vm`."""

import os
import socket
import tempfile
import threading
import time
import unittest
from pathlib import Path

from . import CommandFailed, Machine, Snapshot, ensure_snapshot

CACHE = Path(os.environ.get("VM_CACHE", Path(__file__).parents[2] / ".cache/vm"))


class MachineTest(unittest.TestCase):
    snapshot: Snapshot
    machine: Machine

    @classmethod
    def setUpClass(cls) -> None:
        cls.snapshot = ensure_snapshot(CACHE)
        trees = tempfile.TemporaryDirectory()
        cls.addClassCleanup(trees.cleanup)
        share, tree = Path(trees.name) / "share", Path(trees.name) / "tree"
        share.mkdir()
        (share / "greeting").write_text("hello\n")
        for path, content in {
            "usr/bin/vm-test-program": "#!/bin/sh\necho installed\n",
            "lib/systemd/system/vm-test.service": "[Service]\nType=oneshot\nExecStart=/bin/true\n",
            "usr/lib/sysusers.d/vm-test.conf": "u vm-test - - -\n",
            "usr/lib/tmpfiles.d/vm-test.conf": "d /run/vm-test 0750 vm-test vm-test -\n",
        }.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(content)
        (tree / "usr/bin/vm-test-program").chmod(0o755)
        cls.machine = cls.enterClassContext(Machine(cls.snapshot, build_tree=tree, share=share))

    def shell(self, command: str) -> str:
        return self.machine.run(command, timeout=300, check=True).output.strip()

    def test_the_system_is_up(self) -> None:
        self.assertEqual(self.shell("systemctl is-system-running"), "running")
        self.assertEqual(self.shell("hostname"), "vm")

    def test_the_clock_is_the_hosts(self) -> None:
        self.assertAlmostEqual(float(self.shell("date +%s.%N")), time.time(), delta=5)

    def test_the_share_is_readable(self) -> None:
        self.assertEqual(self.shell("cat /mnt/greeting"), "hello")

    def test_the_build_is_installed(self) -> None:
        self.assertEqual(
            self.shell("vm-test-program && systemctl start vm-test.service"), "installed"
        )
        self.assertEqual(self.shell("stat -c %U:%a /run/vm-test"), "vm-test:750")
        self.assertEqual(self.shell("stat -c %U:%G /usr/bin/vm-test-program"), "root:root")
        self.assertEqual(self.shell("test -L /lib && echo link"), "link")

    def test_files(self) -> None:
        content = os.urandom(1 << 20)
        self.machine.write_file("/tmp/a folder/file", content, mode=0o600)
        self.assertEqual(self.machine.read_file("/tmp/a folder/file"), content)
        self.assertEqual(self.shell("stat -c %a '/tmp/a folder/file'"), "600")
        with self.assertRaisesRegex(CommandFailed, "No such file"):
            self.machine.read_file("/nowhere")

    def test_volume_groups_and_a_thin_pool(self) -> None:
        self.shell("vgcreate -q several /dev/disk/by-id/virtio-data[0-2]")
        self.shell("vgcreate -q one /dev/disk/by-id/virtio-data4")
        self.shell("lvcreate -q -L 1g -T several/pool && lvcreate -q -V 2g -n thin -T several/pool")
        self.shell("mkfs.xfs -q /dev/several/thin && lvcreate -q -i 2 -L 64m -n striped several")
        self.assertEqual(
            self.shell("lvs --noheadings -o lv_name several").split(), ["pool", "striped", "thin"]
        )
        self.shell("vgremove -q -f several one")

    def test_podman(self) -> None:
        self.shell(
            "mkdir /tmp/box && cd /tmp/box && "
            "cp -L --parents /usr/bin/id $(ldd /usr/bin/id | grep -o '/[^ ]*') . && "
            "tar -cf - . | podman import -q - box"
        )
        self.assertEqual(
            self.shell(
                "podman run --rm --read-only --cap-drop=all --user 65532 --network=none box "
                "/usr/bin/id -u"
            ),
            "65532",
        )

    def test_the_hosts_loopback_is_all_that_can_be_reached(self) -> None:
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"from the host")

        threading.Thread(target=answer, daemon=True).start()
        self.assertEqual(
            self.shell(f"cat </dev/tcp/10.0.2.2/{server.getsockname()[1]}"), "from the host"
        )
        self.assertEqual(self.shell("ip route show default"), "")

    def test_a_command_that_takes_too_long(self) -> None:
        self.assertTrue(self.machine.run("sleep 60", timeout=1).timed_out)
        self.assertEqual(self.shell("echo well"), "well")

    def test_two_machines_do_not_see_each_other(self) -> None:
        server = socket.create_server(("127.0.0.1", 0))
        port = server.getsockname()[1]
        server.close()
        with Machine(self.snapshot, forward_ports={port: 7777}, processors=1) as other:
            self.assertEqual(other.run("nproc", check=True).output.strip(), "1")
            other.run("touch /root/mark; vgcreate -q mine /dev/vdg", check=True)
            other.run(
                "python3 -c \"import socket; s = socket.create_server(('', 7777)); "
                "s.accept()[0].sendall(b'from the guest')\" >/dev/null 2>&1 & "
                "until ss -tln | grep -q :7777; do sleep 0.1; done",
                check=True,
            )
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                self.assertEqual(connection.recv(100), b"from the guest")
        self.assertEqual(self.machine.run("test -e /root/mark").exit_code, 1)
        self.assertEqual(self.shell("nproc"), "2")
        self.assertNotIn("mine", self.shell("vgs --noheadings -o vg_name"))


if __name__ == "__main__":
    unittest.main()

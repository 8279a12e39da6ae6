"""A dependency of LVM and lvmd has failed, or is full or read-only: time limits, the cause in the
response, and no incomplete change. The ids in brackets are rules of docs/protocol.md."""

from __future__ import annotations

import unittest

from .node import Node, machine

MIB = 1 << 20
# Until the queue of journald's socket is full.
_FILL = """
import socket
journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
journal.setblocking(False)
journal.connect("/run/systemd/journal/socket")
try:
    while True:
        journal.send(b"MESSAGE=fill")
except BlockingIOError:
    pass
"""


class Dependencies(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = Node(cls.enterClassContext(machine()))
        cls.node.shell("for _ in $(seq 100); do lvmd health && exit 0; sleep 0.2; done; exit 1")

    def create_and_remove(self, device_class: str) -> None:
        self.node.must("CreateLV", name="new", device_class=device_class, size_bytes=8 * MIB)
        self.node.must("RemoveLV", name="new", device_class=device_class)

    def assert_refused(self, folder: str, device_class: str = "thick") -> None:
        refused = self.node.call("CreateLV", name="late", device_class=device_class,
                                 size_bytes=8 * MIB)
        self.assertEqual(refused.code, "UNAVAILABLE", refused)
        self.assertIn(folder, refused.message)
        self.node.must("GetLVList", device_class=device_class)
        self.assertEqual(self.node.shell("lvs --noheadings -S lv_name=late vg_n"), "")
        self.assertEqual(self.node.shell("find /var/lib/lvmd/intents -type f ! -name '#*'"), "")

    def tmpfs(self, folder: str) -> None:
        """Puts the content of the folder on a separate small file system."""
        self.node.shell(f"mkdir -p {folder} /run/case; rm -rf /run/case/keep; "
                        f"cp -a {folder} /run/case/keep; mount -t tmpfs -o size=1M none {folder}; cp -a /run/case/keep/. {folder}")
        self.addCleanup(self.node.shell, f"umount {folder}")

    def test_lvms_archive_is_full_and_then_read_only(self) -> None:
        """[P-INTENT-5]"""
        folder = "/etc/lvm/archive"
        self.tmpfs(folder)
        self.node.run(f"head -c 2M /dev/zero >{folder}/fill")
        self.assert_refused(folder)
        self.node.shell(f"rm {folder}/fill; mount -o remount,ro {folder}")
        self.assert_refused(folder)
        self.assert_refused(folder, "thin")
        self.node.shell(f"mount -o remount,rw {folder}")
        self.create_and_remove("thick")

    def test_lvms_backup_is_full_and_then_read_only(self) -> None:
        """[P-INTENT-5]: LVM prints a warning and continues."""
        folder = "/etc/lvm/backup"
        self.tmpfs(folder)
        self.node.run(f"head -c 2M /dev/zero >{folder}/fill")
        self.create_and_remove("thick")
        self.node.shell(f"rm {folder}/fill; mount -o remount,ro {folder}")
        self.create_and_remove("thin")

    def test_lvmds_own_folder_is_full_and_then_read_only(self) -> None:
        """[P-INTENT-5]"""
        folder = "/var/lib/lvmd"
        self.node.shell("systemctl stop lvmd.service")
        # Before the file system is unmounted, because no process may use it.
        self.addCleanup(self.node.shell, "systemctl start lvmd.service")
        self.tmpfs(folder)
        self.addCleanup(self.node.shell, "systemctl stop lvmd.service")
        self.node.shell("systemctl start lvmd.service; "
                        "for _ in $(seq 100); do lvmd health && exit 0; sleep 0.2; done; exit 1")
        self.node.run(f"head -c 2M /dev/zero >{folder}/fill")
        self.assert_refused(folder)
        self.node.shell(f"rm {folder}/fill; mount -o remount,ro {folder}")
        self.assert_refused(folder)
        self.node.shell(f"mount -o remount,rw {folder}")
        self.create_and_remove("thick")

    def test_a_journald_that_is_stopped(self) -> None:
        """Entries are lost; calls get responses."""
        pid = self.node.shell("pidof systemd-journald")
        self.node.shell(f"kill -STOP {pid}")
        self.addCleanup(self.node.shell, f"kill -CONT {pid}")
        self.node.write("/run/case/fill.py", _FILL)
        self.node.shell("python3 /run/case/fill.py")
        for _ in range(3):
            self.create_and_remove("thick")
        self.node.shell("timeout 30 systemctl restart lvmd.service")
        self.create_and_remove("thin")

    def assert_links(self, device_class: str = "thick") -> None:
        """Both links lead to the device of the volume `new`."""
        [volume] = [each for each in self.node.must("GetLVList", device_class=device_class)["volumes"]
                    if each["name"] == "new"]
        for link in ("vg_n/new", "mapper/vg_n-new"):
            self.assertEqual(self.node.shell(f"stat -L -c %Hr:%Lr /dev/{link}"),
                             f"{volume['dev_major']}:{volume['dev_minor']}")

    def assert_links_to_no_device(self) -> None:
        self.node.shell("! test -e /dev/vg_n/new && ! test -e /dev/mapper/vg_n-new")

    def assert_no_links(self) -> None:
        self.assertEqual(self.node.shell("ls -d /dev/vg_n/new /dev/mapper/vg_n-new 2>&1 | "
                                         "grep -vc 'cannot access' || true"), "0")

    def test_udevd_that_is_stopped_for_a_while(self) -> None:
        """[P-CREATE-11, P-REMOVE-23, P-RUN-23]: changes do not wait for it, and the links are right
        when it continues."""
        worker = self.node.shell("pgrep -x lvmd-worker")
        self.node.shell("udevadm settle; pkill -STOP -x systemd-udevd")
        self.addCleanup(self.node.shell, "pkill -CONT -x systemd-udevd; udevadm settle")
        self.node.must("CreateLV", name="new", device_class="thick", size_bytes=8 * MIB)
        self.assert_links()
        self.node.must("RemoveLV", name="new", device_class="thick")
        self.assert_no_links()
        self.node.must("CreateLV", name="new", device_class="thick", size_bytes=8 * MIB)
        self.assert_links()
        self.node.shell("pkill -CONT -x systemd-udevd; udevadm settle")
        self.assert_links()
        self.node.must("RemoveLV", name="new", device_class="thick")
        self.assert_no_links()
        self.node.shell("udevadm settle")
        self.assert_no_links()
        self.create_and_remove("thin")
        self.assertEqual(self.node.shell("pgrep -x lvmd-worker"), worker)

    def stop_events(self) -> None:
        """udevd handles no events until `start_events`, but receives them."""
        self.node.shell("udevadm settle; udevadm control --stop-exec-queue")
        self.addCleanup(self.node.shell, "udevadm control --start-exec-queue; udevadm settle")

    def start_events(self, call: str) -> None:
        """udevd handles the events of before. Then the call `call`, which creates the volume `new`,
        returns. From then on the volume has its links."""
        self.node.shell("udevadm control --start-exec-queue")
        created = self.node.end(call)
        self.assertEqual(created.code, "OK", created)
        self.node.shell("udevadm settle & while kill -0 $! 2>/dev/null; do "
                        "test -b /dev/vg_n/new && test -b /dev/mapper/vg_n-new || exit 1; done")
        self.assert_links()

    def test_udevd_that_handles_no_events_for_a_while(self) -> None:
        """[P-CREATE-11, P-REMOVE-23, P-HEALTH-7]: a removal does not wait. A new volume of the same
        name waits until udev cannot remove its links any more. Health reports the reason, and no
        process is replaced."""
        worker = self.node.shell("pgrep -x lvmd-worker")
        self.node.must("CreateLV", name="new", device_class="thick", size_bytes=8 * MIB)
        self.stop_events()
        # udev has not handled the creation of this one when it is removed.
        self.node.must("CreateLV", name="brief", device_class="thick", size_bytes=8 * MIB)
        self.node.must("RemoveLV", name="brief", device_class="thick")
        self.node.must("RemoveLV", name="new", device_class="thick")
        self.assert_no_links()
        self.node.begin("create", "CreateLV", name="new", device_class="thick", size_bytes=8 * MIB)
        self.node.shell("for _ in $(seq 100); do lvmd health >/run/case/said; grep -q 'udev, removals "
                        "before' /run/case/said && exit 0; sleep 0.2; done; cat /run/case/said; "
                        "exit 1")
        self.assertEqual(self.node.call("GetLVList", device_class="thick").code, "OK")
        refused = self.node.call("CreateLV", name="other", device_class="thin", size_bytes=8 * MIB)
        self.assertEqual(refused.code, "UNAVAILABLE", refused)
        self.assertIn("udev, removals before", refused.message)
        self.start_events("create")
        self.node.must("RemoveLV", name="new", device_class="thick")
        self.create_and_remove("thin")
        self.assertEqual(self.node.shell("pgrep -x lvmd-worker"), worker)

    def test_growths_while_udevd_handles_no_events(self) -> None:
        """[P-RUN-28]: a growth waits for udev when udev has many events to handle, but not for
        long if udev handles none."""
        self.node.must("CreateLV", name="new", device_class="thick", size_bytes=8 * MIB)
        self.stop_events()
        begin = self.node.shell("date +%s")
        for size in range(16, 16 + 20 * 8, 8):
            self.node.must("ResizeLV", name="new", device_class="thick", size_bytes=size * MIB)
        notices = self.node.shell(f"journalctl -u lvmd --since @{begin} -o cat | "
                                  "grep -c 'udev has 17 events to handle' || true")
        self.assertEqual(notices, "1")
        self.node.shell("udevadm control --start-exec-queue; udevadm settle")
        self.node.must("RemoveLV", name="new", device_class="thick")

    def test_a_device_number_that_was_just_used(self) -> None:
        """[P-CREATE-11]: the kernel gives a new volume the number of a device that another program
        has removed, and udev has not handled the events of that device."""
        self.node.must("CreateLV", name="old", device_class="thick", size_bytes=8 * MIB)
        number = self.node.shell("stat -L -c %Lr /dev/vg_n/old")
        self.stop_events()
        self.node.shell("udevadm trigger --action=change --name-match=/dev/vg_n/old; "
                        "lvremove -q -f -y --noudevsync vg_n/old")
        self.node.begin("create", "CreateLV", name="new", device_class="thick", size_bytes=8 * MIB)
        self.node.shell(f"until test \"$(dmsetup info -c --noheadings -o minor vg_n-new)\" = "
                        f"{number}; do sleep 0.1; done; sleep 2")
        self.start_events("create")
        self.node.must("RemoveLV", name="new", device_class="thick")

    def test_volumes_of_a_name_that_was_just_removed(self) -> None:
        """[P-CREATE-11, P-REMOVE-23]: their links stay, although udev may not have handled the
        removals yet."""
        for device_class in ("thick", "thin") * 4:
            self.node.must("CreateLV", name="new", device_class=device_class, size_bytes=8 * MIB)
            self.node.shell("for _ in $(seq 20); do test -b /dev/vg_n/new && "
                            "test -b /dev/mapper/vg_n-new || exit 1; sleep 0.01; done")
            self.assert_links(device_class)
            self.node.must("RemoveLV", name="new", device_class=device_class)
            self.assert_links_to_no_device()
        self.node.shell("udevadm settle")
        self.assert_no_links()

    def test_a_volume_is_removed_while_udev_handles_an_event_of_it(self) -> None:
        """[P-REMOVE-23]: the response does not wait for udev, and no link is left when udev has
        handled the removal."""
        self.node.must("CreateLV", name="new", device_class="thick", size_bytes=8 * MIB)
        self.node.shell("udevadm settle")
        rules = "/run/udev/rules.d/99-slow.rules"
        self.node.write("/run/case/slow", "touch /run/case/begun\n"
                        "until test -e /run/case/continue; do sleep 0.1; done\n")
        self.node.write(rules, 'ACTION=="change", ENV{DM_NAME}=="vg_n-new", '
                        'PROGRAM="/bin/sh /run/case/slow"\n')
        self.addCleanup(self.node.shell, f"touch /run/case/continue; rm {rules}; "
                        "udevadm control --reload; udevadm settle")
        self.node.shell("udevadm control --reload; "
                        "udevadm trigger --action=change --name-match=/dev/vg_n/new; "
                        "for _ in $(seq 100); do test -e /run/case/begun && exit 0; sleep 0.1; "
                        "done; exit 1")
        self.node.must("RemoveLV", name="new", device_class="thick")
        self.assert_no_links()
        self.node.shell("touch /run/case/continue; udevadm settle")
        self.assert_no_links()

    def test_there_is_no_dmeventd(self) -> None:
        """LVM itself starts one."""
        units = "dm-event.socket dm-event.service"
        self.node.shell(f"systemctl mask --runtime --now {units}")
        self.addCleanup(self.node.shell,
                        f"systemctl unmask --runtime {units}; systemctl start dm-event.socket")
        self.create_and_remove("thin")

    def test_there_is_no_dbus(self) -> None:
        units = "dbus.socket dbus.service"
        self.node.shell(f"systemctl mask --runtime --now {units}")
        self.addCleanup(self.node.shell,
                        f"systemctl unmask --runtime {units}; systemctl start dbus.socket")
        self.node.shell("timeout 30 systemctl restart lvmd.service")
        self.create_and_remove("thin")


if __name__ == "__main__":
    unittest.main()

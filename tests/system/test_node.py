"""lvmd for an administrator: start, sockets, command line, and the data on volumes. The ids in
brackets are rules of docs/protocol.md."""

from __future__ import annotations

import re
import time
import unittest

from .node import READ_ONLY_SOCKET, SOCKET, Node, machine

MIB = 1 << 20
_BY_HAND = """\
socket-name: /run/case/own/lvmd.sock
device-classes: [{name: missing, volume-group: vg_nowhere}]
"""
# Until the sockets are open, or lvmd has ended.
_START = """
cd /run/case && mkdir -p own
lvmd --config by_hand.yaml >log 2>&1 & pid=$!
for _ in $(seq 600); do
  kill -0 $pid 2>/dev/null || break
  ss -xl | grep -q /run/case/own/lvmd-ro.sock && break
  sleep 0.1
done
"""


class NodeCase(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = Node(cls.enterClassContext(machine()))


class Start(NodeCase):
    def setUp(self) -> None:
        self.node.write("/run/case/by_hand.yaml", _BY_HAND)

    def test_ready_means_that_both_sockets_answer(self) -> None:
        """[P-STOP-1, P-SOCK-1]"""
        self.node.shell("systemctl restart lvmd.service")
        for socket in (SOCKET, READ_ONLY_SOCKET):
            answer = self.node.call("GetFreeBytes", socket, device_class="thin")
            self.assertTrue(answer.ok, answer)

    def test_a_hangup_ends_nothing(self) -> None:
        """[P-STOP-3]"""
        pid = "systemctl show --value --property MainPID lvmd.service"
        before = self.node.shell(pid)
        self.node.shell(f"kill -HUP {before}; sleep 1")
        self.assertEqual(self.node.shell(pid), before)
        self.node.must("GetFreeBytes", device_class="thick")

    def test_by_hand_it_makes_both_sockets_and_goes_on_sigterm(self) -> None:
        """[P-SOCK-3, P-SOCK-8, P-CLI-1, P-CFG-6]"""
        said = self.node.shell(
            _START + "stat -c '%n %a %U %G' own/*.sock; kill -TERM $pid; wait $pid; echo end $?")
        self.assertIn("own/lvmd.sock 660 root lvmd", said)
        self.assertIn("own/lvmd-ro.sock 660 root lvmd-ro", said)
        self.assertTrue(said.endswith("end 0"), said)

    def test_a_dead_ones_socket_is_replaced_and_a_live_ones_is_not(self) -> None:
        """[P-SOCK-8, P-CLI-7]"""
        self.node.shell(_START + "kill -KILL $pid; wait $pid; sleep 1; [ -S own/lvmd.sock ]")
        said = self.node.shell(
            _START + "kill -0 $pid && echo alive; timeout 20 lvmd --config by_hand.yaml 2>&1; "
            "echo second $?; kill -TERM $pid; wait $pid")
        self.assertIn("alive", said)
        self.assertRegex(said, r"/run/case/own/lvmd\.sock")
        self.assertRegex(said, r"second [1-9]")
        self.assertNotIn("second 124", said)

    def test_another_kind_of_file_in_the_sockets_place_stops_the_start(self) -> None:
        """[P-SOCK-8, P-CLI-7]"""
        code, said = self.node.run(
            "rm -rf /run/case/own; mkdir -p /run/case/own && touch /run/case/own/lvmd.sock; "
            "timeout 20 lvmd --config /run/case/by_hand.yaml 2>&1")
        self.node.shell("rm /run/case/own/lvmd.sock")
        self.assertNotIn(code, (0, 124), said)
        self.assertIn("/run/case/own/lvmd.sock", said)

    def test_a_group_of_the_configuration_that_does_not_exist_stops_the_start(self) -> None:
        """[P-SOCK-6, P-CLI-7]"""
        self.node.write("/run/case/by_hand.yaml", _BY_HAND + "socket-group: nobody-has-it\n")
        code, said = self.node.run("timeout 20 lvmd --config /run/case/by_hand.yaml 2>&1")
        self.assertNotIn(code, (0, 124), said)
        self.assertIn("nobody-has-it", said)

    def test_a_wrong_configuration_stops_the_start_with_its_place(self) -> None:
        """[P-CFG-2, P-CLI-7]"""
        self.node.write("/run/case/by_hand.yaml", _BY_HAND + "strict: perhaps\n")
        code, said = self.node.run("timeout 20 lvmd --config /run/case/by_hand.yaml 2>&1")
        self.assertNotIn(code, (0, 124), said)
        self.assertIn("/run/case/by_hand.yaml:3: strict: ", said)

    def test_flags_of_topolvm_are_warned_of_and_have_no_effect(self) -> None:
        """[P-CLI-5]"""
        flags = ("--profiling-bind-address=:1", "--zap-log-level debug", "-v=2", "--logtostderr",
                 "--vmodule a=1", "--zap-devel")
        start = _START.replace("by_hand.yaml >log", f"by_hand.yaml {' '.join(flags)} >log")
        said = self.node.shell(start + "kill -TERM $pid; wait $pid; echo end $?; cat log")
        self.assertTrue(said.startswith("end 0"), said)
        for flag in flags:
            name = re.split("[= ]", flag)[0]
            warned = re.findall(rf"(?m)^.*(?<![\w-]){name}(?![\w-]).*$", said)
            self.assertEqual(len(warned), 1, f"{name}: {said}")


# A client that connects again at once when it has lost its connection, for 20 s.
_IMPATIENT = """
import socket, time
end = time.monotonic() + 20
while time.monotonic() < end:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(1)
    try:
        client.connect("/run/topolvm/lvmd.sock")
        client.sendall(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n")
        client.recv(1)
    except OSError:
        time.sleep(0.05)
    client.close()
"""
_STATES = "systemctl show -P ActiveState lvmd.socket lvmd-ro.socket"


class Restart(NodeCase):
    def _wait_until_it_serves(self, seconds: float) -> float:
        begin = time.monotonic()
        while time.monotonic() - begin < seconds * self.node.time_factor:
            if self.node.run("timeout 2 lvmd health")[0] == 0:
                return time.monotonic() - begin
        self.fail(f"lvmd does not serve within {seconds} s: "
                  + self.node.run("systemctl status lvmd.service lvmd.socket; lvmd health")[1])

    def test_a_corrected_file_serves_within_ten_seconds(self) -> None:
        """[P-STOP-5]: after 20 s in which no start succeeded and a client connected all the
        time."""
        right = self.node.shell("cat /etc/topolvm/lvmd.yaml")
        self.node.write("/run/case/impatient.py", _IMPATIENT)
        self.node.write("/etc/topolvm/lvmd.yaml", right + "\nstrict: perhaps\n")
        self.node.run("systemctl restart lvmd.service")
        begin = self.node.shell("cat /proc/uptime")
        self.node.shell("python3 /run/case/impatient.py")
        self.assertEqual(self.node.shell(_STATES).split(), ["active", "active"])
        tries = int(self.node.shell("systemctl show -P NRestarts lvmd.service"))
        self.assertGreaterEqual(tries, 3, begin)
        self.assertLessEqual(tries, 8, begin)
        # An emulated processor may be too slow to reach systemd's limits.
        for limit, units in (("StartLimitIntervalUSec", "lvmd.service lvmd.socket lvmd-ro.socket"),
                             ("TriggerLimitIntervalUSec", "lvmd.socket lvmd-ro.socket")):
            for unit in units.split():
                shown = self.node.shell(f"systemctl show -P {limit} {unit}")
                self.assertEqual(shown, "0", f"{limit} of {unit}")
        self.node.write("/etc/topolvm/lvmd.yaml", right + "\n")
        self._wait_until_it_serves(10)

    def test_a_killed_supervisor_is_back_within_five_seconds(self) -> None:
        """[P-STOP-5]"""
        self.node.shell("systemctl reset-failed lvmd.service; systemctl restart lvmd.service")
        self._wait_until_it_serves(10)
        self.node.shell("systemctl kill --kill-who main --signal KILL lvmd.service")
        self._wait_until_it_serves(5)


class Upgrade(NodeCase):
    CHILDREN = ("lvmd-server", "lvmd-observer", "lvmd-worker")

    def _wait_until_it_serves(self) -> None:
        self.node.shell("for _ in $(seq 100); do lvmd health && exit 0; sleep 0.2; done; exit 1")

    def _inodes(self) -> dict[str, str]:
        """The inodes of the files that the children execute."""
        self._wait_until_it_serves()
        return {child: self.node.shell(f"stat -L -c %i /proc/$(pgrep -x {child})/exe")
                for child in self.CHILDREN}

    def test_children_are_of_the_files_that_lvmd_was_started_with(self) -> None:
        """[P-RUN-22]: files are replaced one by one, as by a package, and children are killed in
        between."""
        before = self._inodes()
        for replaced in ("lvmd-worker", "lvmd-server", "lvmd-observer", "lvmd-mounter"):
            self.node.shell(f"cd /usr/lib/lvmd && cp -p {replaced} .new && mv .new {replaced}")
            for child in self.CHILDREN:
                # The others end with the server.
                self._wait_until_it_serves()
                self.node.shell(
                    f"old=$(pgrep -x {child}); kill -KILL $old; for _ in $(seq 200); do "
                    f"now=$(pgrep -x {child}) && [ $now != $old ] && exit 0; sleep 0.1; done; exit 1")
            self.assertEqual(self._inodes(), before)
            self.node.must("GetFreeBytes", device_class="thin")
        # The name in ps(1) is the path, for the old and the new file.
        self.assertEqual(self.node.shell("tr '\\0' ' ' </proc/$(pgrep -x lvmd-worker)/cmdline"),
                         "/usr/lib/lvmd/lvmd-worker vg_n")
        self.node.shell("cp -p /usr/sbin/lvmd /usr/sbin/.new && mv /usr/sbin/.new /usr/sbin/lvmd; "
                        "systemctl restart lvmd.service")
        after = self._inodes()
        for child in self.CHILDREN:
            self.assertNotEqual(after[child], before[child])
            self.assertEqual(after[child], self.node.shell(f"stat -c %i /usr/lib/lvmd/{child}"))
        self.node.must("CreateLV", name="after", device_class="thick", size_bytes=8 * MIB)


class CommandLine(NodeCase):
    def test_help_and_version_are_printed_to_standard_output(self) -> None:
        """[P-CLI-2]"""
        for words in ("--help", "--version", "check-config --help", "health --help"):
            with self.subTest(words):
                self.assertNotEqual(self.node.shell(f"lvmd {words} 2>/dev/null"), "")

    def test_check_config_tells_warnings_and_errors_apart(self) -> None:
        """[P-CLI-3, P-CFG-2, P-CFG-3]"""
        self.node.write("/run/case/odd.yaml", _BY_HAND + "no-such-key: 1\n")
        code, said = self.node.run("lvmd check-config /run/case/odd.yaml 2>&1 >/dev/null")
        self.assertEqual(code, 0)
        self.assertIn("/run/case/odd.yaml:3: no-such-key: ", said)
        self.node.write("/run/case/odd.yaml", _BY_HAND + "no-such-key: 1\nstrict: true\n")
        code, said = self.node.run("lvmd check-config /run/case/odd.yaml 2>&1")
        self.assertEqual(code, 1)
        self.assertIn("/run/case/odd.yaml:3: no-such-key: ", said)

    def test_health_tells_the_whole_and_each_group(self) -> None:
        """[P-CLI-4, P-HEALTH-1]"""
        code, said = self.node.run("lvmd health")
        self.assertEqual(code, 0, said)
        self.assertEqual(len(said.splitlines()), 2, said)
        self.assertIn("vg_n", said)

    def test_health_without_lvmd_is_1_and_says_why(self) -> None:
        """[P-CLI-4]"""
        self.node.write("/run/case/nobody.yaml", _BY_HAND.replace("own", "nobody"))
        code, said = self.node.run("timeout 10 lvmd health --config /run/case/nobody.yaml 2>&1")
        self.assertEqual(code, 1, said)
        self.assertIn("/run/case/nobody/lvmd.sock", said)

    def test_an_unknown_flag_or_word_is_named_and_nothing_starts(self) -> None:
        """[P-CLI-6]"""
        for words in ("--no-such-flag", "no-such-word", "check-config"):
            with self.subTest(words):
                code, said = self.node.run(f"timeout 10 lvmd {words} 2>&1")
                self.assertNotIn(code, (0, 124))
                if words.startswith("no") or words.startswith("--"):
                    self.assertIn(words, said)

    def test_lvm_path_and_a_prefix_exclude_each_other(self) -> None:
        """[P-CFG-30]"""
        self.node.write("/run/case/both.yaml", _BY_HAND + "lvm-command-prefix: [/sbin/lvm]\n")
        code, said = self.node.run(
            "timeout 10 lvmd --lvm-path /sbin/lvm --config /run/case/both.yaml 2>&1")
        self.assertNotIn(code, (0, 124), said)
        self.assertIn("lvm-command-prefix", said)


class Data(NodeCase):
    def test_a_snapshot_has_its_sources_contents(self) -> None:
        """[P-SNAP-11]"""
        self.node.must("CreateLV", name="source", device_class="thin", size_bytes=16 * MIB)
        self.node.shell("head -c 16M /dev/urandom >/dev/vg_n/source; sync")
        self.node.must("CreateLVSnapshot", name="copy", device_class="thin",
                       source_volume="source", access_type="ro", size_bytes=20 * MIB)
        self.node.shell("cmp -n 16777216 /dev/vg_n/source /dev/vg_n/copy")
        self.node.shell("head -c 1M /dev/zero >/dev/vg_n/source; sync")
        self.assertEqual(self.node.run("cmp -s -n 1048576 /dev/vg_n/source /dev/vg_n/copy")[0], 1)

    def test_a_mounted_volume_grows_and_its_file_system_does_not(self) -> None:
        """[P-RESIZE-4]"""
        self.node.must("CreateLV", name="mounted", device_class="thick", size_bytes=32 * MIB)
        self.node.shell("mkfs.ext4 -q /dev/vg_n/mounted && mkdir -p /run/case/mounted && "
                        "mount /dev/vg_n/mounted /run/case/mounted && echo x >/run/case/mounted/x")
        before = self.node.shell("df --output=size /run/case/mounted")
        self.node.must("ResizeLV", name="mounted", device_class="thick", size_bytes=64 * MIB)
        self.assertEqual(self.node.shell("df --output=size /run/case/mounted"), before)
        self.assertEqual(self.node.shell("blockdev --getsize64 /dev/vg_n/mounted"), str(64 * MIB))
        self.node.shell("resize2fs /dev/vg_n/mounted && [ $(cat /run/case/mounted/x) = x ] && "
                        "umount /run/case/mounted")

    def test_the_size_tag_is_that_of_the_creation(self) -> None:
        """[P-TAG-1, P-TAG-4, P-SIZE-5]"""
        self.node.must("CreateLV", name="tagged", device_class="thick", size_bytes=5 * MIB)
        self.node.must("ResizeLV", name="tagged", device_class="thick", size_bytes=12 * MIB)
        tags = self.node.shell("lvs --noheadings -o lv_tags vg_n/tagged").split(",")
        self.assertIn(f"lvmd.v1:size={8 * MIB}", tags)
        # Both are rounded up to the same size, so the request is the same [P-SIZE-5].
        self.node.must("CreateLV", name="tagged", device_class="thick", size_bytes=6 * MIB)

    def test_what_lvm_cannot_do_is_internal_with_its_words_and_is_undone(self) -> None:
        """[P-CODE-10, P-ORDER-2]: device-mapper already has a device of the new volume's name."""
        self.node.shell("dmsetup create vg_n-clash --table '0 8 zero'")
        try:
            before = self.node.shell("lvs --noheadings -a -o lv_name,lv_size,lv_attr vg_n")
            answer = self.node.call("CreateLV", name="clash", device_class="thick",
                                    size_bytes=8 * MIB)
            self.assertEqual(answer.code, "INTERNAL", answer)
            self.assertRegex(answer.message, r"lvcreate.*clash")
            self.assertEqual(self.node.shell("lvs --noheadings -a -o lv_name,lv_size,lv_attr vg_n"),
                             before)
        finally:
            self.node.shell("dmsetup remove vg_n-clash")
        self.node.must("CreateLV", name="clash", device_class="thick", size_bytes=8 * MIB)

    def test_words_that_lvm_refuses_do_not_reach_the_next_volume(self) -> None:
        """[P-TAG-1, P-TAG-2, P-CODE-10]"""
        for name in ("after1", "after2"):
            answer = self.node.call("CreateLV", name="refused", device_class="thick",
                                    size_bytes=8 * MIB, tags=["of-the-refused"],
                                    lvcreate_option_class="refused")
            self.assertEqual(answer.code, "INTERNAL", answer)
            self.node.must("CreateLV", name=name, device_class="thick", size_bytes=8 * MIB)
            self.assertEqual(self.node.shell(f"lvs --noheadings -o lv_tags vg_n/{name}"),
                             f"lvmd.v1:class=thick,lvmd.v1:size={8 * MIB}")

    def test_no_op_resizes_and_removals_can_be_repeated(self) -> None:
        """[P-IDEM-7]"""
        self.node.must("CreateLV", name="again", device_class="thick", size_bytes=8 * MIB)
        for size in (8 * MIB, 0, 8 * MIB):
            self.assertEqual(self.node.must("ResizeLV", name="again", device_class="thick",
                                            size_bytes=size)["size_bytes"], str(8 * MIB))
        codes = [self.node.call("RemoveLV", name="again", device_class="thick").code
                 for _ in range(3)]
        self.assertEqual(codes, ["OK", "NOT_FOUND", "NOT_FOUND"])

    def test_volumes_of_topolvm_work_in_every_call(self) -> None:
        """[P-TAG-5, E-PEER-2]: made with the commands of TopoLVM's lvmd."""
        self.node.shell("lvcreate -q -n old -L 8388608b -W y -y vg_n && "
                        "lvcreate -q -T vg_n/pool -n older -V 8388608b -W y -y && "
                        "lvcreate -q -s -k n -n oldest vg_n/older && lvchange -q -p r vg_n/oldest "
                        "&& lvchange -q -k n -a y vg_n/oldest && sleep 1.2")
        thick = [volume["name"] for volume in
                 self.node.must("GetLVList", device_class="thick")["volumes"]]
        thin = [volume["name"] for volume in
                self.node.must("GetLVList", device_class="thin")["volumes"]]
        self.assertIn("old", thick)
        self.assertLessEqual({"older", "oldest"}, set(thin))
        # The existing volumes match these requests.
        self.node.must("CreateLV", name="old", device_class="thick", size_bytes=8 * MIB)
        self.node.must("CreateLV", name="older", device_class="thin", size_bytes=8 * MIB)
        self.node.must("CreateLVSnapshot", name="oldest", device_class="thin",
                       source_volume="older", access_type="ro")
        self.node.must("ResizeLV", name="old", device_class="thick", size_bytes=12 * MIB)
        self.node.must("ResizeLV", name="older", device_class="thin", size_bytes=12 * MIB)
        self.node.must("CreateLVSnapshot", name="copy-of-old", device_class="thin",
                       source_volume="older", access_type="rw")
        for name, device_class in (("old", "thick"), ("oldest", "thin"), ("older", "thin"),
                                   ("copy-of-old", "thin")):
            self.node.must("RemoveLV", name=name, device_class=device_class)

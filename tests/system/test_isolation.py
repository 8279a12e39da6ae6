"""The disk of one volume group hangs: all other groups work, health reports it in time, and its
effects end without intervention. The ids in brackets are rules of docs/protocol.md."""

from __future__ import annotations

import json
import time
import unittest
from collections.abc import Callable

from .node import Node, machine

MIB = 1 << 20
# vg_h is on a disk that can hang. Its label is not at the beginning of the disk below, because LVM
# would find two PVs.
_GROUPS = """
set -e
vgcreate -q vg_n /dev/disk/by-id/virtio-data0
disk=/dev/disk/by-id/virtio-data1
dmsetup create slow --table "0 $(($(blockdev --getsz $disk) - 8192)) linear $disk 8192"
udevadm settle
vgcreate -q vg_h /dev/mapper/slow
mkdir -p /etc/topolvm /run/case
"""
_CONFIG = """\
metrics-address: unix:/run/topolvm/metrics.sock
device-classes:
  - {name: good, volume-group: vg_n, default: true, spare-gb: 0}
  - {name: hangs, volume-group: vg_h, spare-gb: 0}
"""
# The query about dmeventd starts late, so that the disk can hang before it.
_SLOW_QUERY = """\
#!/bin/sh
case "$*" in *seg_monitor*vg_h*) sleep 2 ;; esac
exec /usr/local/real/lvm "$@"
"""
_NBD = r"""
import fcntl, os, socket, struct, sys, threading
# A network block device of 256 MiB in memory, served by a process that can be stopped.
ours, kernels = socket.socketpair()
if os.fork() == 0:
    kernels.close()
    data = bytearray(256 << 20)
    def exactly(count):
        got = b""
        while len(got) < count:
            part = ours.recv(count - len(got))
            if not part:
                os._exit(0)
            got += part
        return got
    while True:
        magic, kind, handle, offset, length = struct.unpack(">IIQQI", exactly(28))
        payload = exactly(length) if kind & 0xffff == 1 else b""
        if kind & 0xffff == 1:
            data[offset:offset + length] = payload
        if kind & 0xffff == 2:
            os._exit(0)
        ours.sendall(struct.pack(">IIQ", 0x67446698, 0, handle))
        if kind & 0xffff == 0:
            ours.sendall(data[offset:offset + length])
ours.close()
device = os.open("/dev/nbd0", os.O_RDWR)
fcntl.ioctl(device, 0xab01, 4096)                # NBD_SET_BLKSIZE
fcntl.ioctl(device, 0xab07, (256 << 20) // 4096) # NBD_SET_SIZE_BLOCKS
fcntl.ioctl(device, 0xab00, kernels.fileno())    # NBD_SET_SOCK
fcntl.ioctl(device, 0xab03)                      # NBD_DO_IT
"""


class Isolation(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = Node(cls.enterClassContext(machine()), _GROUPS, _CONFIG)

    def setUp(self) -> None:
        self.addCleanup(self.node.run, "dmsetup resume slow")
        self.await_health("vg_h", "SERVING", 60)

    def health(self, group: str) -> str:
        lines = self.node.run("lvmd health")[1].splitlines()
        return next((line for line in lines if line.startswith(f"vg/{group}:")), "")

    def wait(self, condition: Callable[[], bool], seconds: float,
             problem: Callable[[], str] = lambda: "") -> float:
        """Returns the time in seconds. Fails after `seconds` of a real processor."""
        begin = time.monotonic()
        while not condition():
            self.assertLess(time.monotonic() - begin, self.node.time_factor * seconds, problem())
            time.sleep(0.5)
        return time.monotonic() - begin

    def await_health(self, group: str, status: str, seconds: float) -> None:
        self.wait(lambda: self.health(group).startswith(f"vg/{group}: {status}"), seconds,
                  lambda: self.health(group))

    def create_and_remove(self, device_class: str) -> None:
        self.node.must("CreateLV", name="iso", device_class=device_class, size_bytes=8 * MIB)
        self.node.must("RemoveLV", name="iso", device_class=device_class)

    def rest(self) -> None:
        """Until the observer has read the group after the last change, and only probes its PVs."""
        self.node.run("sleep 2")

    def check_that_others_go_on(self) -> None:
        begin = time.monotonic()
        self.create_and_remove("good")
        self.node.must("GetFreeBytes", device_class="good")
        self.assertLess(time.monotonic() - begin, 10 * self.node.time_factor)
        self.assertTrue(self.health("vg_n").startswith("vg/vg_n: SERVING"), self.health("vg_n"))

    def test_a_disk_that_hangs_while_nothing_happens(self) -> None:
        """[P-STATE-8, P-HEALTH-7]"""
        self.create_and_remove("hangs")
        self.rest()
        self.node.shell("dmsetup suspend --nolockfs slow")
        self.await_health("vg_h", "NOT_SERVING", 15)
        self.assertIn("/dev/mapper/slow", self.health("vg_h"))
        refused = self.node.call("CreateLV", name="late", device_class="hangs", size_bytes=MIB * 8)
        self.assertEqual(refused.code, "UNAVAILABLE", refused)
        self.assertIn("/dev/mapper/slow", refused.message)
        self.node.must("GetLVList", device_class="hangs")
        self.check_that_others_go_on()
        self.node.shell("dmsetup resume slow")
        self.await_health("vg_h", "SERVING", 15)
        self.create_and_remove("hangs")

    def test_a_disk_that_hangs_while_its_group_is_read(self) -> None:
        """[P-STATE-8]: a program writes to it all the time, so the group is read all the time."""
        self.node.shell("systemd-run -q --unit=writes sh -c "
                        "'while sleep 0.05; do : >> /dev/mapper/slow; done'")
        self.addCleanup(self.node.run, "systemctl stop writes")
        self.node.run("sleep 2")
        self.node.shell("dmsetup suspend --nolockfs slow")
        self.await_health("vg_h", "NOT_SERVING", 15)
        self.check_that_others_go_on()
        self.node.shell("dmsetup resume slow")
        self.await_health("vg_h", "SERVING", 15)

    def test_a_disk_that_hangs_while_dmeventd_is_asked_for_a_pool(self) -> None:
        """[P-STATE-8]: the query to LVM ends first, then the limit of the next read applies."""
        self.node.shell("lvcreate -q -y -L 32M -T vg_h/pool")
        self.addCleanup(self.node.shell, "lvremove -q -f vg_h/pool")
        self.addCleanup(self.node.run, "dmsetup resume slow")
        self.await_health("vg_h", "SERVING", 15)
        self.node.shell("mkdir -p /usr/local/real; mv /usr/sbin/lvm /usr/local/real")
        self.addCleanup(self.node.shell, "mv /usr/local/real/lvm /usr/sbin")
        self.node.write("/usr/sbin/lvm", _SLOW_QUERY)
        # A new observer queries LVM a second after its first state.
        self.node.shell("chmod +x /usr/sbin/lvm; pkill -KILL -f '^/usr/lib/lvmd/lvmd-observer vg_h'; "
                        "until pgrep -f '[l]vm lvs .*seg_monitor.*vg_h'; do sleep 0.1; done; "
                        "dmsetup suspend --nolockfs slow")
        # 4 s, a second for the end of the command, and 8 s for the read.
        self.await_health("vg_h", "NOT_SERVING", 15)
        self.node.shell("dmsetup resume slow")
        self.await_health("vg_h", "SERVING", 15)

    def test_a_disk_that_the_hypervisor_does_not_serve(self) -> None:
        """[P-STATE-8, P-HEALTH-7]: device-mapper does not show that it hangs."""
        self.create_and_remove("hangs")
        self.rest()
        self.node.throttle("data1", 1)
        self.addCleanup(self.node.throttle, "data1", 0)
        self.await_health("vg_h", "NOT_SERVING", 15)
        self.assertIn("/dev/mapper/slow", self.health("vg_h"))
        self.node.must("GetLVList", device_class="hangs")
        self.check_that_others_go_on()
        self.node.throttle("data1", 0)
        self.await_health("vg_h", "SERVING", 15)
        self.create_and_remove("hangs")

    def test_a_disk_that_hangs_before_lvmd_starts(self) -> None:
        """[P-STATE-7, P-RUN-8]"""
        self.node.shell("systemctl stop lvmd.service; dmsetup suspend --nolockfs slow")
        self.node.shell("systemctl start lvmd.service")
        self.await_health("vg_n", "SERVING", 20)
        self.check_that_others_go_on()
        self.assertTrue(self.health("vg_h").startswith("vg/vg_h: NOT_SERVING"))
        self.node.shell("dmsetup resume slow")
        self.await_health("vg_h", "SERVING", 15)
        self.create_and_remove("hangs")

    def test_a_disk_that_hangs_before_lvmd_starts_on_a_host_with_a_devices_file(self) -> None:
        """[P-STATE-7]"""
        self.node.shell("mkdir -p /etc/lvm/devices && lvm lvmdevices --config "
                        "devices/use_devicesfile=1 --adddev /dev/disk/by-id/virtio-data0 && "
                        "lvm lvmdevices --config devices/use_devicesfile=1 --adddev /dev/mapper/slow && "
                        "printf 'devices { use_devicesfile = 1 }\\n' > /etc/lvm/lvmlocal.conf")
        self.addCleanup(self.node.shell, "rm -f /etc/lvm/lvmlocal.conf /etc/lvm/devices/system.devices")
        self.node.shell("systemctl stop lvmd.service; dmsetup suspend --nolockfs slow")
        self.node.shell("systemctl start lvmd.service")
        self.await_health("vg_n", "SERVING", 20)
        self.check_that_others_go_on()
        self.node.shell("dmsetup resume slow")
        self.await_health("vg_h", "SERVING", 15)
        self.create_and_remove("hangs")

    def test_a_stop_leaves_a_worker_that_hangs_behind(self) -> None:
        """[P-STOP-2, P-RUN-10]"""
        self.node.shell("dmsetup suspend --nolockfs slow")
        # The change hangs in the worker's read or in LVM's.
        code, output = self.node.run(
            "timeout 3 grpcurl -plaintext -d '{\"name\":\"iso\",\"device_class\":\"hangs\","
            "\"size_bytes\":8388608}' unix:///run/topolvm/lvmd.sock proto.LVService/CreateLV")
        self.assertEqual(code, 124, output)
        # The disk still hangs, so a stop that waits for the worker does not end in this time.
        stop = 30 * self.node.time_factor
        self.node.shell(f"timeout {stop} systemctl restart lvmd.service")
        self.await_health("vg_n", "SERVING", 20)
        self.check_that_others_go_on()
        self.node.shell("dmsetup resume slow")
        self.await_health("vg_h", "SERVING", 30)
        self.node.run("sleep 3")
        self.node.call("RemoveLV", name="iso", device_class="hangs")
        self.create_and_remove("hangs")
        workers = self.node.shell("pgrep -fc '^/usr/lib/lvmd/lvmd-worker vg_h' || true")
        self.assertEqual(workers, "1")

    def test_a_command_that_is_slow_is_named(self) -> None:
        """[P-HEALTH-8]"""
        self.node.must("CreateLV", name="iso", device_class="hangs", size_bytes=8 * MIB)
        linear = self.node.shell("dmsetup table slow")
        begin, sectors, _, disk, offset = linear.split()
        # Reads are fast; each write takes 6 s.
        slow = f"{begin} {sectors} delay {disk} {offset} 0 {disk} {offset} 6000"
        self.swap(slow)
        self.addCleanup(self.swap, linear)
        removal = json.dumps({"name": "iso", "device_class": "hangs"})
        self.node.shell("systemd-run -q --collect --unit=slow-call grpcurl -plaintext -d "
                        f"'{removal}' unix:///run/topolvm/lvmd.sock proto.LVService/RemoveLV")
        self.wait(lambda: "has been running for" in self.health("vg_h"), 60,
                  lambda: self.health("vg_h"))
        self.assertRegex(self.health("vg_h"), '^vg/vg_h: SERVING.*"lvremove vg_h/iso"')
        self.node.must("GetLVList", device_class="hangs")
        self.check_that_others_go_on()
        self.node.shell("while systemctl -q is-active slow-call; do sleep 0.2; done")
        volumes = self.node.must("GetLVList", device_class="hangs").get("volumes", [])
        self.assertNotIn("iso", [volume["name"] for volume in volumes])

    def swap(self, table: str) -> None:
        self.node.shell(f"dmsetup suspend --nolockfs slow && dmsetup reload slow --table '{table}' "
                        "&& dmsetup resume slow")

    def test_a_disk_on_the_network_whose_server_stops(self) -> None:
        """[P-STATE-8]"""
        self.node.write("/run/case/nbd.py", _NBD)
        self.node.shell("modprobe nbd && { systemd-run -q --unit=nbd-server python3 /run/case/nbd.py; }"
                        " && for _ in $(seq 50); do [ $(blockdev --getsz /dev/nbd0) != 0 ] && break; "
                        "sleep 0.1; done; vgcreate -q vg_net /dev/nbd0")
        self.node.write("/etc/topolvm/lvmd.yaml",
                        _CONFIG + "  - {name: net, volume-group: vg_net, spare-gb: 0}\n")
        self.node.shell("systemctl reload lvmd.service")
        self.await_health("vg_net", "SERVING", 20)
        self.create_and_remove("net")
        self.node.shell("pkill -STOP -n -f 'python3 /run/case/nbd.py'")
        try:
            self.await_health("vg_net", "NOT_SERVING", 20)
            self.assertIn("/dev/nbd0", self.health("vg_net"))
            self.check_that_others_go_on()
        finally:
            self.node.shell("pkill -CONT -n -f 'python3 /run/case/nbd.py'")
        self.await_health("vg_net", "SERVING", 20)
        self.create_and_remove("net")
        self.node.write("/etc/topolvm/lvmd.yaml", _CONFIG)
        self.node.shell("systemctl reload lvmd.service; vgremove -q -f vg_net; "
                        "systemctl stop nbd-server")

    def pid_of(self, process: str) -> str:
        return self.node.run(f"pgrep -fo '^/usr/lib/lvmd/{process}'")[1].strip()

    def test_a_process_that_is_stopped_is_replaced(self) -> None:
        """[P-RUN-9, P-METRIC-7]"""
        # The server first, because the others end with it.
        for processes in (("lvmd-server",), ("lvmd-observer vg_n", "lvmd-worker vg_n")):
            with self.subTest(processes):
                stopped = {process: self.pid_of(process) for process in processes}
                self.node.shell(f"kill -STOP {' '.join(stopped.values())}")
                self.wait(lambda: all(self.pid_of(process) not in ("", pid)
                                      for process, pid in stopped.items()), 20)
                self.await_health("vg_n", "SERVING", 20)
                self.create_and_remove("good")
        # A new server gets the heartbeats of the others with the next ping.
        self.node.shell("for _ in $(seq 40); do curl -s --unix-socket /run/topolvm/metrics.sock "
                        "http://x/metrics | grep -E '^lvmd_heartbeat_age_seconds\\{child=\"lvmd-worker "
                        "vg_n\"\\} [0-9]' && exit 0; sleep 0.5; done; exit 1")

    def test_reads_while_a_worker_outlives_its_lvmd(self) -> None:
        """[P-RUN-10]"""
        self.node.must("CreateLV", name="iso", device_class="hangs", size_bytes=8 * MIB)
        linear = self.node.shell("dmsetup table slow")
        begin, sectors, _, disk, offset = linear.split()
        # A write ends with the next swap(), long before the delay.
        self.swap(f"{begin} {sectors} delay {disk} {offset} 0 {disk} {offset} 600000")
        self.addCleanup(self.swap, linear)
        removal = json.dumps({"name": "iso", "device_class": "hangs"})
        self.node.shell("systemd-run -q --collect --unit=slow-call grpcurl -plaintext -d "
                        f"'{removal}' unix:///run/topolvm/lvmd.sock proto.LVService/RemoveLV")
        self.wait(lambda: "has been running for" in self.health("vg_h"), 60,
                  lambda: self.health("vg_h"))
        self.node.shell("pkill -KILL -x lvmd")
        self.reads_come_back(15, "hangs")
        self.wait(lambda: self.workers() == 2, 15)
        self.swap(linear)
        self.await_health("vg_h", "SERVING", 60)
        self.assertEqual(self.workers(), 1)
        self.node.call("RemoveLV", name="iso", device_class="hangs")
        self.create_and_remove("hangs")

    def workers(self) -> int:
        """The number of workers of vg_h, which may be 0."""
        return int(self.node.run("pgrep -fc '^/usr/lib/lvmd/lvmd-worker vg_h'")[1])

    def reads_come_back(self, limit: float, device_class: str = "good") -> float:
        """Returns the time in seconds. Fails after `limit` seconds of a real processor."""
        return self.wait(lambda: self.node.call("GetLVList", device_class=device_class).ok, limit)

    def test_reads_come_back_at_once_after_kills_in_quick_succession(self) -> None:
        """[P-RUN-6, P-RUN-10]"""
        for _ in range(4):
            self.node.run("pkill -KILL -f '^/usr/lib/lvmd/lvmd-(server|observer|worker)'; sleep 0.7; "
                          "pkill -KILL -x lvmd; sleep 0.7")
        self.reads_come_back(4)
        self.create_and_remove("good")

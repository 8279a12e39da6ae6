"""The power fails after each flush of a disk. dm-log-writes has logged all writes to a volume group
and to lvmd's records. The log is replayed up to each flush, and lvmd is started on the result.

Unlike a reset of the VM, this also loses the content of the disk's cache. The ids in brackets are
rules of docs/protocol.md.
"""

from __future__ import annotations

import copy
import json
import shlex
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.dev import paths
from tools.vm import Machine, ensure_snapshot

from . import write_log

MIB = 1 << 20
_SLOW_SECONDS = 300
_PV_MIB, _RECORDS_MIB = 512, 64
_SECTORS = (_PV_MIB + _RECORDS_MIB + 1) * MIB // 512
_DISK, _LOG, _REPLAY, _CHANGES = "/dev/vdb", "/dev/vdc", "/dev/vdd", "/dev/vdg"
_TOOL = "/root/write_log.py"
_CONFIG = """\
device-classes:
  - {name: thick, volume-group: vg_r, default: true, spare-gb: 0}
  - {name: thin, volume-group: vg_r, type: thin, spare-gb: 0,
     thin-pool: {name: pool, overprovision-ratio: 2.0}}
"""
# Both are on one disk, so that one log has the order of all writes.
_ON = f"""
set -e
dmsetup create pv_r --table "0 {_PV_MIB * 2048} linear $1 2048"
dmsetup create records --table "0 {_RECORDS_MIB * 2048} linear $1 {(_PV_MIB + 1) * 2048}"
"""
_MOUNT = "mkdir -p /var/lib/lvmd && mount /dev/mapper/records /var/lib/lvmd && chmod 700 /var/lib/lvmd"
_OFF = """
systemctl stop lvmd.service lvmd.socket lvmd-ro.socket
umount /var/lib/lvmd
udevadm settle
vgchange -q -an vg_r
for n in $(seq 50); do dmsetup remove pv_r records && exit 0; sleep 0.2; done
exit 1
"""
_START = """
set -e
rm -rf /run/lvmd/*
systemctl start lvmd.socket lvmd-ro.socket lvmd.service
for n in $(seq 100); do lvmd health && exit 0; sleep 0.3; done
exit 1
"""
_REPORT = "lvs --units b --nosuffix --reportformat json -o lv_name,lv_size,lv_attr,lv_active vg_r"


@dataclass
class _Volume:
    size: int
    writable: bool = True
    content: str = ""


State = dict[str, _Volume]


@dataclass(frozen=True)
class _Step:
    """A call or, with `content`, a write of the content to the volume `name`."""

    method: str
    words: dict[str, Any]
    content: str = ""

    @property
    def name(self) -> str:
        return self.words["name"]

    def after(self, before: State) -> State:
        state = copy.deepcopy(before)
        if self.content:
            state[self.name].content = self.content
        elif self.method == "RemoveLV":
            del state[self.name]
        elif self.method == "ResizeLV":
            state[self.name].size = self.words["size_bytes"]
        elif self.method == "CreateLVSnapshot":
            source = state[self.words["source_volume"]]
            state[self.name] = _Volume(self.words.get("size_bytes", source.size),
                                       self.words["access_type"] == "rw", source.content)
        else:
            state[self.name] = _Volume(self.words["size_bytes"])
        return state


def _call(method: str, name: str, device_class: str, **words: Any) -> _Step:
    return _Step(method, {"name": name, "device_class": device_class, **words})


_STEPS = (
    _call("CreateLV", "a", "thick", size_bytes=8 * MIB),
    _call("CreateLV", "t", "thin", size_bytes=16 * MIB),
    _Step("", {"name": "t"}, "first"),
    _call("CreateLVSnapshot", "s", "thin", source_volume="t", access_type="ro", size_bytes=20 * MIB),
    _Step("", {"name": "t"}, "second"),
    _call("ResizeLV", "a", "thick", size_bytes=16 * MIB),
    _call("ResizeLV", "t", "thin", size_bytes=32 * MIB),
    _call("CreateLVSnapshot", "c", "thin", source_volume="s", access_type="rw"),
    _call("RemoveLV", "s", "thin"),
    _call("RemoveLV", "t", "thin"),
    _call("RemoveLV", "a", "thick"),
    _call("CreateLV", "a", "thick", size_bytes=4 * MIB),
)


class PowerLoss(unittest.TestCase):
    machine: Machine

    def shell(self, command: str) -> str:
        return self.machine.run(command, timeout=_SLOW_SECONDS, check=True).output.strip()

    def script(self, text: str, *words: str) -> str:
        return self.shell(f"bash -c {shlex.quote(text)} x {shlex.join(words)}")

    def test_at_every_flush(self) -> None:
        """[P-INTENT-1, P-INTENT-6, P-SNAP-9, P-CREATE-7, P-ORDER-2]"""
        self.machine = self.enterContext(
            Machine(ensure_snapshot(paths.CACHE / "vm"), build_tree=paths.INSTALL_TREE))
        self.machine.write_file(_TOOL, Path(write_log.__file__).read_bytes())
        self.machine.write_file("/etc/topolvm/lvmd.yaml", _CONFIG.encode())
        self.record()
        entries = [write_log.Entry(**json.loads(line))
                   for line in self.shell(f"python3 {_TOOL} list {_LOG}").splitlines()]
        begin, = (entry.number for entry in entries if entry.mark == "begin")
        states = [{}]
        for step in _STEPS:
            states.append(step.after(states[-1]))
        done = written = points = 0
        for entry in entries:
            if entry.mark.startswith("step-"):
                done += 1
            if entry.number < begin or not entry.is_durable:
                continue
            self.shell(f"python3 {_TOOL} apply {_LOG} {_REPLAY} {written} {entry.number + 1}")
            written = entry.number + 1
            points += 1
            with self.subTest(entry=entry.number, done=done):
                self.check(states[done:done + 2])
            print(f"entry {entry.number} of {len(entries)}, {done} steps done", flush=True)
        self.assertEqual(done, len(_STEPS))
        print(f"{points} flushes within {done} steps, {len(entries)} entries", flush=True)
        self.assertGreater(points, 2 * len(_STEPS))

    def record(self) -> None:
        self.shell(f"modprobe dm-log-writes; dmsetup create logged --table "
                   f"'0 {_SECTORS} log-writes {_DISK} {_LOG}'")
        self.script(_ON, "/dev/mapper/logged")
        self.shell(f"mkfs.ext4 -q /dev/mapper/records && {_MOUNT} && vgcreate -q vg_r /dev/mapper/pv_r "
                   "&& lvcreate -q -y --type thin-pool -L 128M -n pool vg_r")
        self.script(_START)
        self.mark("begin")
        for number, step in enumerate(_STEPS):
            if step.content:
                self.shell(f"yes {step.content} | head -c 65536 | "
                           f"dd of=/dev/vg_r/{step.name} bs=64k oflag=direct conv=fsync iflag=fullblock")
            else:
                self.shell(f"grpcurl -plaintext -d {shlex.quote(json.dumps(step.words))} "
                           f"unix:///run/topolvm/lvmd.sock proto.LVService/{step.method}")
            self.mark(f"step-{number}")
        self.script(_OFF)
        self.shell("dmsetup remove logged")

    def mark(self, text: str) -> None:
        self.shell(f"dmsetup message logged 0 mark {text}")

    def check(self, possible: list[State]) -> None:
        """The replayed disk is in one of these states after the start of lvmd on it. Changes by
        this start are discarded."""
        self.shell(f"dd if=/dev/zero of={_CHANGES} bs=4k count=1 conv=fsync status=none && dmsetup "
                   f"create changed --table '0 {_SECTORS} snapshot {_REPLAY} {_CHANGES} N 16'")
        try:
            self.script(_ON, "/dev/mapper/changed")
            self.shell(_MOUNT)
            self.script(_START)
            self.assert_one_of(possible)
        finally:
            self.script(_OFF)
            self.shell("dmsetup remove changed")

    def assert_one_of(self, possible: list[State]) -> None:
        # The next record overwrites a record that was incomplete when the power failed.
        left = self.shell("for n in $(seq 10); do left=$(find /var/lib/lvmd/intents -type f "
                          "! -name '#unfinished'); [ -z \"$left\" ] && exit 0; sleep 0.5; done; "
                          "echo \"$left\"")
        if left:
            self.fail(f"records that were not settled: {left}\n{self.diagnosis()}")
        rows = [row for row in json.loads(self.shell(_REPORT))["report"][0]["lv"]
                if row["lv_name"] != "pool"]
        self.assertTrue(all(row["lv_active"] == "active" for row in rows), rows)
        found = {row["lv_name"]: _Volume(int(row["lv_size"]), row["lv_attr"][1] == "w") for row in rows}
        for name, volume in found.items():
            volume.content = self.content(name)
        shown = [{name: _shown(volume) for name, volume in state.items()}
                 for state in (found, *possible)]
        self.assertIn(shown[0], shown[1:], self.diagnosis())

    def diagnosis(self) -> str:
        return self.machine.run("lvs -a -o+tags,transaction_id vg_r; dmsetup status; journalctl "
                                "-u lvmd --since -40s -o cat --no-pager | tail -n 30").output

    def content(self, name: str) -> str:
        """The word that fills the volume's first 64 KiB; "" if they contain anything else."""
        return self.shell(f"word=$(dd if=/dev/vg_r/{name} bs=64k count=1 iflag=direct status=none | "
                          "tr -d '\\0' | head -n 1 | head -c 20); dd if=/dev/vg_r/" + name +
                          " bs=64k count=1 iflag=direct status=none | cmp -s - "
                          "<(yes \"$word\" | head -c 65536) && echo \"$word\" || true")


def _shown(volume: _Volume) -> tuple[int, bool, str]:
    return volume.size, volume.writable, volume.content


if __name__ == "__main__":
    unittest.main()

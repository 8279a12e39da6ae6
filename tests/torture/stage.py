"""The node under test: a VM with the groups of layout.py, lvmd with its unit, and the client."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tools.vm import Machine

from . import facts
from .layout import CONFIG, GROUPS, POOL, POOL_BYTES, PVS, SLOT, linear_table
from .model import Entry, Operation, Volume
from .plan import lines

CONFIG_PATH = "/etc/topolvm/lvmd.yaml"
_SLOW_SECONDS = 300
_BOOT_SECONDS = 120
_STOP_FILE = "/run/torture-stop"
# On a separate disk, so that no fault of the system under test can lose it.
_FOLDER = "/torture"
# Requests that wait for space in a full pool fail after 5 s, not after a minute.
_NO_SPACE = "modprobe dm_thin_pool\necho 5 >/sys/module/dm_thin_pool/parameters/no_space_timeout\n"
_CLIENT = "/usr/lib/lvmd/tests/torture-client"
_DEVICES_PATH = "/usr/local/sbin/torture-devices"
_UNIT = f"""\
[Unit]
Description=The devices below the volume groups of the torture run
After=systemd-udevd.service
Before=lvmd.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart={_DEVICES_PATH}
[Install]
WantedBy=multi-user.target
"""
# On a busy host the VM takes minutes to boot. With systemd's default of 90 s it would enter
# emergency mode.
_WAIT = "x-systemd.device-timeout=900"
# lvmd's records are on a file system with a journal, as on hosts. The VM's root has none.
_PREPARE = f"""
set -e
mkfs.ext4 -q -F /dev/vdf 64M && mkfs.ext4 -q -F /dev/vdg 512M
mkdir -p {_FOLDER} /var/lib/lvmd /etc/topolvm
chmod 700 /var/lib/lvmd
printf '/dev/vdf /var/lib/lvmd ext4 {_WAIT} 0 0\\n/dev/vdg {_FOLDER} ext4 {_WAIT} 0 0\\n' >>/etc/fstab
systemctl daemon-reload
mount /var/lib/lvmd && mount {_FOLDER}
chmod +x {_DEVICES_PATH}
systemctl -q enable --now torture-devices.service
udevadm settle
"""

# Without `backup=0`, lvs would write the backups.
_AWAIT_ACTIVE = f"""
while test $SECONDS -lt {_BOOT_SECONDS}; do
  inactive=$(lvs --noheadings --config backup/backup=0 -o lv_name --select 'lv_active=""' {" ".join(GROUPS)}) &&
    test -z "$inactive" && exit 0
  sleep 0.5
done
exit 1
"""


@dataclass(frozen=True)
class Read:
    error: int
    contents: dict[str, int]


class Stage:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        script = "".join(f"dmsetup create {pv} --table '{linear_table(pv)}'\n" for pv in PVS)
        machine.write_file(_DEVICES_PATH, f"#!/bin/sh\nset -e\n{_NO_SPACE}udevadm settle\n{script}".encode(), 0o755)
        machine.write_file("/etc/systemd/system/torture-devices.service", _UNIT.encode())
        self.shell(_PREPARE)
        for group in GROUPS:
            pvs = " ".join(f"/dev/mapper/{pv}" for pv, (owner, _) in PVS.items() if owner == group)
            # The pool is on the first PV only, so that faults of the other PVs do not affect it. A
            # small metadata area, which can be filled in seconds, has space for a hundred volumes.
            self.shell(f"pvcreate -q --metadatasize 128k --dataalignment 128k {pvs} && "
                       f"vgcreate -q {group} {pvs} && lvcreate -q -y --type thin-pool "
                       f"-L {POOL_BYTES}b -n {POOL} {group} {pvs.split()[0]}")
        self.write_config(CONFIG)
        self.shell("systemctl -q enable lvmd.socket lvmd.service && "
                   "systemctl start lvmd.socket lvmd.service && sync")
        said = self.await_health(_BOOT_SECONDS)
        if said:
            raise RuntimeError(f"lvmd does not serve before the first round: {said}")

    def shell(self, command: str, timeout: float = _SLOW_SECONDS) -> str:
        """Runs the command and returns its output. Raises CommandFailed if it fails."""
        return self.machine.run(command, timeout=timeout, check=True).output.strip()

    def try_shell(self, command: str, timeout: float = _SLOW_SECONDS) -> str:
        return self.machine.run(command, timeout=timeout).output.strip()

    def now(self) -> int:
        """ms since the epoch, by the guest's clock."""
        return int(self.shell("date +%s%3N"))

    def write_config(self, text: str) -> None:
        self.machine.write_file(CONFIG_PATH, text.encode())

    def pids(self, prefix: str) -> list[int]:
        """The processes whose command line begins with this text."""
        output = self.shell("ps -eo pid=,args=")
        split = (line.split(None, 1) for line in output.splitlines())
        return [int(words[0]) for words in split
                if len(words) == 2 and f"{words[1]} ".startswith(prefix)]

    def is_healthy(self) -> bool:
        return self.machine.run("lvmd health", timeout=30).exit_code == 0

    def await_health(self, seconds: int) -> str:
        """"" when everything is SERVING; the output of `lvmd health` if that takes too long."""
        done = self.machine.run(
            f"while test $SECONDS -lt {seconds}; do timeout 15 lvmd health >/tmp/torture-health 2>&1 "
            "&& exit 0; sleep 0.5; done; cat /tmp/torture-health; exit 1", timeout=seconds * 2 + 60)
        return "" if done.exit_code == 0 else done.output.strip()

    def start_client(self, number: int, plan: list[Operation], patience: int) -> None:
        self.machine.write_file(f"{_FOLDER}/plan-{number}", lines(plan))
        self.shell(f"rm -f {_STOP_FILE}; sync -f {_FOLDER}")
        self.resume_client(number, patience)

    def resume_client(self, number: int, patience: int) -> None:
        groups = " ".join(f"--group {group}" for group in GROUPS)
        self.shell(f"systemctl reset-failed torture-client 2>/dev/null; "
                   f"systemd-run -q --collect --unit=torture-client {_CLIENT} run "
                   f"--plan {_FOLDER}/plan-{number} --journal {_FOLDER}/journal-{number} "
                   f"--stop-file {_STOP_FILE} --patience {patience} {groups}")

    def await_entries(self, number: int, entries: int, seconds: int) -> None:
        """Waits until the client's journal has this number of new entries, or the time is over."""
        journal = f"{_FOLDER}/journal-{number}"
        self.shell(f"count() {{ cat {journal} 2>/dev/null | wc -l; }}; end=$(($(count) + {entries})); "
                   f"while test $SECONDS -lt {seconds}; do test $(count) -ge $end && exit 0; sleep 0.25; "
                   "done; exit 0")

    def end_client(self, seconds: int) -> bool:
        """Waits until the client has finished its running operations. False if that takes too
        long."""
        done = self.machine.run(
            f"touch {_STOP_FILE}; while test $SECONDS -lt {seconds}; do "
            "systemctl -q is-active torture-client || exit 0; sleep 0.25; done; exit 1",
            timeout=seconds * 2 + 60)
        return done.exit_code == 0

    def client_runs(self) -> bool:
        return self.machine.run("systemctl -q is-active torture-client").exit_code == 0

    def kill_client(self) -> None:
        self.try_shell("systemctl kill -s KILL torture-client; sleep 1")

    def journal(self, number: int) -> list[Entry]:
        text = self.machine.read_file(f"{_FOLDER}/journal-{number}").decode(errors="replace")
        return [json.loads(line) for line in text.split("\n")[:-1]]

    def evidence(self, number: int, since: int) -> str:
        """Information about a round with findings: logs since `since` (ms), and the actual
        state."""
        return self.machine.run(
            f"journalctl --no-pager -o short-unix -u 'lvmd*' --since @{since // 1000}; "
            f"echo; journalctl --no-pager -o short-unix -k --since @{since // 1000}; "
            f"echo; cat {_FOLDER}/journal-{number}; echo; date +%s; timeout 15 lvmd health; "
            "systemctl list-jobs; systemctl status --no-pager -n 0 lvmd.service; uptime; "
            "udevadm control --ping --timeout=5; ls -l /run/udev/queue; "
            "ps -eo pid,ppid,stat,lstart,wchan:24,args | grep -v ' \\['; cat /proc/locks; ls -li /run/lock/lvm; "
            "for pid in $(pgrep -x lvmd-worker); do timeout 6 strace -f -tt -T -p $pid 2>&1 | tail -40; done; "
            "ls -lR /var/lib/lvmd/intents /run/lvmd; dmsetup info -c; dmsetup table; dmsetup status; "
            "timeout 60 lvs -a -o +lv_tags,lv_uuid,thin_id", timeout=_SLOW_SECONDS).output

    def facts(self) -> facts.Facts:
        return facts.parse(self.machine.run(facts.COMMAND, timeout=_SLOW_SECONDS).output)

    def read(self, volumes: list[Volume]) -> dict[tuple[str, int], Read]:
        """The content of each slot, by the volume's name and the slot's offset."""
        wanted = [(volume, offset) for volume in volumes for offset in sorted(volume.slots)]
        if not wanted:
            return {}
        asked = "".join(json.dumps({"path": f"/dev/{volume.group}/{volume.name}", "offset": offset,
                                    "bytes": SLOT}) + "\n" for volume, offset in wanted)
        done = self.machine.run([_CLIENT, "read"], timeout=_SLOW_SECONDS, data=asked.encode(),
                                check=True)
        answers: list[dict[str, Any]] = [json.loads(line) for line in done.output.splitlines()]
        return {(volume.name, offset): Read(answer["errno"], answer["contents"])
                for (volume, offset), answer in zip(wanted, answers, strict=True)}

    def swap(self, pv: str, table: str) -> None:
        """Replaces the device-mapper table below a PV, as suddenly as a disk fails."""
        self.shell(f"dmsetup suspend --noflush --nolockfs {pv} && "
                   f"dmsetup load {pv} --table '{table}' && dmsetup resume {pv}", timeout=60)

    def cut_power(self) -> None:
        """First writes the root file system, which has no journal, to its disk, because it is not
        under test. Returns when LVM has activated the volumes, which on a busy host takes longer
        than the boot."""
        self.shell("sync -f /")
        self.machine.cut_power()
        # Volumes that stay inactive are a finding of the round.
        self.try_shell(_AWAIT_ACTIVE)

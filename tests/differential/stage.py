"""Both daemons in one VM, on equal volume groups, and a client that calls both."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass

from tools.vm import Machine

from .compare import Answer, Volumes, volumes_of
from .steps import SIDES, Step, for_side, short_names

# With emulation, while another VM runs.
_SLOW_SECONDS = 600
_CALL_SECONDS = 150
# lvmd detects changes by hand within a second [P-RUN-3].
_SEEN_SECONDS = 1.2
_SOCKETS = {"peer": "/run/topolvm-peer/lvmd.sock", "ours": "/run/topolvm/lvmd.sock"}
_CONFIGS = {"peer": "/etc/topolvm-peer/lvmd.yaml", "ours": "/etc/topolvm/lvmd.yaml"}
_DISKS = {"peer": ("data0", "data2", "data4"), "ours": ("data1", "data3", "data5")}
# The pool `other` belongs to no class.
_GROUPS = """
set -e
vgcreate -q vg_a /dev/disk/by-id/virtio-{0}
vgcreate -q vg_b /dev/disk/by-id/virtio-{1} /dev/disk/by-id/virtio-{2}
lvcreate -q -y --type thin-pool -L 1G -n pool vg_a
lvcreate -q -y --type thin-pool -L 64M -n other vg_a
lvcreate -q -y --type thin-pool -L 512M -n pool2 vg_b
"""
_CONFIG = """\
socket-name: {socket}
device-classes:
  - {{name: thick, volume-group: vg_a, default: true, spare-gb: 1}}
  - name: thin
    volume-group: vg_a
    type: thin
    spare-gb: 1
    thin-pool: {{name: pool, overprovision-ratio: 3.0}}
  - {{name: striped, volume-group: vg_b, spare-gb: 0, stripe: 2, stripe-size: "64"}}
  - name: thin2
    volume-group: vg_b
    type: thin
    spare-gb: 0
    stripe: 2
    thin-pool: {{name: pool2, overprovision-ratio: 1.0}}
lvcreate-option-classes:
  - {{name: linear, options: ["--type=linear"]}}
"""
_START = """
set -e
systemctl start lvmd.socket lvmd.service
systemd-run --quiet --service-type=exec --unit=topolvm-lvmd \
  --property=RuntimeDirectory=topolvm-peer \
  /mnt/topolvm-lvmd --config /etc/topolvm-peer/lvmd.yaml --metrics-bind-address=
mkdir /run/differential && cd /run/differential && mkfifo calls answers
setsid /usr/lib/lvmd/tests/diff-client <>calls 1<>answers 2>errors &
until [ -S /run/topolvm-peer/lvmd.sock ]; do sleep 0.1; done
"""
_ASK = """
cd /run/differential && cat >calls
timeout {seconds} head -n 1 answers || { cat errors >&2; exit 1; }
"""
_REPORT = ("lvs --reportformat json --units b --nosuffix -o vg_name,vg_free,lv_name,lv_size,"
           "lv_tags,lv_attr,pool_lv,origin,stripes 2>/dev/null")


@dataclass(frozen=True)
class Outcome:
    """The response of one side, and LVM's state of its groups after it."""

    answer: Answer
    volumes: Volumes


class Stage:
    """Starts both daemons in `machine`, which has TopoLVM's lvmd at /mnt/topolvm-lvmd."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        for side in SIDES:
            self._run(for_side(_GROUPS.format(*_DISKS[side]), side))
            config = for_side(_CONFIG.format(socket=_SOCKETS[side]), side)
            if side == "peer":
                config += "lvm-command-prefix: [/sbin/lvm]\n"
            machine.write_file(_CONFIGS[side], config.encode())
        self._run(_START)

    def play(self, step: Step) -> dict[str, Outcome]:
        """Makes the step's call to both daemons at the same time."""
        self._by_hand(step.before)
        if step.during:
            both = "\n".join(for_side(step.during, side) for side in SIDES)
            self._run(f"{{ sleep 1; {both}\n }} >/dev/null 2>&1 &")
        calls = [{"socket": _SOCKETS[side], "method": step.method,
                  "request": json.loads(for_side(json.dumps(step.request), side))}
                 for side in SIDES]
        output = self._run(_ASK.replace("{seconds}", str(_CALL_SECONDS)) + _REPORT,
                           json.dumps(calls).encode() + b"\n")
        answers, report = output.split("\n", 1)
        outcomes = {
            side: Outcome(
                Answer(told["code"], short_names(told["message"]),
                       json.loads(short_names(json.dumps(told.get("response", {}))))),
                {short_names(name): fields for name, fields in volumes_of(report).items()
                 if name.startswith(f"vg_{side}_")})
            for side, told in zip(SIDES, json.loads(answers), strict=True)
        }
        self._by_hand(step.after)
        return outcomes

    def align(self, commands: dict[str, list[str]]) -> None:
        """Runs commands (with short names) for each side, and waits until lvmd has detected the
        changes."""
        lines = [for_side(line, side) for side in SIDES for line in commands[side]]
        if lines:
            self._run("\n".join(["set -e", *lines, f"sleep {_SEEN_SECONDS}"]))

    def try_on_both(self, command: str) -> dict[str, str]:
        """The output of a command for each side. `$socket` is the daemon's socket; `$daemon` starts
        such a daemon with additional arguments."""
        daemons = {"peer": "/mnt/topolvm-lvmd --metrics-bind-address=", "ours": "/usr/sbin/lvmd"}
        return {
            side: short_names(self._run(
                f"socket={_SOCKETS[side]} daemon={shlex.quote(daemons[side])}\n"
                + for_side(command, side))).strip()
            for side in SIDES
        }

    def journal(self) -> str:
        return self._machine.run("journalctl --no-pager -n 60 -u lvmd -u topolvm-lvmd").output

    def _by_hand(self, command: str) -> None:
        if command:
            self.align({side: [command] for side in SIDES})

    def _run(self, command: str, data: bytes = b"") -> str:
        return self._machine.run(command, timeout=_SLOW_SECONDS, data=data, check=True).output

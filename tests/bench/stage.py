"""What is measured on: a volume group with a thin pool, and lvmd, ours or the peer, as a unit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.vm import Machine

from .samples import BenchError

# Seconds on a quiet host, many minutes on one that compiles at the same time.
_SLOW_SECONDS = 1200
_GROUP = """
set -e
vgcreate -q vg0 /dev/disk/by-id/virtio-data0
lvcreate -q -y --type thin-pool -L 2G -n pool0 vg0
for i in 1 2 3 4 5 6; do lvcreate -q -y -L 8M -n thick$i vg0; done
for i in 1 2 3 4 5; do lvcreate -q -y -V 8M -n thin$i --thinpool vg0/pool0; done
"""
_CONFIG = """\
socket-name: {socket}
device-classes:
  - {{name: ssd, volume-group: vg0, default: true, spare-gb: 0}}
  - name: thin
    volume-group: vg0
    type: thin
    spare-gb: 0
    thin-pool: {{name: pool0, overprovision-ratio: 100.0}}
"""
_PSS = """
set -eo pipefail
group=$(systemctl show --value --property ControlGroup {unit})
pids=$(find "/sys/fs/cgroup$group" -name cgroup.procs -exec cat {{}} +)
for pid in $pids; do awk '/^Pss:/ {{print $2}}' "/proc/$pid/smaps_rollup"; done
"""


@dataclass(frozen=True)
class Daemon:
    """One of the two: where its socket and configuration are, and how it is started."""

    label: str
    unit: str
    socket: str
    config: str
    config_extra: str
    start: str


OURS = Daemon(
    label="lvmd",
    unit="lvmd.service",
    socket="/run/topolvm/lvmd.sock",
    config="/etc/topolvm/lvmd.yaml",
    config_extra="",
    start="systemctl start lvmd.socket lvmd.service",
)
# Its program is on the shared disk. Without metrics, which nobody reads here.
PEER = Daemon(
    label="TopoLVM's lvmd",
    unit="topolvm-lvmd.service",
    socket="/run/topolvm-peer/lvmd.sock",
    config="/etc/topolvm-peer/lvmd.yaml",
    config_extra="lvm-command-prefix: [/sbin/lvm]\n",
    start="systemd-run --quiet --collect --service-type=exec --unit=topolvm-lvmd "
    "--property=RuntimeDirectory=topolvm-peer "
    "/mnt/topolvm-lvmd --config /etc/topolvm-peer/lvmd.yaml --metrics-bind-address=",
)


def make_group(machine: Machine) -> int:
    """Makes vg0 with pool0 and some volumes; returns how many LVs it has, the pool included."""
    machine.run(_GROUP, timeout=_SLOW_SECONDS, check=True)
    return count_volumes(machine)


def count_volumes(machine: Machine) -> int:
    return len(machine.run("lvs --noheadings -o lv_name vg0", check=True).output.split())


@contextmanager
def running(machine: Machine, daemon: Daemon) -> Iterator[None]:
    """Inside, the daemon serves vg0 alone; when it is left, it is stopped and udev is idle."""
    config = _CONFIG.format(socket=daemon.socket) + daemon.config_extra
    machine.write_file(daemon.config, config.encode())
    machine.run(f"udevadm settle && {daemon.start}", timeout=_SLOW_SECONDS, check=True)
    try:
        yield
    except Exception as error:
        journal = machine.run(f"journalctl --no-pager -n 40 -u {daemon.unit}").output
        raise BenchError(f"{error}\nthe journal of {daemon.unit} ends with:\n{journal}") from error
    machine.run(f"systemctl stop {daemon.unit} && udevadm settle", timeout=_SLOW_SECONDS,
                check=True)


def memory_kb(machine: Machine, daemon: Daemon) -> int:
    """PSS of all processes of the running daemon together, in kB (of 1024 bytes, as the kernel
    counts them)."""
    lines = machine.run(_PSS.format(unit=daemon.unit), check=True).output.split()
    if not lines:
        raise BenchError(f"{daemon.unit} has no process: its memory can't be read")
    return sum(int(line) for line in lines)

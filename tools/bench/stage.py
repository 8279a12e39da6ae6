"""The test bed: a volume group with a thin pool, and lvmd or TopoLVM's lvmd as a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tools.vm import Machine

from .programs import FOLDER
from .samples import BenchError

# A unit is at rest if it has used less than a fiftieth of one processor for this time. lvmd keeps
# free memory for a second after its last work. It works for some seconds after a change: it writes
# LVM's backups. And at most every five minutes it asks LVM which pools dmeventd monitors; that
# command of LVM needs 11 MB.
_REST_SECONDS = 3
_LONGEST_WORK_SECONDS = 120
# Takes seconds on a quiet host, and many minutes on one that compiles at the same time.
_SLOW_SECONDS = 1200
_GROUP = """
set -e
vgcreate -q --physicalextentsize {extent} --metadatasize {metadata} vg0 \\
  /dev/disk/by-id/virtio-data0
lvcreate -q -y --type thin-pool -L 2G -n pool0 vg0
for i in 1 2 3 4 5 6; do lvcreate -q -y -L 8M -n thick$i vg0; done
for i in 1 2 3 4 5; do lvcreate -q -y -V 8M -n thin$i --thinpool vg0/pool0; done
"""
# With extents of 4 MiB, LVM's default, more volumes of one extent do not fit on the disk beside the
# measured ones.
_MOST_LARGE = 1100
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
_OTHER_CLASS = "  - {name: other, volume-group: vg1, spare-gb: 0}\n"
# When the unit is at rest, a line for each of its processes: PSS and private dirty memory in kB.
_MEMORY = """
set -eo pipefail
group=$(systemctl show --value --property ControlGroup {unit})
micros() {{ awk '/^usage_usec/ {{print $2}}' "/sys/fs/cgroup$group/cpu.stat"; }}
deadline=$((SECONDS + {limit}))
while
  before=$(micros)
  sleep {rest}
  used=$(($(micros) - before))
  ((used >= {rest} * 20000))
do
  ((SECONDS < deadline)) || {{ echo "{unit} still works after {limit} s"; exit 1; }}
done
pids=$(find "/sys/fs/cgroup$group" -name cgroup.procs -exec cat {{}} +)
for pid in $pids; do
  awk '/^Pss:/ {{pss = $2}} /^Private_Dirty:/ {{dirty = $2}} END {{print pss, dirty}}' \\
    "/proc/$pid/smaps_rollup"
done
"""


@dataclass(frozen=True)
class Daemon:
    """One of the two daemons: its socket, its configuration and its start."""

    label: str
    unit: str
    socket: str
    config: str
    config_extra: str
    start: str
    sockets: str = ""
    """Units that are stopped with it. lvmd.socket stays."""


OURS = Daemon(
    label="lvmd",
    unit="lvmd.service",
    socket="/run/topolvm/lvmd.sock",
    config="/etc/topolvm/lvmd.yaml",
    config_extra="",
    start="systemctl start lvmd.socket lvmd.service",
)
# With a second class, on vg1.
OURS_ON_TWO = replace(OURS, config_extra=_OTHER_CLASS)
# With the CSI driver's sockets, as on a node of a cluster.
OURS_WITH_CSI = replace(OURS, config_extra="csi: {}\n",
                        start="systemctl start lvmd.socket lvmd-csi.socket lvmd.service",
                        sockets="lvmd-csi.socket")
# restic by hand uses all processors.
OURS_TRANSFERRING = replace(OURS, config_extra="transfers: {cpu-percent: 200}\n")
# Its program is on the shared disk. Without metrics, which are not read here.
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


def make_group(machine: Machine, volumes: int = 0) -> int:
    """Creates vg0 with pool0 and some volumes. Returns the number of its LVs, including the pool.
    The extents and the space for metadata are sufficient to grow it to `volumes`."""
    extent, metadata = ("4m", "16m") if volumes <= _MOST_LARGE else ("512k", "64m")
    machine.run(_GROUP.format(extent=extent, metadata=metadata), timeout=_SLOW_SECONDS, check=True)
    return count_volumes(machine)


def group_of(machine: Machine, volumes: int, activate: bool) -> int:
    """Creates vg0, or grows it, until it has `volumes` LVs, and returns their number. The numbers of
    successive calls must rise. LVM's archive of the metadata is empty then: beyond 128 MiB, reports
    of LVM contain a line that TopoLVM's lvmd cannot parse."""
    exists = machine.run("vgs vg0").exit_code == 0
    if exists and volumes > _MOST_LARGE:
        machine.run("vgremove -q -f -y vg0", timeout=_SLOW_SECONDS, check=True)
    if not exists or volumes > _MOST_LARGE:
        make_group(machine, volumes)
    grown = grow_group(machine, volumes, activate)
    machine.run("find /etc/lvm/archive -name 'vg0_*.vg' -delete", check=True)
    return grown


def grow_group(machine: Machine, volumes: int, activate: bool) -> int:
    """Adds thick volumes of one extent until vg0 has `volumes` LVs. Returns their number. They are
    inactive, or all volumes of the group are activated.

    They are written into a backup of the metadata, which is restored: a thousand lvcreates would
    take longer than all measurements.
    """
    missing = volumes - count_volumes(machine)
    if missing > 0:
        # Separately, because LVM's warnings are not part of the text.
        machine.run("vgcfgbackup -q -f /root/vg0.text vg0", check=True)
        text = machine.run("cat /root/vg0.text", check=True).output
        machine.write_file("/root/vg0.text", with_copies(text, "thick1", missing).encode())
        machine.run("vgcfgrestore -q --force -y -f /root/vg0.text vg0", timeout=_SLOW_SECONDS,
                    check=True)
        if activate:
            machine.run("vgchange -q -ay vg0 && udevadm settle -t 600", timeout=_SLOW_SECONDS,
                        check=True)
    return count_volumes(machine)


def with_copies(text: str, name: str, count: int) -> str:
    """The metadata text with `count` copies of the linear volume `name`, of one extent each, on the
    last extents of its PV, from the end backwards. Raises BenchError if the text has another
    form."""
    section = re.search(rf"\t\t{name} {{\n.*?\n\t\t}}\n", text, re.DOTALL)
    extents = re.search(r"pe_count = (\d+)", text)
    if section is None or extents is None:
        raise BenchError(f"the metadata of the group has no volume {name}, or no PV:\n{text[:400]}")
    copies = []
    for number in range(1, count + 1):
        copy = section[0].replace(f"{name} {{", f"many{number:04} {{", 1)
        copy = re.sub(r'(id = "[^"]*)[^"]{6}"', rf'\g<1>{number:06}"', copy, count=1)
        copy = re.sub(r"extent_count = \d+", "extent_count = 1", copy)
        copy = re.sub(r'"pv0", \d+', f'"pv0", {int(extents[1]) - number}', copy)
        copies.append(copy)
    return text[:section.end()] + "".join(copies) + text[section.end():]


def count_volumes(machine: Machine) -> int:
    """The number of LVs of vg0. Only the last word counts, because LVM may print warnings before
    it."""
    done = machine.run("set -o pipefail; lvs --noheadings -o lv_name vg0 | wc -l", check=True)
    return int(done.output.split()[-1])


@contextmanager
def running(machine: Machine, daemon: Daemon) -> Iterator[None]:
    """In the context, the daemon serves vg0 alone. At its end the daemon is stopped and udev is
    idle."""
    config = _CONFIG.format(socket=daemon.socket) + daemon.config_extra
    machine.write_file(daemon.config, config.encode())
    machine.run(f"udevadm settle && {daemon.start}", timeout=_SLOW_SECONDS, check=True)
    try:
        yield
    except Exception as error:
        raise BenchError(f"{error}\n{_journal(machine, daemon.unit)}") from error
    machine.run(f"systemctl stop {daemon.sockets} {daemon.unit} && udevadm settle",
                timeout=_SLOW_SECONDS, check=True)


def _journal(machine: Machine, unit: str) -> str:
    journal = machine.run(f"journalctl --no-pager -n 40 -u {unit}").output
    return f"the journal of {unit} ends with:\n{journal}"


@dataclass(frozen=True)
class Memory:
    """The memory of all processes of a unit together, in kB (of 1024 bytes, as in the kernel)."""

    pss_kb: int
    private_dirty_kb: int


def memory(machine: Machine, daemon: Daemon) -> Memory:
    """The memory of the running daemon at rest."""
    return memory_of(machine, daemon.unit)


def memory_of(machine: Machine, unit: str) -> Memory:
    """The memory of a running unit at rest. Raises an error if it works on for two minutes."""
    script = _MEMORY.format(unit=unit, rest=_REST_SECONDS, limit=_LONGEST_WORK_SECONDS)
    lines = machine.run(script, timeout=_SLOW_SECONDS, check=True).output.splitlines()
    if not lines:
        raise BenchError(f"{unit} has no process: its memory can't be read")
    processes = [tuple(int(word) for word in line.split()) for line in lines]
    return Memory(sum(pss for pss, _ in processes), sum(dirty for _, dirty in processes))


@contextmanager
def bare_server(machine: Machine, copied: Daemon | None = None) -> Iterator[str]:
    """In the context, bench-bare serves at the given socket. Its list is that of the daemon, which
    must have answered before, or empty."""
    socket = "/run/bench-bare.sock"
    copy = f"--copy {copied.socket}" if copied else ""
    machine.run("systemd-run --quiet --collect --service-type=exec --unit=bench-bare "
                f"{FOLDER}/bench-bare --listen {socket} {copy}", check=True)
    try:
        yield socket
    except Exception as error:
        raise BenchError(f"{error}\n{_journal(machine, 'bench-bare')}") from error
    machine.run("systemctl stop bench-bare", check=True)

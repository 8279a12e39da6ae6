"""The activity of lvmd without requests: new processes, LVM commands, processor time."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.vm import Machine

from .samples import BenchError

# LVM creates and deletes a file there for each lock that it takes, for any program.
_LOCKS = "/run/lock/lvm"
# The kernel reports every new process or thread and every program that is started.
_WATCH = """
set -eo pipefail
trace=/sys/kernel/tracing
mountpoint -q $trace || mount -t tracefs tracefs $trace
group=/sys/fs/cgroup$(systemctl show --value --property ControlGroup lvmd.service)
micros() {{ awk '/^usage_usec/ {{print $2}}' "$group/cpu.stat"; }}
locks() {{ stat -c %y {locks}; }}
enable() {{ for event in fork exec; do echo $1 >$trace/events/sched/sched_process_$event/enable; done; }}

before=$(locks)
vgs >/dev/null
[[ $(locks) != "$before" ]] || {{ echo "a command of LVM leaves {locks} as it was"; exit 1; }}

threads=$(find "$group" -name cgroup.threads -exec cat {{}} + | xargs)
echo >$trace/trace
enable 1
used=$(micros)
before=$(locks)
sleep {seconds}
after=$(locks)
used=$(($(micros) - used))
enable 0
echo "threads: $threads"
echo "microseconds: $used"
[[ $after == "$before" ]] && echo "locks: none" || echo "locks: taken"
cat $trace/trace
"""
_FORK = re.compile(r"sched_process_fork: comm=.* pid=(\d+) child_comm=(.*) child_pid=(\d+)$")
_EXEC = re.compile(r"sched_process_exec: filename=(\S+) ")
_WRITTEN = re.compile(r"entries-in-buffer/entries-written: (\d+)/(\d+)")
_LVM = re.compile(r"(lvm|(lv|vg|pv)[a-z]+)$")


@dataclass(frozen=True)
class Idle:
    """For lvmd's unit, except the LVM commands: those are counted for the whole VM."""

    seconds: int
    forks: int
    lvm_commands: bool
    processor_percent: float


def watch(machine: Machine, seconds: int) -> Idle:
    """The activity in this number of seconds. Raises BenchError if it can't be measured."""
    # Waits until the effects of the last change have ended.
    machine.run("udevadm settle && sleep 10", timeout=600, check=True)
    script = _WATCH.format(locks=_LOCKS, seconds=seconds)
    return parse(machine.run(script, timeout=seconds + 300, check=True).output, seconds)


def parse(output: str, seconds: int) -> Idle:
    """Parses the script's output. A thread counts as a fork; one that lvmd's children create counts
    as lvmd's."""
    told = dict(re.findall(r"^(threads|microseconds|locks): (.*)$", output, re.MULTILINE))
    written = _WRITTEN.search(output)
    if len(told) != 3 or written is None:
        raise BenchError(f"unexpected output of the script that watches the idle lvmd:\n{output[:2000]}")
    if written[1] != written[2]:
        raise BenchError(f"the kernel's trace was too long: {written[1]} of {written[2]} entries")
    family, forks, events = set(told["threads"].split()), 0, 0
    for line in output.splitlines():
        if fork := _FORK.search(line):
            events += 1
            if fork[1] in family:
                family.add(fork[3])
                forks += 1
    if events == 0:
        raise BenchError("the kernel's trace has no process at all, not even the watching one")
    programs = [name.rsplit("/", 1)[-1] for name in _EXEC.findall(output)]
    return Idle(seconds=seconds, forks=forks,
                lvm_commands=told["locks"] != "none" or any(map(_LVM.match, programs)),
                processor_percent=int(told["microseconds"]) / 1e4 / seconds)

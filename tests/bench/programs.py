"""Runs the measuring programs in the VM and reads what they print."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from statistics import median

from tests.vm import Machine

from .samples import BenchError, Samples, parse_line

_FOLDER = "/usr/lib/lvmd/bench"
# The peer needs up to 13 s for one call of each kind; a busy host makes that several times more.
_SECONDS_PER_CALL = 120


def bench_floor(machine: Machine, calls: int, report: Callable[[str], None]) -> Samples:
    """Times of each change by the LVM library alone, on vg0 and pool0."""
    return _run(machine, ["bench-floor", "--volume-group", "vg0", "--pool", "pool0"], calls, report)


def bench_client(machine: Machine, socket: str, calls: int,
                 report: Callable[[str], None]) -> Samples:
    """Times of the nine calls, asked of the daemon at `socket`."""
    return _run(machine, ["bench-client", "--socket", socket], calls, report)


def bench_empty(machine: Machine, socket: str, calls: int,
                report: Callable[[str], None]) -> Samples:
    """Times of a call that does nothing."""
    return _run(machine, ["bench-client", "--socket", socket, "--empty"], calls, report)


def _run(machine: Machine, words: list[str], calls: int,
         report: Callable[[str], None]) -> Samples:
    command = shlex.join([f"{_FOLDER}/{words[0]}", *words[1:], "--calls", str(calls)])
    unread = b""

    def take(data: bytes) -> None:
        nonlocal unread
        *lines, unread = (unread + data).split(b"\n")
        for line in lines:
            report(_told(line.decode(errors="replace")))

    done = machine.run(command, timeout=calls * _SECONDS_PER_CALL, on_output=take)
    if done.timed_out:
        raise BenchError(f"{words[0]} did not end within {calls * _SECONDS_PER_CALL} s")
    if done.exit_code != 0:
        raise BenchError(f"{command} ended with exit code {done.exit_code}:\n{done.output}")
    return dict(parse_line(line) for line in done.output.splitlines() if _has_times(line))


def _has_times(line: str) -> bool:
    """Libraries may warn on stderr, which comes along."""
    return line.startswith("{")


def _told(line: str) -> str:
    if not _has_times(line):
        return line
    try:
        call, times = parse_line(line)
    except BenchError:  # told when the program has ended
        return line
    return f"{call}: p50 {median(times):.1f} ms"

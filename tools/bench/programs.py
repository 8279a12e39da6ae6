"""Runs the measuring programs in the VM and parses their output."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from tools.vm import Machine

from .samples import BenchError, Samples, parse_line

Report = Callable[[str], None]

FOLDER = "/usr/lib/lvmd/bench"
# The limit of one run of a program. The longest takes a third of it on a quiet host without KVM.
_LIMIT_SECONDS = 45 * 60
# Runs each in the background with its output in a file. Fails if one of them fails.
_AT_ONCE = """
pids=()
{starts}
failed=0
for pid in "${{pids[@]}}"; do wait "$pid" || failed=1; done
cat {files}
exit $failed
"""


def bench_floor(machine: Machine, calls: int, report: Report) -> Samples:
    """The times of each change with the LVM library alone, on vg0 and pool0."""
    words = ["bench-floor", "--volume-group", "vg0", "--pool", "pool0", "--calls", str(calls)]
    return _run(machine, words, report)


def bench_client(machine: Machine, socket: str, report: Report, *, reads: int = 0,
                 changes: int = 0, bare: str = "") -> Samples:
    """The times of the four calls that change nothing and of the five that do, with this number of
    each, for the daemon at `socket`. With the socket of bench-bare, also those of gRPC alone."""
    words = ["bench-client", "--socket", socket, "--reads", str(reads), "--changes", str(changes)]
    return _run(machine, words + (["--bare", bare] if bare else []), report)


def bench_empty(machine: Machine, bare: str, calls: int, report: Report) -> Samples:
    """The times of a call of bench-bare that does nothing."""
    return _run(machine, ["bench-client", "--bare", bare, "--reads", str(calls)], report)


def bench_series(machine: Machine, socket: str, calls: int,
                 classes: Sequence[str]) -> list[list[float]]:
    """Creates this number of volumes of one extent in each class, which stay. One client for each
    class, all at the same time. Returns the milliseconds of each volume, by class."""
    return _at_once(machine, calls, {
        name: ["bench-client", "--socket", socket, "--series", str(calls), "--thick", name]
        for name in classes})


def floor_series(machine: Machine, calls: int, groups: Sequence[str]) -> list[list[float]]:
    """The same with the LVM library alone, with one process for each group."""
    return _at_once(machine, calls, {
        name: ["bench-floor", "--volume-group", name, "--series", str(calls)] for name in groups})


def _at_once(machine: Machine, calls: int,
             commands: Mapping[str, Sequence[str]]) -> list[list[float]]:
    """Runs all commands, each with a name, at the same time. Each reports `calls` times."""
    files = [f"/run/bench-series-{name}" for name in commands]
    starts = [f"{FOLDER}/{shlex.join(words)} >{file} 2>&1 & pids+=($!)"
              for words, file in zip(commands.values(), files, strict=True)]
    script = _AT_ONCE.format(starts="\n".join(starts), files=" ".join(files))
    done = machine.run(script, timeout=_LIMIT_SECONDS, check=True)
    times = [parse_line(line)[1] for line in done.output.splitlines() if _has_times(line)]
    if [len(taken) for taken in times] != [calls] * len(commands):
        raise BenchError(f"not {calls} times of each ({', '.join(commands)}):\n{done.output}")
    return times


def _run(machine: Machine, words: list[str], report: Report) -> Samples:
    command = shlex.join([f"{FOLDER}/{words[0]}", *words[1:]])
    unread = b""

    def take(data: bytes) -> None:
        nonlocal unread
        *lines, unread = (unread + data).split(b"\n")
        for line in lines:
            report(_told(line.decode(errors="replace")))

    done = machine.run(command, timeout=_LIMIT_SECONDS, on_output=take)
    if done.timed_out:
        raise BenchError(f"{command} did not end within {_LIMIT_SECONDS // 60} minutes")
    if done.exit_code != 0:
        raise BenchError(f"{command} ended with exit code {done.exit_code}:\n{done.output}")
    return dict(parse_line(line) for line in done.output.splitlines() if _has_times(line))


def _has_times(line: str) -> bool:
    """Libraries may print warnings to stderr, which is included."""
    return line.startswith("{")


def _told(line: str) -> str:
    if not _has_times(line):
        return line
    try:
        call, times = parse_line(line)
    except BenchError:  # reported when the program has ended
        return line
    return f"{call}: p50 {median(times):.1f} ms"

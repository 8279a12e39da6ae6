"""`./dev bench peer`: lvmd, TopoLVM's lvmd, and the LVM library alone, on the same volume group in
one VM."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tools.dev.errors import DevError
from tools.dev.progress import Progress
from tools.dev.vm_session import go_program
from tools.vm import Machine

from . import floor, programs, report, stage
from .bench_vm import bench_vm
from .options import Options
from .run import Run
from .samples import BenchError, Samples, joined

PEER, OURS, FLOOR = "TopoLVM's lvmd", "lvmd", "the LVM library"
# Each is measured early and late, so that a change of the host's speed favours none.
_ORDER = (PEER, FLOOR, OURS, OURS, FLOOR, PEER)
# lvmd's reads take about a millisecond, so many calls are cheap and more exact.
_OUR_READS = 200
# TopoLVM's lvmd needs 20 s for one call of each kind with 12 volumes, and 40 s with 1,010, so it gets
# fewer calls. With thousands of volumes, each call takes many seconds, also lvmd's.
_PEER_SHARE = 0.4
_HUGE_VOLUMES = 5000
_MOST_HUGE_CALLS = 3
_FEWEST_CALLS = 2


def run(progress: Progress, output: Path, options: Options) -> int:
    """Measures in a separate VM, including the floor, with each of these numbers of volumes in the
    group in turn. Prints the tables. Writes floor.json, and peer-VOLUMES.json for each number of
    volumes, into `output`."""
    share = go_program("topolvm-lvmd", progress).parent
    with bench_vm(progress, share=share) as machine:
        try:
            measure(machine, options, progress, output)
        except BenchError as error:
            raise DevError(str(error)) from error
    return 0


def measure(machine: Machine, options: Options, progress: Progress, output: Path) -> None:
    """The same in a running VM. TopoLVM's lvmd must be at /mnt/topolvm-lvmd."""
    rounds: list[tuple[int, Samples]] = []
    for size in sorted(options.volumes):
        told = Run(f"./dev bench peer {replace(options, volumes=(size,)).words()}")
        with progress.step(f"making a volume group with {size} volumes"):
            volumes = stage.group_of(machine, size, options.activate)
        taken = _round(machine, options.calls, volumes, progress)
        rounds.append((taken.volumes, taken.floor))
        # Written after each round, because a later one takes long and may fail.
        floor.show(rounds, output)
        stored = {"run": told.told(machine), **report.peer_report([taken])}
        (output / f"peer-{volumes}.json").write_text(json.dumps(stored, indent=2) + "\n",
                                                     encoding="utf-8")
        print(f"\n{report.peer_table(taken)}\n", flush=True)


def turns(calls: int, volumes: int) -> Iterator[tuple[str, int, int]]:
    """The servers in the order of their measurement, with the number of changes and of reads
    each."""
    begun = set()
    if volumes > _HUGE_VOLUMES:
        calls = min(calls, _MOST_HUGE_CALLS)
    for who in _ORDER:
        total = max(_FEWEST_CALLS, round(calls * _PEER_SHARE)) if who == PEER else calls
        changes = total // 2 if who in begun else (total + 1) // 2
        begun.add(who)
        yield who, changes, _OUR_READS // 2 if who == OURS else changes


def _round(machine: Machine, calls: int, volumes: int, progress: Progress) -> report.Round:
    times: dict[str, list[Samples]] = {who: [] for who in _ORDER}
    memory = {stage.OURS: 0, stage.PEER: 0}
    for number, (who, changes, reads) in enumerate(turns(calls, volumes), 1):
        label = f"{who}, {volumes} volumes (turn {number} of {len(_ORDER)})"

        def tell(text: str, label: str = label) -> None:
            progress(f"{label}: {text}")

        with progress.step(label):
            if who == FLOOR:
                times[who].append(programs.bench_floor(machine, changes, tell))
            else:
                daemon = stage.OURS if who == OURS else stage.PEER
                with stage.running(machine, daemon):
                    if who == OURS:
                        times[who].append(_ours(machine, reads, changes, tell))
                    else:
                        times[who].append(programs.bench_client(
                            machine, daemon.socket, tell, reads=reads, changes=changes))
                    # The memory after its growth counts.
                    memory[daemon] = max(memory[daemon], stage.memory(machine, daemon).pss_kb)
        left = stage.count_volumes(machine)
        if left != volumes:
            raise BenchError(f"{label} left {left} volumes of {volumes}: later times would be of "
                             "another group")
    ours = joined(times[OURS])
    bare = {call: ours.pop(call) for call in (report.EMPTY, report.SAME_BYTES)}
    return report.Round(volumes=volumes, ours=ours, peer=joined(times[PEER]),
                        floor=joined(times[FLOOR]) | bare,
                        ours_kb=memory[stage.OURS], peer_kb=memory[stage.PEER])


def _ours(machine: Machine, reads: int, changes: int, tell: programs.Report) -> Samples:
    """lvmd beside gRPC alone; they take turns."""
    socket = stage.OURS.socket
    programs.bench_client(machine, socket, lambda text: None, reads=1)  # until it answers
    with stage.bare_server(machine, copied=stage.OURS) as bare:
        samples = programs.bench_client(machine, socket, tell, reads=reads, bare=bare)
    return samples | programs.bench_client(machine, socket, tell, changes=changes)

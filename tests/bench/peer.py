"""`./dev bench peer`: our lvmd and TopoLVM's, on the same volume group in one VM."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.devtool.errors import DevError
from tests.support.devtool.progress import Progress
from tests.support.devtool.vm_session import go_program, installed_vm
from tests.vm import Machine

from . import floor, programs, report, stage
from .samples import BenchError, Samples, joined

# Each comes early and late, so that a host that becomes slower or faster favours neither.
_TURNS = (stage.PEER, stage.OURS, stage.OURS, stage.PEER)


def run(progress: Progress, output: Path, calls: int) -> int:
    """Measures in a VM of its own, the floor too, prints the tables and writes floor.json and
    peer.json into `output`."""
    share = go_program("topolvm-lvmd", progress).parent
    with installed_vm(progress, share=share) as machine:
        try:
            measure(machine, calls, progress, output)
        except BenchError as error:
            raise DevError(str(error)) from error
    return 0


def measure(machine: Machine, calls: int, progress: Progress, output: Path) -> None:
    """The same in a VM that is there; TopoLVM's lvmd must be at /mnt/topolvm-lvmd."""
    with progress.step("making the volume group"):
        volumes = stage.make_group(machine)
    floors = floor.measure(machine, calls, progress)
    floor.show(floors, volumes, output)

    times: dict[stage.Daemon, list[Samples]] = {stage.OURS: [], stage.PEER: []}
    memory: dict[stage.Daemon, int] = {stage.OURS: 0, stage.PEER: 0}
    for number, daemon in enumerate(_TURNS):
        first_half = not times[daemon]
        turn_calls = (calls + 1) // 2 if first_half else calls // 2
        label = f"{daemon.label} (turn {number + 1} of {len(_TURNS)})"
        with progress.step(label), stage.running(machine, daemon):
            times[daemon].append(
                programs.bench_client(machine, daemon.socket, turn_calls,
                                      lambda text, label=label: progress(f"{label}: {text}")))
            # What it needs is what it grows to.
            memory[daemon] = max(memory[daemon], stage.memory_kb(machine, daemon))
        left = stage.count_volumes(machine)
        if left != volumes:
            raise BenchError(f"{label} left {left} volumes of {volumes}: later times would be of "
                             "another group")

    ours, peer = joined(times[stage.OURS]), joined(times[stage.PEER])
    stored = report.peer_report(ours, peer, floors, volumes,
                                {"ours": memory[stage.OURS], "peer": memory[stage.PEER]})
    (output / "peer.json").write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
    print(f"\n{report.peer_table(stored, ours, peer)}\n", flush=True)

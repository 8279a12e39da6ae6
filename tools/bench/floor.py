"""`./dev bench floor`: lower limits of lvmd's times on this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tools.dev.errors import DevError
from tools.dev.progress import Progress

from . import programs, report, stage
from .bench_vm import bench_vm
from .options import Options
from .samples import BenchError, Samples

# An empty call takes a fraction of a millisecond, so many calls are cheap and more exact.
_EMPTY_CALLS = 200


def run(progress: Progress, output: Path, options: Options) -> int:
    """Measures in a separate VM, with each of these numbers of volumes in the group in turn. Prints
    the tables and writes floor.json into `output`."""
    rounds: list[tuple[int, Samples]] = []
    with bench_vm(progress) as machine:
        try:
            for size in sorted(options.volumes):
                with progress.step(f"making a volume group with {size} volumes"):
                    count = stage.group_of(machine, size, options.activate)
                with progress.step("the LVM library alone"):
                    samples = programs.bench_floor(machine, options.calls, progress)
                with progress.step("a call that does nothing"), stage.bare_server(machine) as bare:
                    samples |= programs.bench_empty(machine, bare, _EMPTY_CALLS, progress)
                rounds.append((count, samples))
                show(rounds, output)
        except BenchError as error:
            raise DevError(str(error)) from error
    return 0


def show(rounds: Sequence[tuple[int, Samples]], output: Path) -> None:
    """Writes floor.json with all rounds (number of volumes, times), and prints the last one."""
    stored = report.floor_report(rounds)
    (output / "floor.json").write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
    volumes, floor = rounds[-1]
    print(f"\n{report.floor_table(floor, volumes)}\n", flush=True)

"""`./dev bench floor`: what no lvmd can be faster than, on this machine."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.devtool.errors import DevError
from tests.support.devtool.progress import Progress
from tests.support.devtool.vm_session import installed_vm
from tests.vm import Machine

from . import programs, report, stage
from .samples import BenchError, Samples

# An empty call takes a fraction of a millisecond: many cost nothing and say more.
_EMPTY_CALLS = 200


def run(progress: Progress, output: Path, calls: int) -> int:
    """Measures in a VM of its own, prints the table and writes floor.json into `output`."""
    with installed_vm(progress) as machine:
        try:
            with progress.step("making the volume group"):
                volumes = stage.make_group(machine)
            show(measure(machine, calls, progress), volumes, output)
        except BenchError as error:
            raise DevError(str(error)) from error
    return 0


def measure(machine: Machine, calls: int, progress: Progress) -> Samples:
    """The floor of each change and of a call; the VM must have vg0 (stage.make_group)."""
    with progress.step("floor: the LVM library"):
        samples = programs.bench_floor(machine, calls, lambda text: progress(f"floor: {text}"))
    with progress.step("floor: a call that does nothing"), stage.running(machine, stage.OURS):
        samples |= programs.bench_empty(machine, stage.OURS.socket, _EMPTY_CALLS,
                                        lambda text: progress(f"floor: {text}"))
    return samples


def show(floor: Samples, volumes: int, output: Path) -> None:
    """Prints the table and writes floor.json."""
    stored = report.floor_report(floor, volumes)
    (output / "floor.json").write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
    print(f"\n{report.floor_table(floor, volumes)}\n", flush=True)

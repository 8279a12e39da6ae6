"""`./dev bench transfer`: backup and restore with lvmd, beside restic by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.dev.errors import DevError
from tools.dev.progress import Progress
from tests.system.calls.grpc_call import CallError
from tools.vm import CommandFailed, Machine

from . import stage, transfer_report
from .bench_vm import bench_vm
from .options import Options
from .report import table
from .run import Run
from .samples import BenchError
from .transfer_report import AGAIN, BACKUP, OURS, PLAIN, RESTORE, STEPS
from .transfer_stage import PlainRestic, Transfers, TransferStage


def run(progress: Progress, output: Path, options: Options) -> int:
    """Measures in a separate VM, prints the table and writes transfer.json into `output`."""
    told = Run(f"./dev bench transfer {options.transfer_words()}")
    stored: dict[str, Any] = {}
    with bench_vm(progress) as machine:
        try:
            for figures in _measure(machine, options, progress):
                stored = {**stored, **figures, "run": told.told(machine)}
                (output / "transfer.json").write_text(json.dumps(stored, indent=2) + "\n",
                                                      encoding="utf-8")
        except (BenchError, CallError, CommandFailed) as error:
            raise DevError(str(error)) from error
    print(f"\n{table('backup and restore', transfer_report.rows(stored))}\n", flush=True)
    return 0


def _measure(machine: Machine, options: Options, progress: Progress) -> Iterator[dict[str, Any]]:
    with progress.step("making the volume group and the disk of the repositories"):
        there = TransferStage(machine)
    with stage.running(machine, stage.OURS_TRANSFERRING):
        before = stage.memory(machine, stage.OURS_TRANSFERRING)
        size = options.megabytes * 1_000_000
        for kind, files in ((transfer_report.MANY, options.megabytes * 10),
                            (transfer_report.ONE, 1)):
            yield {kind: _of_kind(there, size, files, options.turns, progress)}
        yield {transfer_report.MEMORY: transfer_report.memory(
            before, stage.memory(machine, stage.OURS_TRANSFERRING))}


def _of_kind(there: TransferStage, size: int, files: int, turns: int,
             progress: Progress) -> dict[str, Any]:
    seconds: dict[str, dict[str, list[float]]] = {
        step: {OURS: [], PLAIN: []} for step in STEPS}
    named = transfer_report.name(size, files)
    with progress.step(f"{named}: writing {size // 1_000_000} MB"):
        there.make_source(size, files)
    for turn in range(turns):
        # A change of the host's speed favours neither.
        by_turns: list[tuple[str, Transfers | PlainRestic]] = [
            (OURS, Transfers(there, turn)), (PLAIN, PlainRestic(there, turn))]
        for name, storing in by_turns if turn % 2 == 0 else reversed(by_turns):
            with progress.step(f"{named}: turn {turn + 1} of {turns}, {name}"):
                there.make_repository(storing.repository)
                seconds[BACKUP][name].append(storing.backup("first"))
                seconds[RESTORE][name].append(storing.restore())
                seconds[AGAIN][name].append(storing.backup("second"))
                storing.forget()
    there.remove_source()
    return transfer_report.of_kind(size, files, seconds)

"""`./dev bench load`: lvmd with many calls, with two volume groups, and idle."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.dev.errors import DevError
from tools.dev.progress import Progress
from tools.vm import Machine

from . import idle, load_report, programs, stage, sustained
from .bench_vm import bench_vm
from .options import Options
from .report import table
from .run import Run
from .samples import BenchError

_SERIES = 1000
_IDLE_SECONDS = 600
_IDLE_VOLUMES = 100
_LIMIT_SECONDS = 20 * 60
# Ten parts of a thousand calls, of all nine kinds. Two more changes clean up.
_PARTS = 10
_READS = 249
_CHANGES = 1
_CALLS = 4 * _READS + 7 * _CHANGES
# Volume groups, and the class of each.
_CLASSES = {"vg0": "ssd", "vg1": "other"}
# A reconciler that is connected to lvmd and has no objects.
_RECONCILER = """
mkdir -p /run/bench/manifests
systemd-run --quiet --collect --unit=bench-reconciler lvmd-reconciler --node-name bench \\
  --lvmd-socket {socket} --manifests /run/bench/manifests --state-dir /run/bench/state
"""
_REMOVE_SERIES = "lvs --noheadings -o lv_full_name vg0 vg1 | grep bench_series | xargs lvremove -qfy"


def run(progress: Progress, output: Path, options: Options) -> int:
    """Measures in a separate VM, prints the table and writes load.json into `output`. `calls` is
    the number of new volumes of a group when two groups are compared with one, and of each kind of
    sustained changes. All other numbers are fixed."""
    told = Run(f"./dev bench load --calls {options.calls}")
    stored: dict[str, Any] = {}
    with bench_vm(progress) as machine:
        try:
            for figures in _measure(machine, options.calls, progress):
                # Written after each figure, because a later one takes long and may fail.
                stored = {**stored, **figures, "run": told.told(machine)}
                (output / "load.json").write_text(json.dumps(stored, indent=2) + "\n",
                                                  encoding="utf-8")
        except BenchError as error:
            raise DevError(str(error)) from error
    print(f"\n{table('lvmd alone', load_report.rows(stored))}\n", flush=True)
    return 0


def _measure(machine: Machine, calls: int, progress: Progress) -> Iterator[dict[str, Any]]:
    """The figures, in the order of their dependencies."""
    with progress.step("making the volume groups"):
        stage.make_group(machine)
        machine.run("vgcreate -q --metadatasize 16m vg1 /dev/disk/by-id/virtio-data1", check=True)
    with progress.step("one volume group, two in parallel"):
        yield {load_report.PARALLEL: _parallel(machine, calls)}
    with progress.step("sustained changes"):
        yield {load_report.SUSTAINED: _sustained(machine, calls)}
    with progress.step(f"idle for {_IDLE_SECONDS} s with {_IDLE_VOLUMES} volumes"):
        yield {load_report.IDLE: _idle(machine)}
    with stage.running(machine, stage.OURS):
        with progress.step(f"{_SERIES} volumes, one after the other"):
            [times] = programs.bench_series(machine, stage.OURS.socket, _SERIES, ("ssd",))
            yield {load_report.CREATES: load_report.creates(times)}
        yield _memory(machine, progress)


def _parallel(machine: Machine, calls: int) -> dict[str, float]:
    """Measures lvmd, then the library alone, which shows the limit of the machine."""
    with stage.running(machine, stage.OURS_ON_TWO):
        ours = _in_turns(machine, lambda groups: programs.bench_series(
            machine, stage.OURS.socket, calls, [_CLASSES[group] for group in groups]))
    library = _in_turns(machine, lambda groups: programs.floor_series(machine, calls, groups))
    return load_report.parallel(ours, library)


def _in_turns(machine: Machine,
              series: Callable[[Sequence[str]], list[list[float]]]) -> list[tuple[int, float]]:
    """One group, two, two, one: a change of the host's speed favours neither."""
    taken = []
    one, two = list(_CLASSES)[:1], list(_CLASSES)
    for groups in (one, two, two, one):
        taken.append((len(groups), max(sum(times) for times in series(groups))))
        _remove_series(machine)
    return taken


def _sustained(machine: Machine, calls: int) -> dict[str, float]:
    """lvmd, the library twice, lvmd: a change of the host's speed favours neither."""
    ours, library = [], []
    for turn in (ours, library, library, ours):
        if turn is library:
            turn.append(sustained.by_library(machine, calls))
            continue
        with stage.running(machine, stage.OURS):
            turn.append(sustained.by_lvmd(machine, stage.OURS.socket, calls))
    return load_report.sustained(ours, library)


def _idle(machine: Machine) -> dict[str, Any]:
    missing = _IDLE_VOLUMES - stage.count_volumes(machine)
    # In a run of lvmd before the idle one: up to five minutes after changes, the observer asks LVM
    # once whether dmeventd monitors the pools [P-HEALTH-9].
    with stage.running(machine, stage.OURS):
        programs.bench_series(machine, stage.OURS.socket, missing, ("ssd",))
    volumes = stage.count_volumes(machine)
    with stage.running(machine, stage.OURS_WITH_CSI):
        machine.run(_RECONCILER.format(socket=stage.OURS.socket), check=True)
        seen = idle.watch(machine, _IDLE_SECONDS)
        machine.run("systemctl stop bench-reconciler", check=True)
    _remove_series(machine)
    return {"volumes": volumes, **dataclasses.asdict(seen)}


def _memory(machine: Machine, progress: Progress) -> dict[str, Any]:
    volumes = stage.count_volumes(machine)
    samples = [stage.memory(machine, stage.OURS)]
    for part in range(1, _PARTS + 1):
        with progress.step(f"memory after {part * _CALLS} calls, {volumes} volumes"):
            programs.bench_client(machine, stage.OURS.socket, lambda text: None, reads=_READS,
                                  changes=_CHANGES)
            samples.append(stage.memory(machine, stage.OURS))
    return load_report.memory(volumes, _CALLS, samples)


def _remove_series(machine: Machine) -> None:
    machine.run(_REMOVE_SERIES, timeout=_LIMIT_SECONDS, check=True)

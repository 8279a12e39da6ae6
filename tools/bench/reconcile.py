"""`./dev bench reconcile`: the reconciler between a Kubernetes API and lvmd."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.dev.errors import DevError
from tools.dev.progress import Progress
from tools.go.build import GoToolsError
from tests.e2e.kube import KubeError

from . import reconcile_report, reconcile_stage
from .options import Options
from .reconcile_report import Stored
from .reconcile_stage import DEVICE_CLASS, NODE, ReconcileStage
from .report import table
from .run import Run
from .samples import BenchError
from .sightings import Sighting

_AT_ONCE = 100
# Foreign CRs belong to nodes without a reconciler. Each node has this number of them.
_OF_ONE_NODE = 100
_SIZE = "4Mi"
_IDLE_SECONDS = 60
# The work of the reconciler before its memory is measured again.
_WORK = 10
_RESTARTS = 3


def run(progress: Progress, output: Path, options: Options) -> int:
    """Measures in a separate VM, with a separate Kubernetes API on the host. Prints the table and
    writes reconcile.json into `output`."""
    told = Run(f"./dev bench reconcile {options.reconcile_words()}")
    stored: dict[str, Any] = {}
    try:
        with reconcile_stage.running(progress) as stage:
            for figures in _measure(stage, options, progress):
                # Written after each figure, because a later one takes long and may fail.
                stored = {**stored, **figures, "run": told.told(stage.machine)}
                (output / "reconcile.json").write_text(json.dumps(stored, indent=2) + "\n",
                                                       encoding="utf-8")
    except (BenchError, KubeError, GoToolsError) as error:
        raise DevError(str(error)) from error
    print(f"\n{table('lvmd-reconciler', reconcile_report.rows(stored))}\n", flush=True)
    return 0


def foreign_steps(most: int) -> list[int]:
    """The numbers of foreign CRs at successive starts."""
    return sorted({0, most // 4, most // 2, most})


def _measure(stage: ReconcileStage, options: Options,
             progress: Progress) -> Iterator[dict[str, Any]]:
    """The figures, in the order of their dependencies."""
    few, many, foreign = min(_AT_ONCE, options.own), options.own, options.foreign
    with progress.step("the first start"):
        # The first start also writes the node's capacity.
        stage.start()
        stage.settle()
        starts = [_start_anew(stage, 0, 0)]
    with progress.step(f"{options.creations} CRs, one after the other"):
        latency = _one_by_one(stage, options.creations, progress)
    yield {reconcile_report.LATENCY: latency}
    with progress.step(f"{few} CRs at once"):
        at_once = _at_once(stage, few, latency["create_ms"], progress)
    yield {reconcile_report.AT_ONCE: at_once}
    present = 0
    for count in foreign_steps(foreign):
        with progress.step(f"start with {few} own and {count} foreign CRs"):
            _add_foreign(stage, present, count, progress)
            present = count
            starts.append(_start_anew(stage, few, count))
    yield {reconcile_report.STARTS: reconcile_report.starts(starts)}
    with progress.step(f"idle for {_IDLE_SECONDS} s with {foreign} foreign CRs"):
        idle = _idle(stage, few, foreign)
    yield {reconcile_report.IDLE: idle}
    with progress.step(f"memory with {foreign} foreign CRs"):
        memory = _memory(stage, few, foreign, progress)
    yield {reconcile_report.MEMORY: memory}
    with progress.step(f"making CRs until {many} are this node's"):
        _create(stage, [f"own-{number:04}" for number in range(few, many)], progress)
    with progress.step(f"restart with {many} own CRs"):
        starts.append(_start_anew(stage, many, foreign))
        restart = _restart(stage, many, foreign, starts[-1], progress)
    yield {reconcile_report.STARTS: reconcile_report.starts(starts),
           reconcile_report.RESTART: restart}


def _start_anew(stage: ReconcileStage, own: int, foreign: int) -> dict[str, Any]:
    """Stops the reconciler when it is idle, and starts it without work."""
    stage.settle()
    stage.stop()
    requests, traffic = stage.api.requests(), stage.relay.counted()
    stage.start()
    stage.settle()
    return reconcile_report.start(own, foreign, stage.api.requests() - requests,
                                  stage.relay.counted() - traffic)


def _one_by_one(stage: ReconcileStage, count: int, progress: Progress) -> dict[str, Any]:
    """The time from before a creation is sent until the watch shows the volumeID. Removes all
    volumes afterwards."""
    names = [f"single-{number:04}" for number in range(count)]
    uids, totals = [], []
    with stage.watch() as watch:
        for name in names:
            begin = time.monotonic()
            uids.append(stage.api.create_volume(name, NODE, _SIZE, DEVICE_CLASS))
            [ready] = watch.wait([name], _ready, lambda text: None)
            totals.append((ready - begin) * 1000)
            progress.status(f"one after the other: {len(totals)} of {count}, {totals[-1]:.0f} ms")
    _remove(stage, names, progress)
    return reconcile_report.latency(totals, stage.create_calls(uids))


def _at_once(stage: ReconcileStage, count: int, alone: Sequence[float],
             progress: Progress) -> dict[str, Any]:
    """The time from before the first creation is sent until the watch shows the last volumeID."""
    stage.settle()  # events of earlier ones may still have to be written
    begin = time.monotonic()
    uids, ready = _create(stage, [f"own-{number:04}" for number in range(count)], progress)
    return reconcile_report.at_once((max(ready) - begin) * 1000, stage.create_calls(uids), alone)


def _idle(stage: ReconcileStage, own: int, foreign: int) -> dict[str, Any]:
    requests, traffic = stage.api.requests(), stage.relay.counted()
    time.sleep(_IDLE_SECONDS)
    return reconcile_report.idle(own, foreign, _IDLE_SECONDS, stage.api.requests() - requests,
                                 stage.relay.counted() - traffic)


def _memory(stage: ReconcileStage, own: int, foreign: int, progress: Progress) -> dict[str, Any]:
    """After the start and after work, because the memory after its growth counts."""
    samples = [stage.memory()]
    names = [f"work-{number:04}" for number in range(_WORK)]
    _create(stage, names, progress)
    samples.append(stage.memory())
    _remove(stage, names, progress)
    samples.append(stage.memory())
    return reconcile_report.memory(own, foreign, samples)


def _restart(stage: ReconcileStage, own: int, foreign: int, unchanged: Stored,
             progress: Progress) -> dict[str, Any]:
    """At each start, one CR is new. It was created while the reconciler was stopped."""
    first_writes, changed = [], []
    for number in range(_RESTARTS):
        stage.stop()
        name = f"new-{number:04}"
        with stage.watch() as watch:
            stage.api.create_volume(name, NODE, _SIZE, DEVICE_CLASS)
            requests = stage.api.requests()
            begin = time.monotonic()
            stage.start()
            [written] = watch.wait([name], _written, lambda text: None)
            watch.wait([name], _ready, lambda text: None)
        stage.settle()
        first_writes.append((written - begin) * 1000)
        changed.append(stage.api.requests() - requests)
        progress(f"restart {number + 1} of {_RESTARTS}: first write at {first_writes[-1]:.0f} ms")
    return reconcile_report.restart(own, foreign, unchanged["requests"], first_writes, changed)


def _create(stage: ReconcileStage, names: Sequence[str],
            progress: Progress) -> tuple[list[str], list[float]]:
    """Creates them as fast as one connection permits. Returns the UID of each, and the time of its
    volumeID."""
    with stage.watch() as watch:
        uids = [stage.api.create_volume(name, NODE, _SIZE, DEVICE_CLASS) for name in names]
        return uids, watch.wait(names, _ready,
                                lambda text: progress.status(f"volumes made: {text}"))


def _remove(stage: ReconcileStage, names: Sequence[str], progress: Progress) -> None:
    with stage.watch() as watch:
        for name in names:
            stage.api.delete_volume(name)
        watch.wait(names, _gone, lambda text: progress.status(f"volumes removed: {text}"))


def _add_foreign(stage: ReconcileStage, present: int, wanted: int, progress: Progress) -> None:
    for number in range(present, wanted):
        stage.api.create_volume(f"foreign-{number:05}", f"node-{number // _OF_ONE_NODE:03}", _SIZE,
                                DEVICE_CLASS)
        progress.status(f"foreign CRs made: {number + 1} of {wanted}")


def _written(seen: Sighting) -> float | None:
    return seen.written


def _ready(seen: Sighting) -> float | None:
    return seen.ready


def _gone(seen: Sighting) -> float | None:
    return seen.gone

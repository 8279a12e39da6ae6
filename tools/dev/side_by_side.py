"""Runs suites, those that have VMs of their own two at a time: one VM leaves a third of two processors
idle. Those that mostly wait run beside the two, one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from .joined_suite import JoinedSuite, run_part
from .progress import Progress
from .results import SuiteResult
from .suite import Choice, Suite, run_suite

# A VM's memory, what QEMU needs beside it, and the servers of its suite.
_MEMORY_OF_ONE = 5 << 30


def run_suites(
    suites: Sequence[Suite], choice: Choice, progress: Progress
) -> Iterator[SuiteResult]:
    """The suites' results, in their order. The parts of neighbours that are `side_by_side` run in
    any order, what may take longest first; every other suite runs alone."""
    waiting = list(suites)
    while waiting:
        together = _first_together(waiting)
        del waiting[: len(together)]
        if together:
            yield from _run_together(together, choice, progress)
        else:
            yield run_suite(waiting.pop(0), choice, progress)


def _first_together(suites: Sequence[Suite]) -> list[JoinedSuite]:
    together = []
    for suite in suites:
        if not isinstance(suite, JoinedSuite) or not suite.side_by_side:
            break
        together.append(suite)
    return together


def _run_together(
    suites: Sequence[JoinedSuite], choice: Choice, progress: Progress
) -> Iterator[SuiteResult]:
    parts = sorted((part for suite in suites for part in suite.parts), key=lambda part: -part.limit)
    waiting = {name for suite in suites for name in suite.waiting}
    running: dict[str, Future[SuiteResult]] = {}
    with (ThreadPoolExecutor(max_workers=lanes()) as pool,
          ThreadPoolExecutor(max_workers=1) as beside):
        for part in parts:
            lane = beside if part.name in waiting and _has_room_for(lanes() + 1) else pool
            running[part.name] = lane.submit(run_part, part, choice, progress)
        for suite in suites:
            yield suite.join([running[part.name].result() for part in suite.parts])


def lanes() -> int:
    """How many VMs run at once: two where there are processors and memory for them."""
    return 2 if len(os.sched_getaffinity(0)) > 1 and _has_room_for(2) else 1


def _has_room_for(vms: int) -> bool:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >= vms * _MEMORY_OF_ONE

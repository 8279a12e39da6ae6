"""A torture run: rounds until the time is over."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.vm import Machine

from . import faults_disks, faults_processes
from .fault import Fault
from .model import Model
from .plan import Planner
from .round import Round
from .stage import Stage
from .tally import Tally

ALL: dict[str, type[Fault]] = {
    fault.name: fault for fault in (*faults_processes.FAULTS, *faults_disks.FAULTS)}


class UnknownFault(Exception):
    """No kind of fault has such a name."""


@dataclass(frozen=True)
class Options:
    seed: str
    minutes: float
    """No round begins afterwards."""
    faults: tuple[type[Fault], ...]
    rounds: int | None = None


def chosen(words: str) -> tuple[type[Fault], ...]:
    """Kinds of faults by a list of names, or of what names begin with; all that are on for ""."""
    if not words:
        return tuple(fault for fault in ALL.values() if not fault.off)
    found: dict[str, type[Fault]] = {}
    for word in words.split(","):
        named = {name: fault for name, fault in ALL.items()
                 if name == word or name.startswith(f"{word}-")}
        if not named:
            raise UnknownFault(f"no fault is called '{word}'; there are: {', '.join(ALL)}")
        found |= named
    return tuple(found.values())


def run(machine: Machine, options: Options, report: Callable[[str], None]) -> Tally:
    """Rounds of one kind of fault each, in turns whose order the seed gives."""
    until = time.monotonic() + options.minutes * 60
    tally = Tally(options.seed)
    model = Model()
    stage = Stage(machine)
    one_round = Round(stage, model, Planner(options.seed), tally)
    order = random.Random(f"{options.seed}/order")
    waiting: list[type[Fault]] = []
    while time.monotonic() < until and tally.rounds != options.rounds:
        if not waiting:
            waiting = order.sample(options.faults, len(options.faults))
        fault = waiting.pop()
        begin = time.monotonic()
        found = one_round.run(tally.rounds + 1, fault)
        report(f"round {tally.rounds}: {fault.name}, {tally.operations} operations in all, "
               f"{time.monotonic() - begin:.0f} s, {len(found)} findings")
        for finding in found:
            report(f"  {finding.kind}: {finding.text}")
    return tally

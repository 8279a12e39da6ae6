"""A torture run: rounds until the time limit."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools.vm import CommandFailed, Machine

from . import faults_disks, faults_processes
from .fault import Fault
from .model import Finding, Model
from .plan import Planner
from .round import Round
from .stage import Stage
from .tally import Tally

ALL: dict[str, type[Fault]] = {
    fault.name: fault for fault in (*faults_processes.FAULTS, *faults_disks.FAULTS)}


class UnknownFault(Exception):
    """There is no kind of fault with this name."""


@dataclass(frozen=True)
class Options:
    seed: str
    minutes: float
    """No round begins after this time."""
    faults: tuple[type[Fault], ...]
    result: Path
    """The path of the result, which is written after each round. A round with findings also writes
    a file beside it."""
    rounds: int | None = None


def chosen(words: str) -> tuple[type[Fault], ...]:
    """The kinds of faults for a list of names or prefixes; for "", all that run by default."""
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


def least_tried(faults: tuple[type[Fault], ...], tally: Tally, order: random.Random) -> type[Fault]:
    """The kind that is furthest below its wanted count, so that the counts stay even in a run of
    any length."""
    def share(fault: type[Fault]) -> float:
        kind = tally.kinds.get(fault.name)
        return kind.injected / fault.wanted if kind else 0.0
    least = min(map(share, faults))
    return order.choice([fault for fault in faults if share(fault) == least])


def run(machine: Machine, options: Options, report: Callable[[str], None]) -> Tally:
    """Rounds of one kind of fault each. The kind with the fewest injections is first."""
    tally = Tally(options.seed)
    model = Model()
    stage = Stage(machine)
    report("the node is ready")
    until = time.monotonic() + options.minutes * 60
    one_round = Round(stage, model, Planner(options.seed), tally, options.result.parent)
    order = random.Random(f"{options.seed}/order")
    while time.monotonic() < until and tally.rounds != options.rounds:
        fault = least_tried(options.faults, tally, order)
        begin = time.monotonic()
        number = tally.rounds + 1
        try:
            found = one_round.run(number, fault)
        except CommandFailed as error:
            # The state of the node is unknown, so the run ends with the findings until now.
            found = [Finding("stuck", f"the round could not continue: {error}")]
            tally.rounds = number
            tally.add(tally.kinds[fault.name], fault.name, number, found)
            until = 0.0
        kind = tally.kinds[fault.name]
        report(f"round {tally.rounds}: {fault.name}, {kind.injected} so far; "
               f"{tally.operations} operations in all; {time.monotonic() - begin:.0f} s; "
               + tally.summary())
        tally.write(options.result)
        for finding in found:
            report(f"  {finding.kind}: {finding.text}")
    return tally

"""Executes steps, and compares the differences with the list of intended differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .compare import Volumes, answer_differences, state_differences
from .intended import Difference, Entry, covering
from .probes import Probe
from .stage import Outcome, Stage
from .steps import Step


@dataclass
class Judgement:
    """`wrong`: the differences that are not in the list, with their step. `seen`: the entries of
    the list that a step showed."""

    wrong: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)


def play(stage: Stage, steps: Iterable[Step], entries: Sequence[Entry]) -> Judgement:
    """Makes both sides equal after each step, so that each step is independent of the steps before
    it."""
    judgement = Judgement()
    before: Volumes | None = None
    for step in steps:
        outcomes = stage.play(step)
        judge(step, outcomes, before if not step.before else None, entries, judgement)
        commands = aligning(outcomes["peer"].volumes, outcomes["ours"].volumes)
        stage.align(commands)
        before = None if commands["ours"] or step.after else outcomes["ours"].volumes
    return judgement


def probe(stage: Stage, probes: Iterable[Probe], entries: Sequence[Entry],
          judgement: Judgement) -> None:
    """The same for the probes, which need no call."""
    for each in probes:
        said = stage.try_on_both(each.command)
        if said["peer"] != said["ours"]:
            _note(Difference(each.call, each.name, said["peer"], said["ours"]), each.name, entries,
                  judgement)


def judge(step: Step, outcomes: dict[str, Outcome], before: Volumes | None,
          entries: Sequence[Entry], judgement: Judgement) -> None:
    """`before`: LVM's state of lvmd's side before the call, if it is known."""
    topolvm, lvmd = outcomes["peer"], outcomes["ours"]
    found = answer_differences(step.method, topolvm.answer, lvmd.answer)
    # If the codes differ, LVM's states differ too. A call that lvmd refused must have changed
    # nothing.
    if topolvm.answer.code == lvmd.answer.code:
        found += state_differences(step.method, topolvm.volumes, lvmd.volumes)
    for difference in found:
        _note(difference, f"{step.name}, {step.request}", entries, judgement)
    if not lvmd.answer.ok and before is not None and lvmd.volumes != before:
        judgement.wrong.append(f"{step.name}: lvmd answered {lvmd.answer}, and LVM has changed: "
                               f"{before} became {lvmd.volumes}")


def _note(difference: Difference, step: str, entries: Sequence[Entry],
          judgement: Judgement) -> None:
    found = covering(entries, difference)
    judgement.seen.update(entry.id for entry in found)
    if not found:
        judgement.wrong.append(f"{step}: {difference}")


def aligning(topolvm: Volumes, lvmd: Volumes) -> dict[str, list[str]]:
    """The commands for each side that make the volumes of both sides equal again: they remove a
    volume that only one side has, and grow a smaller one."""
    commands: dict[str, list[str]] = {"peer": [], "ours": []}
    sides = {"peer": (topolvm, lvmd), "ours": (lvmd, topolvm)}
    for side, (own, others) in sides.items():
        alone = sorted(name for name in own.keys() - others.keys() if "/" in name)
        if alone:
            commands[side].append(f"lvremove -q -f -y {' '.join(alone)}")
        for name in sorted(own.keys() & others.keys()):
            if "/" in name and int(own[name]["size"]) < int(others[name]["size"]):
                commands[side].append(f"lvresize -q -y -L {others[name]['size']}b {name}")
    return commands

"""One round: requests beside one kind of fault, and then the comparison of states."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from pathlib import Path

from tools.vm import CommandFailed

from . import agreement
from .fault import Fault
from .health import Injection, judge
from .layout import EXTENT
from .model import Finding, Model, content_findings
from .plan import Planner
from .stage import Stage
from .tally import Kind, Tally

_PATIENCE_SECONDS = 150
"""The time after the last fault at which a repeated request without a final response counts as
stuck."""
_BUSY_ENTRIES = 5
_BUSY_SECONDS = 10
"""A fault waits for this number of entries in the client's journal, but not longer than the
limit."""
_GAP_SECONDS = (0.0, 1.5)
_HEALTH_SECONDS = 90
_LOOKS = 3
_BETWEEN_LOOKS_SECONDS = 2


class Round:
    def __init__(self, stage: Stage, model: Model, planner: Planner, tally: Tally,
                 folder: Path) -> None:
        """Writes a file into `folder` for each round with findings."""
        self._folder = folder
        self._stage = stage
        self._model = model
        self._planner = planner
        self._tally = tally

    def run(self, number: int, kind_of_fault: type[Fault]) -> list[Finding]:
        begin = self._stage.now()
        try:
            found = self._try(number, begin, kind_of_fault)
        except CommandFailed:
            # The node may not answer any more.
            with suppress(CommandFailed):
                self._write_evidence(number, begin)
            raise
        if found:
            self._write_evidence(number, begin)
        return found

    def _try(self, number: int, begin: int, kind_of_fault: type[Fault]) -> list[Finding]:
        chance = random.Random(f"{self._tally.seed}/fault/{number}")
        fault = kind_of_fault(self._stage, chance)
        kind = self._tally.kinds.setdefault(fault.name, Kind(fault.how))
        plan = self._planner.plan(number, self._model)
        self._stage.start_client(number, plan, _PATIENCE_SECONDS)
        spans = self._inject(number, fault, chance)
        found = self._end()
        ends = [begin for begin, _ in spans[1:]] + [self._stage.now()]
        injections = [Injection(begin, healed, until)
                      for (begin, healed), until in zip(spans, ends, strict=True)]
        journal = self._stage.journal(number)
        judge(kind, fault.told, injections, journal)
        for entry in journal:
            if "code" in entry:
                self._tally.answers[entry["code"]] += 1
                if entry["code"] == "INTERNAL":
                    self._tally.internal[entry["message"]] += 1
        found += self._model.replay(plan, journal)
        found += self._compare()
        kind.rounds += 1
        kind.injected += len(injections)
        self._tally.rounds += 1
        self._tally.operations, self._tally.requests = self._model.operations, self._model.requests
        self._tally.add(kind, fault.name, number, found)
        return found

    def _write_evidence(self, number: int, since: int) -> None:
        evidence = self._stage.evidence(number, since)
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"round-{number}.log").write_text(evidence, encoding="utf-8")

    def _inject(self, number: int, fault: Fault,
                chance: random.Random) -> list[tuple[int, int]]:
        """The times at which each fault began and was healed."""
        spans = []
        for _ in range(fault.times):
            self._stage.await_entries(number, _BUSY_ENTRIES, _BUSY_SECONDS)
            time.sleep(chance.uniform(*_GAP_SECONDS))
            begin = self._stage.now()
            try:
                fault.inject()
                time.sleep(chance.uniform(*fault.hold))
            finally:
                fault.heal()
            spans.append((begin, self._stage.now()))
            if fault.ends_client:
                self._stage.resume_client(number, _PATIENCE_SECONDS)
        self._stage.await_entries(number, _BUSY_ENTRIES, _BUSY_SECONDS)
        return spans

    def _end(self) -> list[Finding]:
        found = []
        said = self._stage.await_health(_HEALTH_SECONDS)
        if said:
            found.append(Finding("stuck", f"{_HEALTH_SECONDS} s after the last fault: {said}"))
        if not self._stage.end_client(_PATIENCE_SECONDS + 30):
            found.append(Finding("stuck", "the client did not end"))
            self._stage.kill_client()
        return found

    def _compare(self) -> list[Finding]:
        for _ in range(_LOOKS):
            # LVM, device-mapper and lvmd are read one after another, so a single difference can be
            # an error of timing.
            facts = self._stage.facts()
            found = agreement.findings(self._model, facts)
            if not found:
                break
            time.sleep(_BETWEEN_LOOKS_SECONDS)
        if facts.volumes:
            agreement.adopt(self._model, facts)
        present = self._model.present()
        for volume in present:
            # Drops the slots that only a refused growth would have made possible.
            volume.slots = {offset: blocks for offset, blocks in volume.slots.items()
                            if offset + EXTENT // 64 <= max(volume.sizes)}
        for (name, offset), read in self._stage.read(present).items():
            volume = self._model.volumes[name]
            if read.error:
                found.append(Finding("wrong", f"{volume.group}/{name} can't be read at {offset}: "
                                     f"errno {read.error}"))
            found += content_findings(volume, offset, read.contents)
        return found

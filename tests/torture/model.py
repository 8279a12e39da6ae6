"""The expected state, from requests and responses.

A request with the response OK has been executed. One with an error that excludes a change has
changed nothing. A request whose response was lost may have been executed or not, until the same
request gets a response.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .layout import BLOCK, CLASSES, SLOT, round_up

Operation = dict[str, Any]
Entry = dict[str, Any]

ZEROS = "zeros"
ANYTHING = "anything"
"""A thick volume may contain the former content of its extents."""


@dataclass(frozen=True)
class Finding:
    kind: str
    """lost, leaked, wrong or stuck."""
    text: str


@dataclass
class Volume:
    lane: int
    name: str
    device_class: str
    birth: str
    there: set[bool]
    sizes: set[int]
    source: str = ""
    access: str = "rw"
    slots: dict[int, set[str]] = field(default_factory=dict)
    """By offset: the possible contents of each block of the slot."""

    @property
    def surely_there(self) -> bool:
        return self.there == {True}

    @property
    def surely_gone(self) -> bool:
        return self.there == {False}

    @property
    def thin(self) -> bool:
        return CLASSES[self.device_class].thin

    @property
    def group(self) -> str:
        return CLASSES[self.device_class].group

    def at(self, offset: int) -> set[str]:
        return self.slots.setdefault(offset, {ZEROS if self.thin else ANYTHING})


@dataclass
class _Answers:
    """The outcome of one operation."""

    begun: bool = False
    ended: bool = False
    gave_up: bool = False
    final: list[Entry] = field(default_factory=list)
    doubtful: int = 0
    """Requests without a response, or without a final one."""

    def ok(self) -> list[Entry]:
        return [entry for entry in self.final if entry["code"] == "OK"]

    def refusals(self) -> list[Entry]:
        return [entry for entry in self.final if entry["code"] != "OK"]

    @property
    def only_doubt(self) -> bool:
        return not self.final


class Model:
    """All volumes that were ever requested. `replay` reads a round's journal."""

    def __init__(self) -> None:
        self.volumes: dict[str, Volume] = {}
        self.requests = 0
        self.operations = 0

    def replay(self, plan: Iterable[Operation], journal: Iterable[Entry]) -> list[Finding]:
        answers: dict[tuple[int, int], _Answers] = {}
        for entry in journal:
            if "lane" in entry:
                _take(answers.setdefault((entry["lane"], entry["op"]), _Answers()), entry)
        findings = []
        for operation in plan:
            found = answers.get((operation["lane"], operation["op"]))
            if found is None or not found.begun:
                continue
            self.operations += 1
            self.requests += len(found.final) + found.doubtful
            findings += getattr(self, f"_{operation['do']}")(operation, found)
            if found.gave_up:
                findings.append(Finding("stuck", f"{_words(operation)} got no final answer"))
        return findings

    def present(self) -> list[Volume]:
        return [volume for volume in self.volumes.values() if True in volume.there]

    def unsettled(self) -> list[Volume]:
        return [volume for volume in self.volumes.values()
                if len(volume.there) > 1 or (volume.surely_there and len(volume.sizes) > 1)]

    def _create(self, operation: Operation, answers: _Answers) -> Iterator[Finding]:
        size = round_up(operation["size"])
        yield from self._made(operation, answers, size, "", "rw", {})

    def _snapshot(self, operation: Operation, answers: _Answers) -> Iterator[Finding]:
        source = self.volumes.get(operation["source"])
        sizes = source.sizes if source else set()
        made = self.volumes.get(operation["name"])
        if made is None or not made.surely_there:
            gone = source is None or not source.surely_there
            smaller = 0 < operation["size"] < max(sizes, default=0)
            allowed = ("NOT_FOUND",) * gone + ("OUT_OF_RANGE",) * smaller
            known = [entry for entry in answers.final if entry["code"] in allowed]
            answers.final = [entry for entry in answers.final if entry not in known]
            if known and not answers.final:
                return
        size = round_up(operation["size"]) or (max(sizes) if sizes else 0)
        slots = {offset: set(blocks) for offset, blocks in source.slots.items()} if source else {}
        yield from self._made(operation, answers, size, operation["source"], operation["access"],
                              slots)

    def _made(self, operation: Operation, answers: _Answers, size: int, source: str, access: str,
              slots: dict[int, set[str]]) -> Iterator[Finding]:
        before = self.volumes.get(operation["name"])
        for refusal in answers.refusals():
            if refusal["code"] != "RESOURCE_EXHAUSTED":
                yield _unexpected(operation, refusal)
            elif before and before.surely_there:
                yield Finding("lost", f"{before.name} was made, and {_words(operation)} made again "
                              f"was answered {_said(refusal)}")
        if answers.final and not answers.ok():
            return
        if before is None or not before.surely_there:
            self.volumes[operation["name"]] = before = Volume(
                operation["lane"], operation["name"], operation["class"], operation["birth"],
                {False}, {size}, source, access, slots)
        if answers.only_doubt:
            before.there.add(True)
            return
        before.there = {True}
        for answer in answers.ok():
            if answer["size"] not in before.sizes:
                yield Finding("wrong", f"{_words(operation)} returned {answer['size']} bytes, not "
                              f"{sorted(before.sizes)}")

    def _resize(self, operation: Operation, answers: _Answers) -> Iterator[Finding]:
        volume = self.volumes.get(operation["name"])
        if volume is None or volume.surely_gone:
            for answer in answers.final:
                if answer["code"] != "NOT_FOUND":
                    yield _unexpected(operation, answer)
            return
        wanted = {max(size, round_up(operation["size"])) for size in volume.sizes}
        for refusal in answers.refusals():
            if refusal["code"] == "NOT_FOUND" and volume.surely_there:
                yield Finding("lost", f"{_words(operation)} was answered {_said(refusal)}")
            elif refusal["code"] not in ("RESOURCE_EXHAUSTED", "NOT_FOUND"):
                yield _unexpected(operation, refusal)
        if answers.only_doubt:
            volume.sizes = volume.sizes | wanted
        elif answers.ok():
            volume.sizes = wanted
            for answer in answers.ok():
                if answer["size"] not in wanted:
                    yield Finding("wrong", f"{_words(operation)} returned {answer['size']} bytes, "
                                  f"not {sorted(wanted)}")

    def _remove(self, operation: Operation, answers: _Answers) -> Iterator[Finding]:
        volume = self.volumes.get(operation["name"])
        for refusal in answers.refusals():
            if refusal["code"] != "NOT_FOUND":
                yield _unexpected(operation, refusal)
        if volume is None:
            return
        missed = [entry for entry in answers.final if entry["code"] == "NOT_FOUND"]
        if missed and volume.surely_there and not answers.ok() and not answers.doubtful:
            yield Finding("lost", f"{_words(operation)} was answered {_said(missed[0])}")
        if answers.only_doubt:
            volume.there.add(False)
        elif answers.ok() or missed:
            volume.there = {False}

    def _list(self, operation: Operation, answers: _Answers) -> Iterator[Finding]:
        for answer in answers.ok():
            told = answer["volumes"]
            for volume in self.volumes.values():
                if volume.device_class != operation["class"] or volume.lane != operation["lane"]:
                    continue
                seen = told.get(volume.name)
                if volume.surely_there and seen is None:
                    yield Finding("lost", f"{volume.name} is not in its caller's list")
                elif volume.surely_gone and seen is not None:
                    yield Finding("wrong", f"{volume.name} was removed and is still listed")
                elif seen is not None and seen["size"] not in volume.sizes:
                    yield Finding("wrong", f"{volume.name} is listed with {seen['size']} bytes, "
                                  f"not {sorted(volume.sizes)}")

    def _write(self, operation: Operation, answers: _Answers) -> Iterator[Finding]:
        volume = self.volumes.get(operation["name"])
        codes = [entry["errno"] for entry in answers.final]
        if volume is None or volume.surely_gone:
            if 0 in codes:
                yield Finding("leaked", f"{operation['name']} is gone and its device can be written")
            return
        slot = volume.at(operation["offset"])
        written = f"{operation['birth']}/{operation['sequence']}"
        if 0 in codes:
            volume.slots[operation["offset"]] = {written}
            return
        # A power cut may have interrupted an earlier attempt.
        if answers.doubtful or any(code != errno.ENOENT for code in codes):
            slot.add(written)
        if errno.ENOENT in codes and volume.surely_there:
            yield Finding("wrong", f"{volume.name} has no device {operation['device']}")

    def _read(self, operation: Operation, answers: _Answers) -> Iterator[Finding]:
        volume = self.volumes.get(operation["name"])
        for answer in answers.final:
            if volume and volume.surely_there and answer["errno"] == 0:
                yield from content_findings(volume, operation["offset"], answer["contents"])


def content_findings(volume: Volume, offset: int, contents: dict[str, int]) -> Iterator[Finding]:
    possible = volume.at(offset)
    if ANYTHING in possible:
        return
    for content, blocks in contents.items():
        if content not in possible:
            yield Finding("wrong", f"{volume.group}/{volume.name} has at {offset} in {blocks} of "
                          f"{SLOT // BLOCK} blocks \"{content}\", not {sorted(possible)}")


def _take(answers: _Answers, entry: Entry) -> None:
    event = entry["event"]
    if event == "ask":
        answers.begun = True
        answers.doubtful += 1
    elif event == "end":
        answers.ended = True
    elif event == "gave-up":
        answers.gave_up = True
    elif event == "answer" and entry.get("final", True):
        answers.doubtful -= 1
        answers.final.append(entry)


def _said(answer: Entry) -> str:
    return f"{answer['code']}: {answer.get('message', '')}"


def _words(operation: Operation) -> str:
    return f"{operation['do']} {operation['class']} {operation.get('name', '')}".rstrip()


def _unexpected(operation: Operation, answer: Entry) -> Finding:
    return Finding("wrong", f"{_words(operation)} was answered {_said(answer)}")

"""Plans the client's requests of one round from a seed, assuming that all requests succeed."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

from .layout import CLASSES, EXTENT, LANES, MIB, SLOT, round_up
from .model import Model, Operation

OPERATIONS = 150
"""The number of operations of each lane: more than a round can execute."""

_MOST_VOLUMES = 5
_LARGEST = 40 * MIB
_MOST_CALLERS = 3
_REUSED_NAMES = 0.3
_SHORT_DEADLINE_MS = (50, 400)
_WEIGHTS = {"create": 5, "write": 9, "read": 4, "snapshot": 4, "resize": 3, "remove": 4, "list": 3,
            "again": 2}


@dataclass
class _Planned:
    name: str
    birth: str
    size: int
    access: str = "rw"
    slots: set[int] = field(default_factory=set)
    made_by: Operation = field(default_factory=dict)


class Planner:
    """Names and births differ from all earlier ones, except names that are free again."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._sequence = 0

    def plan(self, number: int, model: Model) -> list[Operation]:
        plan = []
        for lane, device_class in enumerate(LANES):
            chance = random.Random(f"{self._seed}/plan/{number}/{lane}")
            plan += _Lane(lane, device_class, number, chance, model, self).operations()
        return plan

    def next_sequence(self) -> int:
        self._sequence += 1
        return self._sequence


class _Lane:
    def __init__(self, lane: int, device_class: str, number: int, chance: random.Random,
                 model: Model, planner: Planner) -> None:
        self._lane = lane
        self._class = CLASSES[device_class]
        self._round = number
        self._random = chance
        self._planner = planner
        self._made: list[Operation] = []
        self._names = 0
        self._volumes: list[_Planned] = []
        self._free_names: list[str] = []
        for volume in model.volumes.values():
            if volume.lane != lane:
                continue
            if volume.surely_there:
                self._volumes.append(_Planned(volume.name, volume.birth, max(volume.sizes),
                                              volume.access, set(volume.slots)))
            elif volume.surely_gone:
                self._free_names.append(volume.name)

    def operations(self) -> list[Operation]:
        while len(self._made) < OPERATIONS:
            verb, = self._random.choices(list(_WEIGHTS), list(_WEIGHTS.values()))
            getattr(self, f"_{verb}")()
        return self._made

    def _add(self, verb: str, **words: Any) -> Operation:
        operation = {"lane": self._lane, "op": len(self._made), "do": verb,
                     "class": self._class.name, **words}
        if verb in ("create", "snapshot", "resize", "remove"):
            if self._random.random() < 0.3:
                operation["callers"] = self._random.randint(2, _MOST_CALLERS)
            if self._random.random() < 0.1:
                operation["deadline_ms"] = self._random.randint(*_SHORT_DEADLINE_MS)
        self._made.append(operation)
        return operation

    def _new_name(self) -> str:
        if self._free_names and self._random.random() < _REUSED_NAMES:
            return self._free_names.pop(self._random.randrange(len(self._free_names)))
        self._names += 1
        return f"t{self._lane}-{self._round}-{self._names}"

    def _size(self, least: int) -> int:
        """Sizes are seldom whole extents but always whole pages, because thick classes refuse other
        sizes."""
        return self._random.randint(least // 4096 + 1, _LARGEST // 4096) * 4096

    def _pick(self, writable: bool = False) -> _Planned | None:
        found = [one for one in self._volumes if not writable or one.access == "rw"]
        return self._random.choice(found) if found else None

    def _create(self) -> None:
        if len(self._volumes) >= _MOST_VOLUMES:
            return self._remove()
        name, size = self._new_name(), self._size(0)
        tags = [f"round-{self._round}"] if self._random.random() < 0.5 else []
        birth = self._birth(name)
        made = self._add("create", name=name, size=size, tags=tags, birth=birth)
        self._volumes.append(_Planned(name, birth, round_up(size), made_by=made))

    def _snapshot(self) -> None:
        source = self._pick()
        if source is None or not self._class.thin or len(self._volumes) >= _MOST_VOLUMES:
            return
        name = self._new_name()
        access = self._random.choice(("ro", "rw"))
        larger = self._random.random() < 0.3 and source.size + EXTENT < _LARGEST
        size = self._size(source.size + EXTENT) if larger else 0
        birth = self._birth(name)
        made = self._add("snapshot", name=name, source=source.name, access=access, size=size,
                         birth=birth)
        self._volumes.append(_Planned(name, birth, round_up(size) or source.size, access,
                                      set(source.slots), made))

    def _resize(self) -> None:
        volume = self._pick(writable=True)
        if volume is None or volume.size + EXTENT >= _LARGEST:
            return
        size = self._size(volume.size)
        volume.size = round_up(size)
        self._add("resize", name=volume.name, size=size)

    def _remove(self) -> None:
        volume = self._pick()
        if volume is None:
            return
        self._volumes.remove(volume)
        self._free_names.append(volume.name)
        self._add("remove", name=volume.name)

    def _again(self) -> None:
        """The request that created a volume, repeated."""
        volume = self._pick()
        if volume is None or not volume.made_by:
            return
        # A snapshot whose size differs from its source's matches only its own request.
        before = {key: volume.made_by[key] for key in volume.made_by
                  if key not in ("lane", "op", "do", "class", "callers", "deadline_ms")}
        if any(made["do"] == "resize" and made["name"] == volume.name for made in self._made):
            return
        self._add(volume.made_by["do"], **before)

    def _list(self) -> None:
        self._add("list")

    def _write(self) -> None:
        volume = self._pick(writable=True)
        if volume is None:
            return
        last = (volume.size - SLOT) // SLOT * SLOT
        offset = self._random.choice((0, last, last // 2 // SLOT * SLOT, *sorted(volume.slots)[:4]))
        volume.slots.add(offset)
        self._add("write", name=volume.name, device=self._device(volume), birth=volume.birth,
                  sequence=self._planner.next_sequence(), offset=offset, bytes=SLOT)

    def _read(self) -> None:
        volume = self._pick()
        if volume is None or not volume.slots:
            return
        self._add("read", name=volume.name, device=self._device(volume),
                  offset=self._random.choice(sorted(volume.slots)), bytes=SLOT)

    def _device(self, volume: _Planned) -> str:
        return f"/dev/{self._class.group}/{volume.name}"

    def _birth(self, name: str) -> str:
        return f"{name}.{self._round}.{len(self._made)}"


def lines(plan: list[Operation]) -> bytes:
    return "".join(json.dumps(operation) + "\n" for operation in plan).encode()

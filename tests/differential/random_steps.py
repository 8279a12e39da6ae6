"""Random calls with few names and classes, so that they often use the same volumes."""

from __future__ import annotations

import random

from .steps import EXTENT, MIB, Step, create, free, remove, resize, snapshot, volumes

_NAMES = ("r1", "r2", "r3", "r4")
_CLASSES = ("", "thick", "thin", "thin", "striped", "thin2")
_SIZES = (0, 1, 4096, EXTENT, EXTENT + 4096, 10 * MIB, 33 * MIB, 2000 * MIB, 7 << 30)


def steps(seed: int, count: int) -> list[Step]:
    """The steps of a seed, always the same."""
    chance = random.Random(seed)
    return [_step(chance, f"random call {number + 1}") for number in range(count)]


def _step(chance: random.Random, name: str) -> Step:
    volume, device_class = chance.choice(_NAMES), chance.choice(_CLASSES)
    size = chance.choice(_SIZES)
    kind = chance.choices(("create", "remove", "resize", "snapshot", "list", "free"),
                          (40, 10, 15, 20, 10, 5))[0]
    match kind:
        case "create":
            tags = chance.sample(("one", "two"), chance.randrange(3))
            option = chance.choice(("", "", "linear"))
            return create(name, volume, size, device_class, tags=tags,
                          lvcreate_option_class=option)
        case "remove":
            return remove(name, volume, device_class)
        case "resize":
            return resize(name, volume, size, device_class)
        case "snapshot":
            return snapshot(name, volume, chance.choice(_NAMES), chance.choice(("ro", "rw")),
                            chance.choice((0, 0, EXTENT, 40 * MIB)), device_class)
        case "list":
            return volumes(name, device_class)
        case _:
            return free(name, device_class)

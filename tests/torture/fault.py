"""The base class of faults."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from .stage import Stage


class Fault(ABC):
    """A kind of fault. An object is used in one round; `inject` and `heal` are called
    alternately."""

    name: str
    how: str
    """A description: how the fault is made."""
    times: int = 5
    """The number of injections in a round."""
    wanted: int = 15
    """The number of injections that a long run should reach."""
    hold: tuple[float, float] = (0.0, 0.0)
    """The time in seconds until it is healed."""
    told: bool = False
    """True if health must report NOT_SERVING while the fault lasts."""
    off: str = ""
    """The reason why the kind runs only on request; "" if it runs by default."""

    def __init__(self, stage: Stage, chance: random.Random) -> None:
        self.stage = stage
        self.random = chance

    @abstractmethod
    def inject(self) -> None: ...

    def heal(self) -> None:
        """Restores the state before `inject`, by any means of an administrator."""

    @property
    def ends_client(self) -> bool:
        """True if `inject` ends the client, which must then be started again."""
        return False

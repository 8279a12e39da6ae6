"""What a fault is."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from .stage import Stage


class Fault(ABC):
    """One kind. An object lives for one round; `inject` and `heal` take turns."""

    name: str
    how: str
    """For people: how it is made."""
    times: int = 5
    """How often it is injected in a round."""
    wanted: int = 15
    """How often a long run should inject it at least."""
    hold: tuple[float, float] = (0.0, 0.0)
    """So many seconds pass until it is healed."""
    told: bool = False
    """Whether health has to say NOT_SERVING while it lasts."""
    off: str = ""
    """Why it is not among those that run unless they are asked for; "" when it is."""

    def __init__(self, stage: Stage, chance: random.Random) -> None:
        self.stage = stage
        self.random = chance

    @abstractmethod
    def inject(self) -> None: ...

    def heal(self) -> None:
        """Everything is as it was before `inject`, by whatever an administrator would do."""

    @property
    def ends_client(self) -> bool:
        """Whether the client is gone after `inject` and has to be started again."""
        return False

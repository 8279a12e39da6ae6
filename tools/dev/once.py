"""What is made once in a process, however many suites ask for it at once."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import TypeVar

from .progress import Progress

T = TypeVar("T")


def once(make: Callable[[Progress], T]) -> Callable[[Progress], T]:
    """Gives what the first call of `make` has returned; the others wait for it. After a call that
    raised, the next one tries again."""
    lock = threading.Lock()
    made: list[T] = []

    @functools.wraps(make)
    def get(progress: Progress) -> T:
        with lock:
            if not made:
                made.append(make(progress))
            return made[0]

    return get

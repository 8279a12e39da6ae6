"""Prints the progress of long steps on stderr, with the time since the command began."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_HEARTBEAT_SECONDS = 30.0


class Progress:
    """Prints `[ 12.3 s] text` lines. Several threads may use it."""

    def __init__(self) -> None:
        self._begin = self._printed = time.monotonic()
        self._latest = ""

    def __call__(self, text: str) -> None:
        self._printed = time.monotonic()
        print(f"[{self._printed - self._begin:6.1f} s] {text}", file=sys.stderr, flush=True)

    def status(self, text: str) -> None:
        """Sets the text that a step prints instead of its label. Prints nothing now."""
        self._latest = text

    @contextmanager
    def step(self, label: str) -> Iterator[None]:
        """Prints the label. After every 30 s without a line, prints the label or the latest
        status."""
        self._latest = label
        self(label)
        done = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(done,), daemon=True)
        ticker.start()
        try:
            yield
        finally:
            done.set()
            ticker.join()

    def _tick(self, done: threading.Event) -> None:
        while not done.wait(1.0):
            if time.monotonic() - self._printed >= _HEARTBEAT_SECONDS:
                self(f"{self._latest} …")

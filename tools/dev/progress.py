"""Progress of long steps on stderr, with the time since the command began."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import Iterator

_HEARTBEAT_SECONDS = 30.0


class Progress:
    """Prints `[ 12.3 s] text` lines.

    Calling it prints a line that stays. `status` replaces the last line on a terminal and prints
    nothing elsewhere. Inside `step`, silence is broken every 30 s by a line that repeats the
    latest text. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._lock = threading.Lock()
        self._terminal = sys.stderr.isatty()
        self._transient = False
        self._latest = ""
        self._last_output = self._begin

    def __call__(self, text: str) -> None:
        self._latest = text
        self._write(text, transient=False)

    def status(self, text: str) -> None:
        self._latest = text
        if self._terminal:
            self._write(text, transient=True)

    def elapsed(self) -> float:
        return time.monotonic() - self._begin

    def clear(self) -> None:
        """Takes a replaceable line away, before something else is printed."""
        with self._lock:
            self._erase()

    @contextmanager
    def step(self, label: str) -> Iterator[None]:
        """Announces `label` and keeps saying that it still runs."""
        self(label)
        done = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(done,), daemon=True)
        ticker.start()
        try:
            yield
        finally:
            done.set()
            ticker.join()
            self.clear()

    def _tick(self, done: threading.Event) -> None:
        while not done.wait(1.0):
            if self._terminal:
                self._write(self._latest, transient=True)
            elif time.monotonic() - self._last_output >= _HEARTBEAT_SECONDS:
                self._write(f"{self._latest} …", transient=False)

    def _write(self, text: str, transient: bool) -> None:
        with self._lock:
            self._erase()
            line = f"[{self.elapsed():6.1f} s] {text}"
            if transient:
                sys.stderr.write(line[:100])
            else:
                sys.stderr.write(line + "\n")
            self._transient = transient
            self._last_output = time.monotonic()
            sys.stderr.flush()

    def _erase(self) -> None:
        if self._transient:
            sys.stderr.write("\r\x1b[K")
            self._transient = False

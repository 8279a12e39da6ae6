"""What the suites `e2e` and `cluster` share: one stage for all cases of a run, and waiting."""

from __future__ import annotations

import atexit
import sys
import time
import unittest
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from tools.dev import paths
from tools.dev.process import end_normally_on_sigterm
from tools.vm import Machine

LIMIT_SECONDS = 120.0
_POLL_SECONDS = 0.2


class Stage(Protocol):
    """What a suite sets up for its cases."""

    def describe(self) -> str:
        """For a failure: the state, and the end of all logs."""

    def close(self) -> None:
        """Ends everything."""


_AnyStage = TypeVar("_AnyStage", bound=Stage)


class StageCase(unittest.TestCase):
    """A case on a stage."""

    stage: Stage
    limit_seconds = LIMIT_SECONDS
    """How long `eventually` waits."""

    def eventually(self, what: str, attempt: Callable[[], Any], now: Callable[[], object],
                   limit: float | None = None) -> Any:
        """The first true result of `attempt`. Fails after `limit` seconds, or `limit_seconds`, with
        a description of the state."""
        limit = limit or self.limit_seconds
        deadline = time.monotonic() + limit
        while not (result := attempt()):
            if time.monotonic() > deadline:
                self.fail(f"not within {limit:.0f} s: {what}\n── now\n{now()}\n"
                          f"{self.stage.describe()}")
            time.sleep(_POLL_SECONDS)
        return result


def kept(make: Callable[[], _AnyStage]) -> _AnyStage:
    """Makes a stage that the end of the process closes.

    Call it on the main thread: a VM ends with the thread that started it.
    """
    end_normally_on_sigterm()
    stage = make()
    atexit.register(stage.close)
    return stage


def save_journal(machine: Machine, name: str = paths.SUITE) -> None:
    """Into the folder of the logs."""
    journal = machine.run("journalctl --boot --no-pager --output=short-precise")
    (paths.LOGS / f"{name}.journal").write_bytes(journal.data)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)

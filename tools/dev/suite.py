"""What a suite is, and how one is run so that it always counts."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass
from typing import Protocol

from .errors import DevError
from .progress import Progress
from .results import SuiteResult


@dataclass(frozen=True)
class Choice:
    """Which cases of a suite are run."""

    pattern: str = ""
    """Those whose name contains it."""

    until: float | None = None
    """Those that can be begun before `time.monotonic()` is this; the others are left out. A case that
    has begun is not cut short, nor is a Catch2 program."""

    def seconds_left(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    def over(self) -> bool:
        return self.seconds_left() == 0


class Suite(Protocol):
    name: str
    groups: tuple[str, ...]
    """Package groups of `./dev setup` that it needs."""
    limit: float
    """Seconds that its cases may take; the compiler's are not among them."""

    def prepare(self, progress: Progress) -> None:
        """Makes what takes long and needs no build (VM, Go programs). Called in a thread of its own
        while other suites run; `run` does it itself where it has not been done."""
        ...

    def list_cases(self, progress: Progress) -> list[str]: ...

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        """Runs the cases that are chosen; raises DevError when it cannot."""
        ...


def run_suite(suite: Suite, choice: Choice, progress: Progress) -> SuiteResult:
    """Runs the suite. What keeps it from running, a mistake in its own machinery too, is one failed
    case, as is having no case at all. A suite whose time is over before it begins is left out."""
    begin = time.monotonic()
    if choice.over():
        return SuiteResult(suite.name, left_out=[suite.name])
    try:
        result = suite.run(choice, progress)
        if not result.cases and not result.left_out and not choice.pattern:
            result.fail("any case", "the suite has no case")
    except DevError as error:
        result = SuiteResult(suite.name)
        result.fail("the suite can run", str(error))
    except Exception:
        result = SuiteResult(suite.name)
        result.fail("the suite can run", traceback.format_exc())
    result.seconds = time.monotonic() - begin
    progress.clear()
    return result

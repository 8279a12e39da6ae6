"""What a suite is, and how one is run so that it always counts."""

from __future__ import annotations

import time
import traceback
from typing import Protocol

from .errors import DevError
from .progress import Progress
from .results import SuiteResult


class Suite(Protocol):
    name: str
    groups: tuple[str, ...]
    """Package groups of `./dev setup` that it needs."""

    def prepare(self, progress: Progress) -> None:
        """Makes what takes long and needs no build (VM, Go programs). Called in a thread of its own
        while other suites run; `run` does it itself where it has not been done."""
        ...

    def list_cases(self, progress: Progress) -> list[str]: ...

    def run(self, pattern: str, progress: Progress) -> SuiteResult:
        """Runs the cases whose name contains `pattern`; raises DevError when it cannot."""
        ...


def run_suite(suite: Suite, pattern: str, progress: Progress) -> SuiteResult:
    """Runs the suite. What keeps it from running, a mistake in its own machinery too, is one failed
    case, as is having no case at all."""
    begin = time.monotonic()
    try:
        result = suite.run(pattern, progress)
        if not result.cases and not pattern:
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

"""A suite made of several runners: one line, one count."""

from __future__ import annotations

from collections.abc import Sequence

from .progress import Progress
from .results import SuiteResult
from .suite import Choice, Suite, run_suite


class JoinedSuite:
    """Its `parts` are suites; each runs, also when one before it failed. With `side_by_side` they
    may run at the same time as each other and as parts of other such suites. Those whose cases
    mostly wait are named in `waiting`: they take little of the processors."""

    def __init__(self, name: str, *parts: Suite, side_by_side: bool = False,
                 waiting: tuple[str, ...] = ()) -> None:
        self.name = name
        self.groups = tuple(dict.fromkeys(group for part in parts for group in part.groups))
        self.limit = sum(part.limit for part in parts)
        self.parts = parts
        self.side_by_side = side_by_side
        self.waiting = waiting

    def prepare(self, progress: Progress) -> None:
        for part in self.parts:
            part.prepare(progress)

    def list_cases(self, progress: Progress) -> list[str]:
        return [name for part in self.parts for name in part.list_cases(progress)]

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        return self.join([run_part(part, choice, progress) for part in self.parts])

    def join(self, results: Sequence[SuiteResult]) -> SuiteResult:
        """What its parts have given, as one."""
        joined = SuiteResult(self.name)
        for result in results:
            joined.cases += result.cases
            joined.left_out += result.left_out
            joined.seconds += result.seconds
        return joined


def run_part(part: Suite, choice: Choice, progress: Progress) -> SuiteResult:
    """Runs a suite whose result is shown later, with that of others: what failed is told at once,
    its output is not."""
    result = run_suite(part, choice, progress)
    progress(f"{part.name}: {result.passed} passed, {result.failed} failed")
    for case in result.cases:
        if not case.passed:
            progress(f"{part.name}: failed: {case.name}")
    return result

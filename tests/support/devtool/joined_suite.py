"""A suite made of several runners: one line, one count."""

from __future__ import annotations

from .progress import Progress
from .results import SuiteResult
from .suite import Choice, Suite, run_suite


class JoinedSuite:
    """Its `parts` are suites; each runs, also when one before it failed."""

    def __init__(self, name: str, *parts: Suite) -> None:
        self.name = name
        self.groups = tuple(dict.fromkeys(group for part in parts for group in part.groups))
        self._parts = parts

    def prepare(self, progress: Progress) -> None:
        for part in self._parts:
            part.prepare(progress)

    def list_cases(self, progress: Progress) -> list[str]:
        return [name for part in self._parts for name in part.list_cases(progress)]

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        result = SuiteResult(self.name)
        for part in self._parts:
            done = run_suite(part, choice, progress)
            progress(f"{part.name}: {done.passed} passed, {done.failed} failed")
            for case in done.cases:
                if not case.passed:
                    # With its output at the end, when all parts are done.
                    progress(f"{part.name}: failed: {case.name}")
            result.cases += done.cases
            result.left_out += done.left_out
        return result

"""What a limit of time leaves out is told, and counts as nothing."""

from __future__ import annotations

import io
import json
import math
import unittest

from .case_runner import Timed
from .progress import Progress
from .results import SuiteResult
from .suite import Choice, run_suite


def _nothing() -> None:
    pass


class _NeverRun:
    name = "never"
    groups = ()
    limit = 60.0

    def prepare(self, progress: Progress) -> None:
        raise AssertionError

    def list_cases(self, progress: Progress) -> list[str]:
        raise AssertionError

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        raise AssertionError


class Time(unittest.TestCase):
    def run_until(self, until: float) -> tuple[int, list[str]]:
        """How many cases ran, and the names of those that were left out."""
        report, result = io.StringIO(), unittest.TestResult()
        Timed([unittest.FunctionTestCase(_nothing)] * 2, until, report).run(result)
        lines = [json.loads(line) for line in report.getvalue().splitlines()]
        return result.testsRun, [line["left_out"] for line in lines]

    def test_all_run_while_there_is_time(self) -> None:
        self.assertEqual(self.run_until(math.inf), (2, []))

    def test_none_begins_when_it_is_over(self) -> None:
        ran, left_out = self.run_until(-math.inf)
        self.assertEqual(ran, 0)
        self.assertEqual(len(left_out), 2)

    def test_a_suite_that_comes_too_late_is_left_out(self) -> None:
        result = run_suite(_NeverRun(), Choice(until=0), Progress())
        self.assertEqual((result.passed, result.failed, result.left_out), (0, 0, ["never"]))
        self.assertIn("1 left out", result.line())


if __name__ == "__main__":
    unittest.main()

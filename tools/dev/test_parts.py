"""Parts of suites run at the same time or one after another, and each is counted after any
error."""

from __future__ import annotations

import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from . import parts
from .paths import BUILD, ROOT
from .progress import Progress
from .results import Result
from .suites import Part, Suite


class _Quiet(Progress):
    def __call__(self, text: str) -> None:
        pass


class _Runner:
    """Replaces the class that runs pytest. Calls `body` with each part's name."""

    progress = _Quiet()

    def __init__(self, body: Callable[[str], None]) -> None:
        self._body = body

    def run(self, part: Part) -> Result:
        self._body(part.name)
        result = Result(part.name)
        result.succeed(f"case of {part.name}")
        return result


def _suite(name: str, *minutes: int, together: bool = True, waits: str = "") -> Suite:
    found = tuple(Part(f"{name}{n}", minutes=n, waits=f"{name}{n}" == waits) for n in minutes)
    return Suite(name, found, side_by_side=together)


class SideBySide(unittest.TestCase):
    def run_suites(self, body: Callable[[str], None], *suites: Suite, lanes: int = 2) -> list[Result]:
        with mock.patch.object(parts, "count_lanes", return_value=lanes):
            return list(parts.run_suites(suites, _Runner(body)))  # type: ignore[arg-type]

    def test_neighbours_run_at_the_same_time(self) -> None:
        meeting = threading.Barrier(2)
        found = self.run_suites(lambda name: meeting.wait(20) and None, _suite("a", 1),
                                _suite("b", 1))
        self.assertEqual([(r.suite, r.passed, len(r.failures)) for r in found],
                         [("a", 1, 0), ("b", 1, 0)])

    def test_what_may_take_longest_begins_first(self) -> None:
        begun: list[str] = []
        found = self.run_suites(begun.append, _suite("a", 1), _suite("b", 9, 5), lanes=1)
        self.assertEqual(begun, ["b9", "b5", "a1"])
        self.assertEqual([result.suite for result in found], ["a", "b"])

    def test_what_waits_runs_beside_the_others(self) -> None:
        meeting = threading.Barrier(3)
        with mock.patch.object(parts, "_has_memory_for", return_value=True):
            result, = self.run_suites(lambda name: meeting.wait(20) and None,
                                      _suite("a", 1, 2, 3, waits="a1"))
        self.assertEqual((result.passed, len(result.failures)), (3, 0))

    def test_any_other_suite_runs_alone(self) -> None:
        running = threading.Lock()

        def alone(name: str) -> None:
            self.assertTrue(running.acquire(blocking=False))
            running.release()

        self.run_suites(alone, _suite("a", 2, 1, together=False), _suite("b", 1, together=False))


class PytestCase(unittest.TestCase):
    """Runs pytest on an example."""

    def run_part(self, text: str, until: float | None = None, **fields: object) -> Result:
        BUILD.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            file = Path(folder) / "test_example.py"
            file.write_text(text)
            runner = parts.Runner(_Quiet(), until=until)
            part = Part("parts-example", (str(file.relative_to(ROOT)),), **fields)  # type: ignore[arg-type]
            with mock.patch.object(Progress, "__call__"):
                return runner.run(part)

    def problems(self, result: Result) -> dict[str, str]:
        return {case.name: case.problem for case in result.failures}


class Counting(PytestCase):
    def test_each_case_counts_and_a_skipped_one_has_failed(self) -> None:
        result = self.run_part("import unittest\nclass A(unittest.TestCase):\n"
                               "  def test_a(self): pass\n  def test_b(self): self.fail('because')\n"
                               "  def test_c(self): self.skipTest('no need')\n")
        self.assertEqual(result.passed, 1)
        found = self.problems(result)
        self.assertIn("because", found["test_example.A.test_b"])
        self.assertIn("skipped: no need", found["test_example.A.test_c"].replace("Skipped: ", ""))

    def test_what_cannot_run_is_a_failed_case(self) -> None:
        missing = parts.Runner(_Quiet()).run(Part("parts-example", ("tests/missing_*.py",)))
        self.assertIn("there is no tests/missing_*.py", missing.failures[0].problem)
        self.assertIn("No module named 'nowhere'", str(self.run_part("import nowhere\n").failures))

    def test_no_case_at_all_is_a_failed_case(self) -> None:
        self.assertTrue(self.run_part("").failures)

    def test_a_run_that_crashes_is_a_failed_case(self) -> None:
        result = self.run_part("import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\n")
        self.assertIn("complete report", self.problems(result))

    def test_a_case_that_hangs_fails_and_the_next_one_runs(self) -> None:
        with mock.patch.object(parts, "_CASE_SECONDS", 1):
            result = self.run_part("import time\ndef test_a(): time.sleep(60)\ndef test_b(): pass\n")
        self.assertEqual(result.passed, 1)
        self.assertIn("Timeout", self.problems(result)["test_example.test_a"])

    def test_a_part_that_takes_too_long_is_ended_and_reported(self) -> None:
        with mock.patch.object(parts, "_GRACE_SECONDS", 1):
            result = self.run_part("import time\ndef test_a(): pass\ndef test_b(): time.sleep(60)\n"
                                   "def test_c(): pass\n", minutes=0.02)
        found = self.problems(result)
        self.assertIn("exceeded its time limit", found["test_example.test_b"])
        self.assertIn("time limit", found)
        self.assertEqual(result.passed, 1)


class Time(PytestCase):
    """Cases that a time limit leaves out are listed and not counted."""

    def test_all_run_while_there_is_time(self) -> None:
        result = self.run_part("def test_a(): pass\n", until=time.monotonic() + 600)
        self.assertEqual((result.passed, result.left_out), (1, []))

    def test_none_begins_when_it_is_over(self) -> None:
        result = self.run_part("import time\ndef test_a(): time.sleep(3)\ndef test_b(): pass\n",
                               until=time.monotonic() + 2)
        self.assertEqual((result.passed, result.left_out), (1, ["test_example.test_b"]))
        self.assertEqual(result.failures, [])

    def test_a_suite_that_comes_too_late_is_left_out(self) -> None:
        result = self.run_part("def test_a(): pass\n", until=0)
        self.assertEqual((result.cases, result.left_out), ([], ["parts-example"]))
        self.assertIn("1 left out", result.line())

"""Suites that run at the same time are told in their order, and all of their cases count."""

from __future__ import annotations

import threading
import unittest
from collections.abc import Callable
from unittest import mock

from . import side_by_side
from .errors import DevError
from .joined_suite import JoinedSuite
from .progress import Progress
from .results import SuiteResult
from .suite import Choice, Suite


class _Part:
    groups = ()

    def __init__(self, name: str, body: Callable[[], None], limit: float = 60) -> None:
        self.name = name
        self.limit = limit
        self._body = body

    def prepare(self, progress: Progress) -> None:
        raise AssertionError

    def list_cases(self, progress: Progress) -> list[str]:
        raise AssertionError

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        self._body()
        result = SuiteResult(self.name)
        result.succeed(f"case of {self.name}")
        return result


def _nothing() -> None:
    pass


def _refuse() -> None:
    raise DevError("there is no VM")


def _run(*suites: Suite) -> list[SuiteResult]:
    with mock.patch.object(Progress, "__call__"):
        return list(side_by_side.run_suites(suites, Choice(), Progress()))


class SideBySide(unittest.TestCase):
    def setUp(self) -> None:
        two = mock.patch.object(side_by_side, "lanes", return_value=2)
        two.start()
        self.addCleanup(two.stop)

    def test_neighbours_run_at_the_same_time(self) -> None:
        meeting = threading.Barrier(2)

        def meet() -> None:
            meeting.wait(timeout=20)

        first = JoinedSuite("first", _Part("a", meet), side_by_side=True)
        second = JoinedSuite("second", _Part("b", meet), side_by_side=True)
        results = _run(first, second)
        self.assertEqual([(r.suite, r.passed, r.failed) for r in results],
                         [("first", 1, 0), ("second", 1, 0)])

    def test_what_may_take_longest_begins_first(self) -> None:
        begun = []
        suites = [JoinedSuite(name, _Part(name, lambda name=name: begun.append(name), limit),
                              side_by_side=True)
                  for name, limit in (("short", 1), ("long", 9), ("middle", 5))]
        with mock.patch.object(side_by_side, "lanes", return_value=1):
            results = _run(*suites)
        self.assertEqual(begun, ["long", "middle", "short"])
        self.assertEqual([result.suite for result in results], ["short", "long", "middle"])

    def test_what_waits_runs_beside_the_others(self) -> None:
        meeting = threading.Barrier(3)

        def meet() -> None:
            meeting.wait(timeout=20)

        with mock.patch.object(side_by_side, "_has_room_for", return_value=True):
            result, = _run(JoinedSuite("suite", _Part("a", meet), _Part("b", meet),
                                       _Part("c", meet, limit=1), side_by_side=True,
                                       waiting=("c",)))
        self.assertEqual((result.passed, result.failed), (3, 0))

    def test_any_other_suite_runs_alone(self) -> None:
        threads = []

        def note() -> None:
            threads.append(threading.current_thread())

        _run(JoinedSuite("alone", _Part("a", note), _Part("b", note)), _Part("plain", note))
        self.assertEqual(threads, [threading.current_thread()] * 3)

    def test_what_cannot_run_is_a_failed_case(self) -> None:
        suite = JoinedSuite("suite", _Part("a", _refuse), _Part("b", _nothing), side_by_side=True)
        result, = _run(suite)
        self.assertEqual((result.passed, result.failed), (1, 1))
        self.assertIn("there is no VM", result.cases[0].output)


if __name__ == "__main__":
    unittest.main()

"""Runs unittest cases in a process of its own and reports each as a JSON line.

    python3 -m tools.dev.case_runner REPORT [--list] [-k PATTERN] [--seconds N] FILE...

FILEs are paths from the repository's root. REPORT gets {"start": name}, then {"name", "passed",
"seconds", "output"} for each case, and {"complete": true} at the end. A skipped case counts as
failed: a check that did not run has shown nothing. After `--seconds` no class of cases begins, and
no case of one that has begun: for each there is {"left_out": name}.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import traceback
import unittest
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from .paths import ROOT


class Timed(unittest.TestSuite):
    """Gives up its tests as long as there is time; the others are reported."""

    def __init__(self, tests: Iterable[unittest.TestCase], until: float, report: TextIO) -> None:
        super().__init__(tests)
        self._until = until
        self._report = report

    def __iter__(self) -> Iterator[unittest.TestCase]:
        for test in super().__iter__():
            if time.monotonic() < self._until:
                yield test
            else:
                self._report.write(json.dumps({"left_out": case_name(test)}) + "\n")


class _Reporter(unittest.TestResult):
    def __init__(self, report: TextIO) -> None:
        super().__init__()
        self._report = report
        self._begin = 0.0
        self._problems: list[str] = []

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self._begin = time.monotonic()
        self._problems = []
        self._write({"start": case_name(test)})

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self._case(case_name(test), self._problems)

    def addError(self, test: unittest.TestCase, err) -> None:  # type: ignore[no-untyped-def]
        frames = [f for f in traceback.extract_tb(err[2]) if "unittest" not in f.filename]
        trace = [*traceback.format_list(frames), *traceback.format_exception_only(err[1])]
        self._problem(test, "".join(trace).replace(f"{ROOT}/", ""))

    def addFailure(self, test: unittest.TestCase, err) -> None:  # type: ignore[no-untyped-def]
        self._problem(test, _short(err))

    def addSubTest(self, test, subtest, err) -> None:  # type: ignore[no-untyped-def]
        if err is not None:
            self._problem(test, f"{subtest}: {_short(err)}")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._problem(test, f"skipped: {reason}")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self._problem(test, "passed, but a failure was expected")

    def _problem(self, test: unittest.TestCase, text: str) -> None:
        if isinstance(test, unittest.TestCase):
            self._problems.append(text.rstrip())
        else:  # a class's or module's set-up or clean-up
            self._begin = time.monotonic()
            self._case(str(test), [text.rstrip()])

    def _case(self, name: str, problems: list[str]) -> None:
        seconds = round(time.monotonic() - self._begin, 3)
        self._write({"name": name, "passed": not problems, "seconds": seconds,
                     "output": "\n".join(problems)})

    def _write(self, entry: dict[str, object]) -> None:
        self._report.write(json.dumps(entry) + "\n")
        self._report.flush()


def _short(err) -> str:  # type: ignore[no-untyped-def]
    """The assertion's text with the place in the test, not the frames below it."""
    frames = [f for f in traceback.extract_tb(err[2]) if Path(f.filename).name.startswith("test_")]
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: " if frames else ""
    return place + str(err[1])


def case_name(test: unittest.TestCase) -> str:
    """`module.Class.method` without the folders."""
    return ".".join(test.id().split(".")[-3:])


def _is_broken(test: unittest.TestCase) -> bool:
    """Whether it stands for a test file that could not be imported: never filtered out."""
    return type(test).__name__ == "_FailedTest"


def _cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _cases(test)
        else:
            yield test


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-k", dest="pattern", default="")
    parser.add_argument("--seconds", type=float, default=math.inf)
    arguments = parser.parse_args()
    until = time.monotonic() + arguments.seconds
    modules = [".".join(file.with_suffix("").parts) for file in arguments.files]
    found = unittest.TestLoader().loadTestsFromNames(modules)
    pattern = arguments.pattern.lower()
    chosen = [
        test for test in _cases(found) if pattern in case_name(test).lower() or _is_broken(test)
    ]
    if arguments.list:
        print("\n".join(sorted(case_name(test) for test in chosen)))
        return 0
    with arguments.report.open("w", encoding="utf-8") as report:
        Timed(chosen, until, report).run(_Reporter(report))
        report.write('{"complete": true}\n')
    return 0


if __name__ == "__main__":
    sys.exit(main())

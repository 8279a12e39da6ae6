"""`./dev lint`: the suite lint, and with --full a second compiler and clang-tidy."""

from __future__ import annotations

import argparse
import time

from . import build, clang_tidy, test_command
from .errors import DevError
from .progress import Progress
from .results import SuiteResult
from .suite import Choice, run_suite
from .suites import named


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "lint",
        help="check rooms and their libraries, format, names, links",
        description="Runs the suite lint. With --full also builds with clang 19 (warnings are "
        "errors) and runs clang-tidy on every source file; what it found right is remembered.",
    )
    parser.add_argument("--full", action="store_true", help="also clang 19 and clang-tidy")
    parser.add_argument("--minutes", type=float, metavar="N", default=None,
                        help="with --full: begin nothing new after N minutes; what was not "
                        "checked is counted and named")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    if arguments.minutes is not None and not arguments.full:
        raise DevError("lint: --minutes goes with --full")
    suite = named("lint")
    assert suite is not None
    results = [run_suite(suite, Choice(), progress)]
    test_command.report(results[0])
    if arguments.full:
        deadline = None if arguments.minutes is None else time.monotonic() + arguments.minutes * 60
        for check in (_clang_build, lambda p: clang_tidy.run(p, deadline)):
            result = check(progress)
            test_command.report(result)
            results.append(result)
    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    print(f"total: {passed} passed, {failed} failed", flush=True)
    return 0 if failed == 0 else 1


def _clang_build(progress: Progress) -> SuiteResult:
    result = SuiteResult("clang build")
    begin = time.monotonic()
    try:
        build.build(progress, build.CLANG)
    except DevError as error:
        result.fail("clang++-19 -Werror", str(error))
    else:
        result.succeed("clang++-19 -Werror")
    result.seconds = time.monotonic() - begin
    return result

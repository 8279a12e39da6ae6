"""`./dev test`: runs the suites and counts."""

from __future__ import annotations

import argparse
import threading
import time

from . import packages
from .errors import DevError
from .paths import LOGS
from .progress import Progress
from .results import SuiteResult
from .side_by_side import run_suites
from .suite import Choice, Suite
from .suites import ALL, LONG, SUITES, named


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    names = ", ".join(suite.name for suite in ALL)
    parser = commands.add_parser(
        "test",
        help="run the tests: all suites, or those named",
        description="Runs the suites, prints a line for each and as the last line their total. A "
        "suite that cannot run counts as failed. Exit code 0 only when nothing failed.",
    )
    parser.add_argument("--suite", action="append", metavar="NAME", default=[],
                        help=f"only this suite; may be repeated. There are: {names}")
    parser.add_argument("-k", dest="pattern", default="", metavar="PATTERN",
                        help="only cases whose name contains PATTERN")
    parser.add_argument("--all", action="store_true",
                        help=f"also the suite {LONG.name}, which takes hours and runs on demand only")
    parser.add_argument("--minutes", type=float, metavar="N",
                        help="begin no case when N minutes are over; how many were left out is told")
    parser.add_argument("--list", action="store_true", help="print suite and case names only")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    suites = list(ALL) if arguments.all else _chosen(arguments.suite)
    if arguments.list and not arguments.suite:
        suites = list(ALL)
    if arguments.list:
        return _list(suites, arguments.pattern, progress)
    packages.ensure(*sorted({group for suite in suites for group in suite.groups}))
    threading.Thread(target=_prepare, args=(suites, progress), daemon=True).start()
    until = None if arguments.minutes is None else time.monotonic() + arguments.minutes * 60
    choice = Choice(arguments.pattern, until)
    results = []
    for result in run_suites(suites, choice, progress):
        report(result)
        results.append(result)
    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    if passed + failed == 0 and not any(result.left_out for result in results):
        failed = 1
        print(f"no case's name contains '{arguments.pattern}'", flush=True)
    print(f"total: {passed} passed, {failed} failed", flush=True)
    return 0 if failed == 0 else 1


def _prepare(suites: list[Suite], progress: Progress) -> None:
    """In the background, what later suites need: most of it waits for disks and the network while
    the compiler works. A suite whose preparation failed meets the same error when it runs."""
    for suite in suites:
        try:
            suite.prepare(progress)
        except DevError as error:
            progress(f"preparing suite {suite.name} failed: {str(error).splitlines()[0]}")


def report(result: SuiteResult) -> None:
    """Prints each failure with its output, then the suite's line. How long each case took is in
    `.cache/logs/<suite>.times`, the longest first."""
    for case in result.cases:
        if not case.passed:
            text = "\n".join(f"    {line}" for line in case.output.splitlines())
            print(f"FAILED {result.suite}: {case.name}\n{text}", flush=True)
    print(result.line(), flush=True)
    slowest_first = sorted(result.cases, key=lambda case: -case.seconds)
    (LOGS / f"{result.suite}.times").write_text(
        "".join(f"{case.seconds:8.1f} s  {case.name}\n" for case in slowest_first),
        encoding="utf-8")


def _chosen(names: list[str]) -> list[Suite]:
    if not names:
        return list(SUITES)
    chosen = []
    for name in names:
        suite = named(name)
        if suite is None:
            raise DevError(
                f"no suite is called '{name}'; there are: {', '.join(s.name for s in ALL)}"
            )
        chosen.append(suite)
    return chosen


def _list(suites: list[Suite], pattern: str, progress: Progress) -> int:
    for suite in suites:
        packages.ensure(*suite.groups)
        for name in suite.list_cases(progress):
            if pattern.lower() in name.lower():
                print(f"{suite.name}: {name}", flush=True)
    return 0

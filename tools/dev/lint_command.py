"""`./dev lint` runs the suite lint; with --full also a second compiler and clang-tidy."""

from __future__ import annotations

import argparse
import time

from . import build, clang_tidy, packages
from .errors import DevError
from .parts import Runner, run_suites
from .progress import Progress
from .results import Result, total
from .tests_command import named, report


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "lint",
        help="check modules, format, names, links and evidence",
        description="Runs the suite lint, which needs no build. With --full also builds with clang "
        "19 (warnings are errors), checks the libraries of installed programs, and runs clang-tidy "
        "on every source file. Files without findings are not checked again until they change.",
    )
    parser.add_argument("--full", action="store_true",
                        help="also build with clang 19 and run clang-tidy")
    parser.add_argument("--minutes", type=float, metavar="N",
                        help="with --full: start no check after N minutes, and print the checks "
                        "that did not run")
    parser.add_argument("--accept-interface", action="store_true",
                        help="first record additions to the interface of clients "
                        "(tests/lint/interface.txt)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    if arguments.minutes is not None and not arguments.full:
        raise DevError("lint: --minutes needs --full")
    suites = named(["lint", "lint-built"] if arguments.full else ["lint"])
    packages.ensure(*sorted({group for suite in suites for group in suite.groups}))
    if arguments.accept_interface:
        from tests.lint import interface

        interface.accept()
    results = []
    for result in run_suites(suites, Runner(progress)):
        report(result)
        results.append(result)
    if arguments.full:
        deadline = None if arguments.minutes is None else time.monotonic() + arguments.minutes * 60
        for check in (_clang_build, lambda p: clang_tidy.run(p, deadline)):
            results.append(check(progress))
            report(results[-1])
    return total(results)


def _clang_build(progress: Progress) -> Result:
    result = Result("clang build")
    begin = time.monotonic()
    try:
        build.build(progress, build.CLANG)
    except DevError as error:
        result.fail("clang++-19 -Werror", str(error))
    else:
        result.succeed("clang++-19 -Werror")
    result.seconds = time.monotonic() - begin
    return result

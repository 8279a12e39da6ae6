"""`./dev test` runs the suites and counts the results."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Sequence

from . import packages
from .errors import DevError
from .parts import Runner, run_suites
from .paths import LOGS
from .progress import Progress
from .results import Result, total
from .suites import ALL, LONG, SUITES, Suite


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    names = ", ".join(suite.name for suite in ALL)
    parser = commands.add_parser(
        "test",
        help="run the tests: the default suites, or the given ones",
        description="Runs the suites. Prints each failure, a line for each suite and, as the last "
        "line, the total. A suite that cannot run counts as failed, and so does a skipped case. The "
        "exit code is 0 only if nothing failed.",
    )
    parser.add_argument("--suite", action="append", metavar="NAME", default=[],
                        help=f"run only this suite; may be repeated. Suites: {names}")
    parser.add_argument("-k", dest="pattern", default="", metavar="EXPR",
                        help="run only cases whose name contains EXPR, or that match it: pytest's "
                        "expressions, such as 'transfer and not kill'")
    parser.add_argument("--all", action="store_true",
                        help=f"also run the suite {LONG.name}, which takes hours")
    parser.add_argument("--minutes", type=float, metavar="N",
                        help="start no case after N minutes, and print the number of cases that "
                        "did not run")
    parser.add_argument("--list", action="store_true", help="only print the names of the cases")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    everything = arguments.all or (arguments.list and not arguments.suite)
    suites = list(ALL) if everything else named(arguments.suite)
    packages.ensure(*sorted({group for suite in suites for group in suite.groups}))
    until = None if arguments.minutes is None else time.monotonic() + arguments.minutes * 60
    runner = Runner(progress, arguments.pattern, until)
    if arguments.list:
        return _list(suites, runner)
    if not arguments.pattern:  # it may select no case of a part
        threading.Thread(target=_prepare, args=(suites, runner), daemon=True).start()
    results = []
    for result in run_suites(suites, runner):
        report(result)
        results.append(result)
    if not any(result.cases or result.left_out for result in results):
        results.append(Result("test"))
        results[-1].fail("any case", f"no case matches '{arguments.pattern}'")
        report(results[-1])
    return total(results)


def named(names: Sequence[str]) -> list[Suite]:
    """The suites with these names. Without names, the default suites of `./dev test`."""
    suites = {suite.name: suite for suite in ALL}
    unknown = [name for name in names if name not in suites]
    if unknown:
        raise DevError(f"there is no suite '{unknown[0]}'; the suites are: {', '.join(suites)}")
    return [suites[name] for name in names] or list(SUITES)


def report(result: Result) -> None:
    """Prints each failure with its output, then the suite's line. Writes the time of each case to
    `.cache/logs/SUITE.times`, the slowest first."""
    for case in result.failures:
        text = "\n".join(f"    {line}" for line in case.problem.splitlines())
        print(f"FAILED {result.suite}: {case.name}\n{text}", flush=True)
    print(result.line(), flush=True)
    LOGS.mkdir(parents=True, exist_ok=True)
    slowest_first = sorted(result.cases, key=lambda case: -case.seconds)
    (LOGS / f"{result.suite}.times").write_text(
        "".join(f"{case.seconds:8.1f} s  {case.name}\n" for case in slowest_first),
        encoding="utf-8")


def _prepare(suites: list[Suite], runner: Runner) -> None:
    """Prepares later suites while the compiler runs, because most of the preparation waits for
    disks and the network. Ignores errors: the part has the same error when it runs."""
    for part in (part for suite in suites for part in suite.parts):
        try:
            runner.prepare(part)
        except DevError as error:
            runner.progress(f"preparing {part.name} failed: {str(error).splitlines()[0]}")


def _list(suites: list[Suite], runner: Runner) -> int:
    for suite in suites:
        # The cases of a sanitizer's build are those of another suite.
        for part in (p for p in suite.parts if not p.program or not p.variant.environment):
            for name in runner.listed(part):
                print(f"{suite.name}: {name}", flush=True)
    return 0

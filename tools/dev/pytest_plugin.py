"""The plugin of `./dev test` for pytest: Catch2 programs and fuzzers as test cases, a time after
which no test case starts, and failures for skipped test cases."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import catch2
from .paths import BUILD, CACHE, ROOT
from .results import LEFT_OUT, case_name

_FUZZ_SECONDS = 20
_FINDINGS = CACHE / "fuzz"
_started = time.monotonic()
_ended = False


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lvmd")
    group.addoption("--seconds", type=float, default=math.inf, metavar="N",
                    help="start no test case after N seconds; name those that are left out")
    group.addoption("--limit", type=float, default=3600.0, metavar="N",
                    help="seconds that one Catch2 program may take")
    group.addoption("--tag", default="", metavar="TAG",
                    help="of a Catch2 program run only the test cases with this tag")


def pytest_sessionstart() -> None:
    signal.signal(signal.SIGUSR1, _end)


def _end(number: int, frame: object) -> None:
    """The suite has exceeded its time limit. The current case fails, and no other case starts."""
    global _ended
    _ended = True
    pytest.fail("the suite exceeded its time limit while this case ran")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".cpp" and file_path.name.startswith("fuzz_"):
        return FuzzerSource.from_parent(parent, path=file_path)
    if not file_path.suffix and os.access(file_path, os.X_OK):
        return catch2.Program.from_parent(parent, path=file_path)
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.user_properties.append(("case", case_name(item.nodeid)))
        if isinstance(item, catch2.TestCase):
            item.add_marker(pytest.mark.timeout(0))  # its program has a limit


def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    if _ended:
        return True
    over = time.monotonic() >= _started + item.config.getoption("seconds")
    # After its run, a program has the results of all its test cases.
    if not over or (isinstance(item, catch2.TestCase) and item.parent.cases is not None):
        return None
    print(f"\n{LEFT_OUT}{case_name(item.nodeid)}", flush=True)
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report: Any = (yield).get_result()
    if report.skipped and not hasattr(report, "wasxfail"):
        # A check that did not run proves nothing.
        report.outcome, report.longrepr = "failed", f"skipped: {report.longrepr[2]}"
    if isinstance(item, catch2.TestCase) and report.when == "call":
        report.duration = item.seconds


class FuzzerSource(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield Fuzzer.from_parent(self, name=self.path.stem.replace("_", " ", 1))


class Fuzzer(pytest.Item):
    """Runs a fuzzer for 20 seconds. Its findings and its new inputs stay in `.cache/fuzz/NAME`; the
    next run continues from them."""

    def runtest(self) -> None:
        name = self.path.stem.removeprefix("fuzz_")
        corpus = _FINDINGS / name / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [BUILD / f"fuzz/tests/fuzz/fuzz-{name}", f"-max_total_time={_FUZZ_SECONDS}",
             "-timeout=10", "-rss_limit_mb=2048", "-max_len=16384", "-print_final_stats=1",
             f"-artifact_prefix={_FINDINGS / name}/", corpus, self.path.parent / "seeds" / name],
            cwd=ROOT, text=True, errors="replace", stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        print(done.stdout)
        if done.returncode != 0:
            raise catch2.Failed("\n".join(done.stdout.splitlines()[-40:]))

    repr_failure = catch2.TestCase.repr_failure

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name

"""A suite that is one Catch2 program on this host."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

from . import build, catch2, process
from .errors import DevError
from .paths import LOGS, ROOT
from .progress import Progress
from .results import SuiteResult
from .suite import Choice


class CatchSuite:
    """Builds, then runs the program at `executable` (below the build directory) in the repository's
    root. What its cases print goes to `.cache/logs/<name>.log`."""

    def __init__(self, name: str, executable: Path, minutes: float, tag: str = "",
                 variant: build.Variant = build.GCC) -> None:
        """With `tag` only the cases that have it."""
        self.name = name
        self.groups = variant.groups
        self._executable = executable
        self._tag = tag
        self._variant = variant
        self.limit = minutes * 60

    def prepare(self, progress: Progress) -> None:
        """Nothing: the build comes first anyway."""

    def list_cases(self, progress: Progress) -> list[str]:
        if self._variant is not build.GCC:
            return []  # they are another suite's, which lists them
        return self._listed("", progress)

    def _listed(self, pattern: str, progress: Progress) -> list[str]:
        # Catch2 2.13 answers with the number of cases as exit code.
        done = subprocess.run(
            [self._program(progress, build.GCC), "--list-test-names-only",
             *self._selection(pattern)],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )
        return done.stdout.splitlines()

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        if choice.pattern and not self._listed(choice.pattern, progress):
            return SuiteResult(self.name)  # a sanitizer's build takes minutes
        program = self._program(progress, self._variant)
        reader = catch2.ReportReader(lambda case: progress.status(f"{self.name}: {case}"))
        LOGS.mkdir(parents=True, exist_ok=True)
        read_end, write_end = os.pipe()
        command = [program, *catch2.ARGUMENTS, "--out", f"/dev/fd/{write_end}",
                   *self._selection(choice.pattern)]
        with progress.step(f"suite {self.name}"), (LOGS / f"{self.name}.log").open("wb") as log:
            child = subprocess.Popen(
                command, cwd=ROOT, env=process.environment() | dict(self._variant.environment),
                pass_fds=(write_end,),
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            )
            os.close(write_end)
            timer = threading.Timer(self.limit, child.kill)
            timer.start()
            try:
                with os.fdopen(read_end, "rb") as report:
                    while data := report.read1(65536):
                        reader.feed(data)
                exit_code = child.wait()
            finally:
                timer.cancel()
                if child.poll() is None:
                    child.kill()
                    child.wait()
        result = SuiteResult(self.name, reader.finish(exit_code))
        if timer.finished.is_set() and exit_code == -9:
            result.fail("time limit", f"ended after {self.limit / 60:.0f} minutes")
        return result

    def _program(self, progress: Progress, variant: build.Variant) -> Path:
        path = build.build(progress, variant) / self._executable
        if not path.exists():
            raise DevError(f"the build made no {self._executable}: is it in a meson.build?")
        return path

    def _selection(self, pattern: str) -> list[str]:
        return [catch2.name_filter(pattern, self._tag)] if pattern or self._tag else []

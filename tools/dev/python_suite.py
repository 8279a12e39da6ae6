"""A suite of Python unittest cases, run in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

from . import build, process, vm_session
from .errors import DevError
from .paths import LOGS, ROOT
from .progress import Progress
from .results import Case, SuiteResult
from .suite import Choice


class PythonSuite:
    """Runs the test files that `files` (glob patterns from the repository's root) name.

    The cases may rely on the packages of `groups`. Where that includes `build`, the project is
    built first, and `.cache/install` holds the tree to install, with what the VM has beside it where
    `groups` has `vm` too. `needs` are more Go programs that the cases use: `prepare` builds them,
    and the VM's snapshot where `groups` has `vm`.
    """

    def __init__(self, name: str, *files: str, groups: tuple[str, ...] = (), minutes: float,
                 needs: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> None:
        """`without` are patterns of files that belong to another suite."""
        self.name = name
        self.groups = ("base", *groups)
        self._files = files
        self._without = without
        self.limit = minutes * 60
        self._needs = needs

    def prepare(self, progress: Progress) -> None:
        if "vm" in self.groups:
            vm_session.snapshot(progress)
            if "build" in self.groups:
                vm_session.prepare_programs(progress)
        for program in self._needs:
            vm_session.go_program(program, progress)

    def list_cases(self, progress: Progress) -> list[str]:
        done = subprocess.run(
            self._runner("--list"), cwd=ROOT, env=process.environment(),
            stdout=subprocess.PIPE, text=True, check=False,
        )
        if done.returncode != 0:
            raise DevError(f"suite {self.name}: its cases could not be listed (see above)")
        return done.stdout.splitlines()

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        if "build" in self.groups:
            if "vm" in self.groups:
                vm_session.install_tree(progress)
            else:
                build.install_tree(progress)
        report = self._report()
        report.unlink(missing_ok=True)
        with progress.step(f"suite {self.name}"), (LOGS / f"{self.name}.log").open("wb") as log:
            child = subprocess.Popen(
                self._runner("-k", choice.pattern, *self._time(choice)), cwd=ROOT,
                env=process.environment() | {"LVMD_SUITE": self.name},
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            )
            watcher = threading.Thread(target=self._follow, args=(child, progress), daemon=True)
            watcher.start()
            try:
                exit_code: int | None = child.wait(self.limit)
            except subprocess.TimeoutExpired:
                exit_code = None
            finally:
                if child.poll() is None:
                    child.terminate()  # so that cases can end what they started
                    try:
                        child.wait(30)
                    except subprocess.TimeoutExpired:
                        child.kill()
                        child.wait()
        return self._result(exit_code)

    def _time(self, choice: Choice) -> list[str]:
        left = choice.seconds_left()
        return [] if left is None else ["--seconds", f"{left:.0f}"]

    def _runner(self, *options: str) -> list[str]:
        LOGS.mkdir(parents=True, exist_ok=True)
        files = sorted(_found(self._files) - _found(self._without))
        if not files:
            raise DevError(f"suite {self.name}: there is no {' or '.join(self._files)}")
        return [sys.executable, "-m", "tools.dev.case_runner",
                str(self._report()), *options, *files]

    def _report(self) -> Path:
        return LOGS / f"{self.name}.report"

    def _follow(self, child: subprocess.Popen[bytes], progress: Progress) -> None:
        while child.poll() is None:
            entries = self._entries()
            if entries and "start" in entries[-1]:
                progress.status(f"{self.name}: {entries[-1]['start']}")
            try:
                child.wait(0.5)
            except subprocess.TimeoutExpired:
                pass

    def _entries(self) -> list[dict]:
        try:
            lines = self._report().read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines[:-1]]

    def _result(self, exit_code: int | None) -> SuiteResult:
        result = SuiteResult(self.name)
        running = ""
        complete = False
        for entry in self._entries():
            if "start" in entry:
                running = entry["start"]
            elif "complete" in entry:
                complete = True
            elif "left_out" in entry:
                running = ""
                result.left_out.append(entry["left_out"])
            else:
                running = ""
                result.cases.append(Case(**entry))
        if not complete or exit_code != 0:
            reason = (
                f"ended after {self.limit / 60:.0f} minutes" if exit_code is None
                else f"the runner ended early (exit code {exit_code}): "
                     f"see {(LOGS / self.name).relative_to(ROOT)}.log"
            )
            result.fail(running or "complete report", reason)
        return result


def _found(patterns: tuple[str, ...]) -> set[str]:
    return {str(path.relative_to(ROOT)) for pattern in patterns for path in ROOT.glob(pattern)}

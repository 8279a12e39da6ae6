"""A suite that is one Catch2 program, installed and run in the test VM."""

from __future__ import annotations

import shlex
import subprocess

from . import build, catch2, vm_session
from .errors import DevError
from .paths import LOGS
from .progress import Progress
from .results import SuiteResult
from .suite import Choice

_REPORT = "/run/catch2-report.xml"


class VmCatchSuite:
    """Runs `program` (its path in the VM) as root in a VM of its own. What its cases print goes to
    `.cache/logs/<name>.log`, the VM's journal to `.cache/logs/<name>.journal`."""

    def __init__(self, name: str, program: str, minutes: float, tag: str = "") -> None:
        """With `tag` only the hidden cases that have it, otherwise all that are not hidden."""
        self.name = name
        self.groups = ("base", "build", "vm")
        self._program = program
        self.limit = minutes * 60
        self._tag = tag

    def prepare(self, progress: Progress) -> None:
        vm_session.snapshot(progress)
        vm_session.prepare_programs(progress)

    def list_cases(self, progress: Progress) -> list[str]:
        # The program's list needs no VM. Catch2 2.13 answers with the number of cases as exit code.
        program = build.install_tree(progress) / self._program.lstrip("/")
        if not program.exists():
            raise DevError(f"meson install makes no {self._program}")
        done = subprocess.run([program, "--list-test-names-only", *self._selection("")],
                              capture_output=True, text=True, check=False)
        return done.stdout.splitlines()

    def run(self, choice: Choice, progress: Progress) -> SuiteResult:
        command = [self._program, *catch2.ARGUMENTS, "--out", _REPORT, *self._selection(choice.pattern)]
        LOGS.mkdir(parents=True, exist_ok=True)
        with vm_session.installed_vm(progress) as machine:
            if machine.run(f"test -x {self._program}").exit_code != 0:
                raise DevError(f"the VM has no {self._program}: does meson install it?")
            log = LOGS / f"{self.name}.log"
            with progress.step(f"suite {self.name}"), log.open("wb", buffering=0) as output:

                def take(data: bytes) -> None:
                    output.write(data)

                done = machine.run(shlex.join(command), timeout=self.limit, on_output=take)
            reader = catch2.ReportReader()
            report = machine.run(f"cat {_REPORT}")
            if report.exit_code == 0:
                reader.feed(report.data)
            journal = machine.run("journalctl -b --no-pager -o short-precise", timeout=120)
            (LOGS / f"{self.name}.journal").write_bytes(journal.data)
        result = SuiteResult(self.name, reader.finish(done.exit_code))
        if done.timed_out:
            result.fail("time limit", f"ended after {self.limit / 60:.0f} minutes")
        return result

    def _selection(self, pattern: str) -> list[str]:
        return [catch2.name_filter(pattern, self._tag)] if pattern or self._tag else []

"""Runs the parts of suites. Each part is one run of pytest, and its report has the results."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from . import build, process, vm_session
from .errors import DevError
from .paths import LOGS, ROOT
from .progress import Progress
from .results import LEFT_OUT, Result, case_name, read_junit
from .suites import Part, Suite

# The memory of a VM, of its QEMU, and of the servers of its suite.
_MEMORY_OF_ONE = 5 << 30
# The time limit of a Python case. A case that exceeds it fails, and the next case runs.
_CASE_SECONDS = 60 * 60
# The time in which a run that is ended must clean up.
_GRACE_SECONDS = 60
# pytest's exit codes: failed cases have entries in its report; no case was selected.
_FAILURES, _NO_CASES = 1, 5


@dataclass
class Runner:
    """Runs the cases that match `pattern` (an expression of pytest's -k) and start before `until`
    (time.monotonic). Threads may share it."""

    progress: Progress
    pattern: str = ""
    until: float | None = None
    _made: set[object] = field(default_factory=set)
    _making: threading.Lock = field(default_factory=threading.Lock)

    def run(self, part: Part) -> Result:
        """An error that prevents the run counts as a failed case, and so does a part without
        cases."""
        begin = time.monotonic()
        result = Result(part.name)
        left = None if self.until is None else self.until - begin
        if left is not None and left <= 0:
            result.left_out.append(part.name)
            return result
        try:
            if self.pattern and not self.listed(part):
                return result
            self._make(part)
            self._run(part, left, result)
        except DevError as error:
            result.fail("the suite can run", str(error))
        except Exception:
            result.fail("the suite can run", traceback.format_exc())
        result.seconds = time.monotonic() - begin
        return result

    def listed(self, part: Part) -> list[str]:
        """The names of its cases. For a program, those of the default build."""
        if part.program:
            with self._making:
                build.build(self.progress)
        words = _pytest(part, "--collect-only", "-q", "-k", self.pattern, *part.paths(listing=True))
        done = subprocess.run(words, cwd=ROOT, env=_environment(part), capture_output=True,
                              text=True, check=False)
        if done.returncode not in (0, _NO_CASES):
            raise DevError(f"{part.name}: its cases cannot be listed:\n{done.stdout}{done.stderr}")
        return [case_name(line) for line in done.stdout.splitlines() if "::" in line]

    def prepare(self, part: Part) -> None:
        """Prepares what needs no build: the VM and Go programs. `run` calls it if it was not
        called."""
        if "vm" in part.groups:
            vm_session.snapshot(self.progress, part.node)
            vm_session.prepare_programs(self.progress)
        for program in part.needs:
            vm_session.go_program(program, self.progress)

    def _make(self, part: Part) -> None:
        """Builds and installs what the part needs, once, because other parts may use the result."""
        install = vm_session.install_tree if "vm" in part.groups else build.install_tree
        with self._making:
            if "vm" in part.groups and (vm_session.snapshot, part.node) not in self._made:
                vm_session.snapshot(self.progress, part.node)
                self._made.add((vm_session.snapshot, part.node))
            if "build" not in part.groups:
                return
            if part.variant not in self._made:
                build.build(self.progress, part.variant)
                self._made.add(part.variant)
            runs_in_build = part.variant is not build.GCC or part.program and "vm" not in part.groups
            if not (runs_in_build or self._made & {install, vm_session.install_tree}):
                install(self.progress)
                self._made.add(install)

    def _run(self, part: Part, seconds: float | None, result: Result) -> None:
        LOGS.mkdir(parents=True, exist_ok=True)
        report, log = LOGS / f"{part.name}.xml", LOGS / f"{part.name}.log"
        report.unlink(missing_ok=True)
        limit = part.minutes * 60
        words = _pytest(part, "-v", "-s", f"--junit-xml={report}", f"--timeout={_CASE_SECONDS}",
                        f"--limit={limit}", *part.paths())
        if self.pattern:
            words += ["-k", self.pattern]
        if seconds is not None:
            words.append(f"--seconds={seconds:.0f}")
        with self.progress.step(f"suite {part.name}"), log.open("wb") as output:
            code = _ended(subprocess.Popen(words, cwd=ROOT, env=_environment(part), stdout=output,
                                           stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT),
                          limit)
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        result.left_out += [line.removeprefix(LEFT_OUT) for line in lines
                            if line.startswith(LEFT_OUT)]
        result.cases += read_junit(report)
        if code is None:
            result.fail("time limit", f"ended after {part.minutes:.0f} minutes: {_end(log, lines)}")
        elif code == _NO_CASES:
            result.fail("any case", "the suite has no case")
        elif code != (_FAILURES if result.failures else 0) or not (result.cases or result.left_out):
            result.fail("complete report", f"pytest ended with exit code {code}: {_end(log, lines)}")


def run_suites(suites: Sequence[Suite], runner: Runner) -> Iterator[Result]:
    """The suites' results, in the order of the suites. Successive parts that are `side_by_side` run
    two at a time, those with the highest limit first; other parts run alone."""
    for together, neighbours in itertools.groupby(suites, key=lambda suite: suite.side_by_side):
        group = list(neighbours)
        parts = [part for suite in group for part in suite.parts]
        if together:
            parts.sort(key=lambda part: -part.minutes)
        lanes = count_lanes() if together else 1
        with ThreadPoolExecutor(lanes) as pool, ThreadPoolExecutor(1) as beside:
            running = {}
            for part in parts:
                lane = beside if together and part.waits and _has_memory_for(lanes + 1) else pool
                running[part.name] = lane.submit(_reported(runner, len(parts) > 1), part)
            for suite in group:
                result = Result(suite.name)
                for part in suite.parts:
                    result.add(running[part.name].result())
                yield result


def count_lanes() -> int:
    """The number of VMs that run at a time: two if the host has enough processors and memory."""
    return 2 if len(os.sched_getaffinity(0)) > 1 and _has_memory_for(2) else 1


def _has_memory_for(vms: int) -> bool:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >= vms * _MEMORY_OF_ONE


def _reported(runner: Runner, one_of_several: bool) -> Callable[[Part], Result]:
    """Prints at once how a part ended. The output of its failures follows with that of the
    suite."""
    def run(part: Part) -> Result:
        result = runner.run(part)
        if one_of_several and (result.cases or result.left_out):
            runner.progress(result.line())
            for case in result.failures:
                runner.progress(f"{part.name}: failed: {case.name}")
        return result

    return run


def _pytest(part: Part, *options: str) -> list[str]:
    return [sys.executable, "-m", "pytest", f"--rootdir={ROOT}", f"--tag={part.tag}", *options]


def _environment(part: Part) -> dict[str, str]:
    return process.environment() | dict(part.variant.environment) | {
        "LVMD_SUITE": part.name, "LVMD_VM_PROCESSORS": str(part.processors)}


def _ended(child: subprocess.Popen[bytes], limit: float) -> int | None:
    """The exit code; None if the time limit ended the run. After the signal, the current case fails
    and pytest writes its report."""
    try:
        return child.wait(limit + _GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGUSR1)
        try:
            child.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        return None
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()


def _end(log: Path, lines: list[str]) -> str:
    return "\n".join([f"see {log.relative_to(ROOT)}, which ends with", *lines[-15:]])

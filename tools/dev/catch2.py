"""Makes programs that use Catch2 (2.13) files of pytest. Each test case of a program is an item.

A program runs once, for all its items that pytest selects. A program of the install tree runs in
the test VM, any other program runs on this host.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

from .paths import CACHE, INSTALL_TREE, LOGS, ROOT, SUITE
from .results import Case

_REPORT_IN_VM = "/run/catch2-report.xml"
_KILLED = 124


class Program(pytest.File):
    """With the option --tag, only the test cases that have the tag. Otherwise those that are not
        hidden."""

    cases: dict[str, Case] | None = None

    def collect(self) -> Iterator[pytest.Item]:
        # Catch2 2.13 exits with the number of test cases.
        listed = subprocess.run([self.path, "--list-test-names-only", *self._selection()], cwd=ROOT,
                                capture_output=True, text=True, check=False)
        self.names = listed.stdout.splitlines()
        if not self.names:
            raise self.CollectError(f"{self.path} lists no test case: {listed.stderr}")
        for name in self.names:
            yield TestCase.from_parent(self, name=name)

    def case(self, name: str) -> Case:
        if self.cases is None:
            chosen = [item.name for item in self.session.items if item.parent is self]
            try:
                self.cases = self._run(chosen)
            except Exception:
                failure = traceback.format_exc()
                self.cases = {name: Case(name, failure) for name in chosen}
        return self.cases[name]

    def _selection(self) -> list[str]:
        tag = self.config.getoption("tag")
        return [f"[{tag}]"] if tag else []

    def _run(self, chosen: list[str]) -> dict[str, Case]:
        limit = self.config.getoption("limit")
        options = ["--reporter", "xml", "--durations", "yes"]
        names = b""
        if chosen == self.names:
            options += self._selection()
        else:
            options += ["--input-file", "/dev/stdin"]
            names = "".join(f'"{_escaped(name)}"\n' for name in chosen).encode()
        runs_in_vm = self.path.is_relative_to(INSTALL_TREE)
        run = self._run_in_vm if runs_in_vm else self._run_here
        report, exit_code = run(options, names, limit)
        ended = (f"did not end within {limit / 60:.0f} minutes" if exit_code == _KILLED
                 else f"ended with exit code {exit_code}")
        found = {case.name: case for case in read_report(report, ended)}
        if exit_code and not any(case.problem for case in found.values()):
            found[chosen[-1]] = Case(chosen[-1], f"no test case failed, but the program {ended}")
        missing = f"the program {ended} before this test case"
        return {name: found.get(name, Case(name, missing)) for name in chosen}

    def _run_here(self, options: list[str], names: bytes, limit: float) -> tuple[bytes, int]:
        with tempfile.NamedTemporaryFile() as report:
            command = ["setpriv", "--pdeathsig", "KILL", self.path, *options, "--out", report.name]
            try:
                code = subprocess.run(command, cwd=ROOT, input=names, timeout=limit,
                                      check=False).returncode
            except subprocess.TimeoutExpired:
                code = _KILLED
            return report.read(), code

    def _run_in_vm(self, options: list[str], names: bytes, limit: float) -> tuple[bytes, int]:
        from tools import vm

        program = "/" + str(self.path.relative_to(INSTALL_TREE))
        command = shlex.join([program, *options, "--out", _REPORT_IN_VM])
        snapshot = vm.ensure_snapshot(CACHE / "vm")
        with vm.Machine(snapshot, build_tree=INSTALL_TREE) as machine:
            done = machine.run(command, timeout=limit, data=names, on_output=_print)
            report = machine.run(f"cat {_REPORT_IN_VM}").data
            journal = machine.run("journalctl -b --no-pager -o short-precise", timeout=120)
            (LOGS / f"{SUITE}.journal").write_bytes(journal.data)
        return report, _KILLED if done.timed_out else done.exit_code


class TestCase(pytest.Item):
    seconds = 0.0

    def runtest(self) -> None:
        case = self.parent.case(self.name)
        self.seconds = case.seconds
        if case.problem:
            raise Failed(case.problem)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


class Failed(Exception):
    """A test case failed. The text is Catch2's report."""


def read_report(data: bytes, ended: str) -> Iterator[Case]:
    """The test cases of an XML report. If the report is incomplete because the program `ended`, the
    test case that ran then has failed."""
    parser = ElementTree.XMLPullParser(events=("start", "end"))
    parser.feed(data)
    running = None
    try:
        for event, element in parser.read_events():
            if element.tag != "TestCase":
                continue
            running = element.get("name", "?") if event == "start" else None
            if event == "end":
                overall = element.find("OverallResult")
                passed = overall is not None and overall.get("success") == "true"
                seconds = float(overall.get("durationInSeconds", 0)) if overall is not None else 0.0
                problem = "" if passed else "\n".join(_problems(element, "")) or "failed"
                yield Case(element.get("name", "?"), problem, seconds)
    except ElementTree.ParseError as error:
        ended += f", and its report is not Catch2's XML: {error}"
    if running is not None:
        yield Case(running, f"the program {ended} in this test case")


def _problems(element: ElementTree.Element, section: str) -> Iterator[str]:
    notes: list[str] = []  # Catch2 writes the text of INFO before the assertion that it belongs to.
    for child in element:
        text = (child.text or "").strip()
        if child.tag == "Section":
            yield from _problems(child, f"{section} / {child.get('name')}")
        elif child.tag in ("Info", "Warning"):
            notes.append(f"  note: {text}")
        elif child.tag == "OverallResult":
            yield from ((part.text or "").strip() for part in child)
        elif child.tag in ("Expression", "Failure", "Exception", "FatalErrorCondition"):
            if child.get("success") != "true":
                yield f"{child.get('filename', '?')}:{child.get('line', '?')}:{section}"
                yield f"  {child.get('type') or child.tag} {text}".rstrip()
                for part in child:
                    yield f"  {part.tag}: {(part.text or '').strip()}"
                yield from notes
            notes = []


def _escaped(name: str) -> str:
    return re.sub(r'([,"\\])', r"\\\1", name)


def _print(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

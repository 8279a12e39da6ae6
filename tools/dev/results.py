"""The results of a run: one entry per test case."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path


LEFT_OUT = "left out: "
"""The text that pytest prints before the name of each case that did not run for lack of time."""


@dataclass(frozen=True)
class Case:
    name: str
    problem: str = ""
    """The reason why the case failed; empty if it passed."""
    seconds: float = 0.0


@dataclass
class Result:
    suite: str
    cases: list[Case] = field(default_factory=list)
    seconds: float = 0.0
    left_out: list[str] = field(default_factory=list)
    """Cases, or complete parts of a suite, that did not run for lack of time. They are not
    counted."""

    @property
    def failures(self) -> list[Case]:
        return [case for case in self.cases if case.problem]

    @property
    def passed(self) -> int:
        return len(self.cases) - len(self.failures)

    def fail(self, name: str, problem: str) -> None:
        """Counts a failure that no case reports, such as a crash."""
        self.cases.append(Case(name, problem))

    def succeed(self, name: str) -> None:
        self.cases.append(Case(name))

    def add(self, other: Result) -> None:
        self.cases += other.cases
        self.left_out += other.left_out
        self.seconds += other.seconds

    def line(self) -> str:
        left_out = f", {len(self.left_out)} left out" if self.left_out else ""
        return (f"{self.suite}: {self.passed} passed, {len(self.failures)} failed{left_out} "
                f"({self.seconds:.1f} s)")


def case_name(node_id: str) -> str:
    """`module.Class.method` of a Python case, without folders; the name of a Catch2 or fuzz
    case."""
    path, _, rest = node_id.partition("::")
    return f"{Path(path).stem}.{rest.replace('::', '.')}" if path.endswith(".py") else rest


def total(results: Sequence[Result]) -> int:
    """Prints the line `total: N passed, N failed`; returns the exit code."""
    failed = sum(len(result.failures) for result in results)
    passed = sum(result.passed for result in results)
    print(f"total: {passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


def read_junit(path: Path) -> list[Case]:
    """The cases of a report that pytest wrote; none if it wrote no complete report."""
    try:
        entries = ElementTree.parse(path).iter("testcase")
    except (FileNotFoundError, ElementTree.ParseError):
        return []
    cases: dict[str, Case] = {}
    for entry in entries:
        properties = {p.get("name"): p.get("value", "") for p in entry.iter("property")}
        name = properties.get("case") or f"{entry.get('classname')} {entry.get('name')}".strip()
        problems = [part.text or part.get("message", "no reason given") for part in entry
                    if part.tag in ("failure", "error", "skipped")]
        # A case has two entries if its clean-up fails.
        before = cases.get(name, Case(name))
        cases[name] = Case(name, "\n".join(filter(None, [before.problem, *problems])),
                           before.seconds + float(entry.get("time", 0)))
    return list(cases.values())

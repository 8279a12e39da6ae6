"""What a suite's run gives: one entry per test case."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    name: str
    passed: bool
    seconds: float = 0.0
    output: str = ""
    """Why it failed, for a person; empty when it passed."""


@dataclass
class SuiteResult:
    suite: str
    cases: list[Case] = field(default_factory=list)
    seconds: float = 0.0
    left_out: list[str] = field(default_factory=list)
    """Cases, or whole suites, for which there was no time. They count as nothing."""

    @property
    def passed(self) -> int:
        return sum(case.passed for case in self.cases)

    @property
    def failed(self) -> int:
        return len(self.cases) - self.passed

    def fail(self, name: str, reason: str) -> None:
        """Counts something that is no case of its own (a crash, a missing program) as a failure."""
        self.cases.append(Case(name, passed=False, output=reason))

    def succeed(self, name: str) -> None:
        self.cases.append(Case(name, passed=True))

    def line(self) -> str:
        left_out = f", {len(self.left_out)} left out" if self.left_out else ""
        return (f"{self.suite}: {self.passed} passed, {self.failed} failed{left_out} "
                f"({self.seconds:.1f} s)")

"""The results of a run, by kind of fault."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from .model import Finding

KINDS = ("lost", "leaked", "wrong", "stuck")
RIGHT_AGAIN_SECONDS = 15.0
"""The time within which health must report a fault, and its end."""


@dataclass
class Kind:
    """One kind of fault."""

    how: str
    injected: int = 0
    rounds: int = 0
    lost: int = 0
    leaked: int = 0
    wrong: int = 0
    stuck: int = 0
    late: int = 0
    """The number of times at which health reported the fault, or its end, later than
    RIGHT_AGAIN_SECONDS or not at all."""
    told_seconds: float | None = None
    """The longest time until health reported anything but SERVING."""
    right_seconds: float | None = None
    """The longest time from the fault's end until health stayed SERVING."""
    said: Counter[str] = field(default_factory=Counter)
    """The reports of health, with their counts."""


@dataclass
class Tally:
    seed: str
    rounds: int = 0
    operations: int = 0
    requests: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    internal: Counter[str] = field(default_factory=Counter)
    """Messages of responses INTERNAL, which must not occur."""
    kinds: dict[str, Kind] = field(default_factory=dict)
    findings: list[dict[str, str]] = field(default_factory=list)

    def add(self, kind: Kind, name: str, number: int, found: list[Finding]) -> None:
        for finding in found:
            setattr(kind, finding.kind, getattr(kind, finding.kind) + 1)
            self.findings.append({"round": str(number), "fault": name, **asdict(finding)})

    @property
    def bad(self) -> int:
        return len(self.findings)

    def write(self, path: Path) -> None:
        # asdict() makes a Counter that counts the items of a Counter.
        kinds = {name: vars(kind) for name, kind in self.kinds.items()}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(vars(self) | {"kinds": kinds}, indent=1) + "\n",
                        encoding="utf-8")

    def summary(self) -> str:
        """The number of findings of each kind, as text."""
        return ", ".join(f"{sum(getattr(kind, one) for kind in self.kinds.values())} {one}"
                         for one in KINDS)

    def table(self) -> str:
        header = ("fault", "injected", *KINDS, "reported after", "right after", "late")
        rows = [header] + [
            (name, str(kind.injected), *(str(getattr(kind, one)) for one in KINDS),
             _seconds(kind.told_seconds), _seconds(kind.right_seconds), str(kind.late))
            for name, kind in self.kinds.items()]
        widths = [max(len(row[at]) for row in rows) for at in range(len(header))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                 for row in rows]
        answers = ", ".join(f"{count} {code}" for code, count in self.answers.most_common())
        return "\n".join([*lines, "", f"seed {self.seed}: {self.rounds} rounds, "
                          f"{self.operations} operations, {self.requests} requests "
                          f"(answers: {answers}); "
                          + self.summary()])


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} s"

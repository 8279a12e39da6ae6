"""The rules of docs/protocol.md and docs/reconciler.md and the goals of docs/goals.md, read from
their tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .tree import ROOT

DOCUMENTS = (Path("docs/protocol.md"), Path("docs/reconciler.md"), Path("docs/goals.md"))
ID = re.compile(r"[PRE]-[A-Z]+-\d+")


@dataclass(frozen=True)
class Rule:
    id: str
    document: Path
    text: str
    in_force: bool


def read(root: Path = ROOT) -> list[Rule]:
    """All rules in the order of the documents."""
    return [rule for document in DOCUMENTS
            for rule in parse(document, (root / document).read_text(encoding="utf-8"))]


def parse(document: Path, text: str) -> list[Rule]:
    """A row whose first cell is an id is a rule; below "Not yet in force" it is a planned one."""
    rules, in_force = [], True
    for line in text.splitlines():
        if line.startswith("## "):
            in_force = "Not yet in force" not in line
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and ID.fullmatch(cells[0]):
            rules.append(Rule(cells[0], document, " | ".join(cells[1:]), in_force))
    return rules

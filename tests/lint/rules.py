"""Reads the rules of docs/protocol.md, docs/reconciler.md and docs/csi.md and the goals of
docs/goals.md from their tables, and the rules in the comments of protos/lvmd.proto."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .tree import ROOT

DOCUMENTS = (Path("docs/protocol.md"), Path("docs/reconciler.md"), Path("docs/csi.md"),
             Path("docs/goals.md"))
PROTO = Path("protos/lvmd.proto")
ID = re.compile(r"[PREC]-[A-Z]+-\d+")


@dataclass(frozen=True)
class Rule:
    id: str
    document: Path
    text: str
    in_force: bool


def read(root: Path = ROOT) -> list[Rule]:
    """All rules, in the order of the documents, beginning with those of the .proto file."""
    return parse_proto(PROTO, (root / PROTO).read_text(encoding="utf-8")) + [
        rule for document in DOCUMENTS
        for rule in parse(document, (root / document).read_text(encoding="utf-8"))]


def parse_proto(document: Path, text: str) -> list[Rule]:
    """A comment that begins with an id and a colon is a rule."""
    comments = re.findall(rf"(?m)^ *// ({ID.pattern}): (.*(?:\n *// .*)*)", text)
    return [Rule(name, document, re.sub(r"\s*\n *// ", " ", words), True)
            for name, words in comments]


def parse(document: Path, text: str) -> list[Rule]:
    """A row whose first cell is an id is a rule. Below "Not yet in force" it is a planned rule."""
    rules, in_force = [], True
    for line in text.splitlines():
        if line.startswith("## "):
            in_force = "Not yet in force" not in line
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and ID.fullmatch(cells[0]):
            rules.append(Rule(cells[0], document, " | ".join(cells[1:]), in_force))
    return rules

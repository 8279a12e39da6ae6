"""docs/evidence.md: which test case or bench figure shows which rule.

A row is `| ID | NAMES |`. Names are in backticks, separated by `<br>`, and written as `./dev test
--list` prints them (`unit: a negative size is refused [P-SIZE-1]`) or as `bench NAME: FIGURE`. A rule
that nothing shows has the words `not shown yet` instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from .rules import ID, Rule

DOCUMENT = Path("docs/evidence.md")
MISSING = "not shown yet"
# Rows of the document's own: what is wanted and is no rule of the protocol.
OWN_ID = re.compile(r"E-[A-Z]+-\d+")
_HEADER = "| rule | shown by |\n|---|---|\n"


@dataclass(frozen=True)
class Row:
    id: str
    names: tuple[str, ...]


class DocumentError(Exception):
    """A row cannot be read; the text names it."""


def parse(text: str) -> list[Row]:
    rows = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or not (ID.fullmatch(cells[0]) or OWN_ID.fullmatch(cells[0])):
            continue
        names = cells[-1]
        if names == MISSING:
            rows.append(Row(cells[0], ()))
            continue
        parts = names.split("<br>")
        if not all(re.fullmatch(r"`[^`]+`", part) for part in parts):
            raise DocumentError(f"{cells[0]}: '{names}' is neither names in backticks, separated "
                                f"by <br>, nor '{MISSING}'")
        rows.append(Row(cells[0], tuple(part.strip("`") for part in parts)))
    return rows


def findings(rows: Sequence[Row], rules: Sequence[Rule], known: Collection[str]) -> list[str]:
    """What is wrong with the document, one line each."""
    found = []
    ids = [row.id for row in rows]
    in_force = {rule.id for rule in rules if rule.in_force}
    found += [f"{rule}: two rows" for rule in sorted({i for i in ids if ids.count(i) > 1})]
    found += [f"{rule.id}: no row" for rule in rules if rule.in_force and rule.id not in ids]
    found += [f"{i}: a row, but no rule in force has this id" for i in ids
              if ID.fullmatch(i) and i not in in_force]
    found += [f"{row.id}: {MISSING}" for row in rows if not row.names]
    found += [f"{row.id}: neither a test nor a bench figure is called '{name}'"
              for row in rows for name in row.names if name not in known]
    return found


def proposed(text: str, rules: Sequence[Rule], known: Sequence[str]) -> str:
    """The document with a row for every rule in force, in the documents' order: the names that are
    there and still known, then those that cite the rule. Other lines and rows stay."""
    written = {row.id: row.names for row in parse(text)}
    named = {}
    for rule in rules:
        if rule.in_force:
            kept = [name for name in written.get(rule.id, ()) if name in known]
            named[rule.id] = kept + [name for name in _citing(rule.id, known) if name not in kept]
    out = []
    for part in re.split(r"(?m)^(?=## )", text):
        heading = re.match(r"## `(docs/[\w.]+)`", part)
        if heading:
            body = part.split(_HEADER, 1)[0] + _HEADER
            part = body + "".join(_row(rule.id, named[rule.id]) for rule in rules
                                  if rule.in_force and str(rule.document) == heading[1]) + "\n"
        out.append(part)
    return "".join(out).rstrip("\n") + "\n"


def _citing(rule: str, known: Sequence[str]) -> list[str]:
    """The names that have the rule in brackets. A case that runs against the fake node and in the
    VM is named once, where real LVM is."""
    found = [name for name in known if rule in _cited(name)]
    return [name for name in found
            if not (name.startswith("rpc: ") and name.replace("rpc:", "system:", 1) in found)]


def _cited(name: str) -> set[str]:
    """The rules in a name's brackets: `[P-A-1, P-A-2]`; a range is `[P-A-1..4]`."""
    rules = set()
    for inside in re.findall(r"\[([^\]]*)\]", name):
        for kind, first, last in re.findall(r"\b([PR]-[A-Z]+-)(\d+)(?:\.\.(\d+))?", inside):
            rules |= {f"{kind}{number}" for number in range(int(first), int(last or first) + 1)}
    return rules


def _row(rule: str, names: Sequence[str]) -> str:
    cell = "<br>".join(f"`{name}`" for name in names) if names else MISSING
    return f"| {rule} | {cell} |\n"

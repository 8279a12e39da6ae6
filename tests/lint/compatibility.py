"""Compares docs/compatibility.md with the two lists that it explains: the differential run's
intended differences, and the remarks on TopoLVM in docs/protocol.md."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from .rules import ID, Rule

DOCUMENT = Path("docs/compatibility.md")
_DIFFERENCE = re.compile(r"\bD-[A-Z]+(?:-[A-Z0-9]+)*\b")


def findings(document: str, differences: Iterable[str], rules: Iterable[Rule]) -> list[str]:
    """The findings, one line each: an intended difference without a row (`| D-… |`), a row without
    a difference, a rule with a remark on TopoLVM that the document does not cite, and a citation of
    a rule that is not in force."""
    rows = re.findall(r"(?m)^\| (D-[A-Z0-9-]+) \|", document)
    listed, mentioned = set(differences), set(_DIFFERENCE.findall(document))
    cited = set(ID.findall(document))
    by_id = {rule.id: rule for rule in rules}
    found = [f"{name}: no row in {DOCUMENT}" for name in sorted(listed - set(rows))]
    found += [f"{name}: two rows" for name in sorted({n for n in rows if rows.count(n) > 1})]
    found += [f"{name}: the differential run's list has no such entry"
              for name in sorted(mentioned - listed)]
    found += [f"{rule.id}: says how TopoLVM differs, {DOCUMENT} does not cite it"
              for rule in by_id.values() if "TopoLVM:" in rule.text and rule.id not in cited]
    found += [f"{name}: cited, but there is no such rule" for name in sorted(cited - by_id.keys())]
    return found

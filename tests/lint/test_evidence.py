"""Each rule is shown by something that exists."""

from pathlib import Path

from tools.dev.progress import Progress

from . import evidence, known_names, rules
from .check import Check
from .tree import ROOT

SMALL = """
## 1. In force

| id | rule |
|---|---|
| P-A-1 | one |
| P-A-2 | two, see P-A-1 |
| P-A-4 | four. TopoLVM: five |

## 2. Not yet in force

| id | planned |
|---|---|
| P-A-3 | three |
"""
RULES = rules.parse(Path("docs/small.md"), SMALL)
FOUR = "| P-A-4 | `bench peer: CreateLV` |"
KNOWN = ["unit: one [P-A-1]", "rpc: two [P-A-2, P-A-1]", "system: two [P-A-2, P-A-1]",
         "bench peer: CreateLV"]


class Evidence(Check):
    def test_every_rule_is_shown_by_a_case_or_figure_that_exists(self) -> None:
        document = (ROOT / evidence.DOCUMENT).read_text(encoding="utf-8")
        found = evidence.findings(evidence.parse(document), rules.read(),
                                  known_names.read(Progress()))
        self.assert_none(found, "./dev evidence --write takes in what test names cite")


class EvidenceChecks(Check):
    """The check itself: what is wrong must be found."""

    def found(self, *lines: str) -> list[str]:
        return evidence.findings(evidence.parse("\n".join([*lines, FOUR])), RULES, KNOWN)

    def test_complete_evidence_is_let_through(self) -> None:
        self.assertEqual(self.found("| P-A-1 | `unit: one [P-A-1]`<br>`bench peer: CreateLV` |",
                                    "| P-A-2 | `system: two [P-A-2, P-A-1]` |",
                                    "| E-B-1 | words | `unit: one [P-A-1]` |"), [])

    def test_a_missing_row_and_a_row_too_many_are_found(self) -> None:
        one = "| P-A-1 | `unit: one [P-A-1]` |"
        self.assertEqual(self.found(one), ["P-A-2: no row"])
        two = "| P-A-2 | `system: two [P-A-2, P-A-1]` |"
        self.assertEqual(self.found(one, one, two), ["P-A-1: two rows"])
        for other in ("P-A-3", "P-A-9"):
            self.assertEqual(len(self.found(one, two, f"| {other} | `unit: one [P-A-1]` |")), 1)

    def test_an_unknown_name_and_no_name_are_found(self) -> None:
        self.assertEqual(
            self.found("| P-A-1 | `unit: other` |", "| P-A-2 | not shown yet |"),
            ["P-A-2: not shown yet",
             "P-A-1: neither a test nor a bench figure is called 'unit: other'"])

    def test_a_row_that_says_something_else_is_refused(self) -> None:
        for cell in ("", "see above", "unit: one [P-A-1]", "`a`, `b`"):
            with self.subTest(cell), self.assertRaises(evidence.DocumentError):
                evidence.parse(f"| P-A-1 | {cell} |")

    def test_what_cites_a_rule_is_proposed_and_what_is_gone_is_dropped(self) -> None:
        before = ("# E\n\n## `docs/small.md`\n\n| rule | shown by |\n|---|---|\n"
                  "| P-A-1 | `unit: gone`<br>`bench peer: CreateLV` |\n\n## Own\n\n"
                  "| E-B-1 | words | `bench peer: CreateLV` |\n")
        after = evidence.proposed(before, RULES, KNOWN)
        self.assertEqual(
            after,
            "# E\n\n## `docs/small.md`\n\n| rule | shown by |\n|---|---|\n"
            "| P-A-1 | `bench peer: CreateLV`<br>`unit: one [P-A-1]`"
            "<br>`system: two [P-A-2, P-A-1]` |\n"
            "| P-A-2 | `system: two [P-A-2, P-A-1]` |\n| P-A-4 | not shown yet |\n\n## Own\n\n"
            "| E-B-1 | words | `bench peer: CreateLV` |\n")
        self.assertEqual(evidence.proposed(after, RULES, KNOWN), after)

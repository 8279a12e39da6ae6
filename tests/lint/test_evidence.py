"""Each rule has a test case or a figure."""

from pathlib import Path

from . import evidence, rules
from .check import Check

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
COMPLETE = {rule: ["here"] for rule in ("P-A-1", "P-A-2", "P-A-4")}


class Evidence(Check):
    def test_every_rule_is_shown_by_a_case_or_figure(self) -> None:
        found = evidence.findings(rules.read(), evidence.citations())
        self.assert_none(found, "a case cites a rule in brackets, see tests/lint/evidence.py")

    def test_figures_that_show_a_rule_exist(self) -> None:
        self.assert_none(evidence.unknown_figures())


class EvidenceChecks(Check):
    """The check itself: it must find errors."""

    def test_complete_evidence_is_let_through(self) -> None:
        self.assertEqual(evidence.findings(RULES, COMPLETE), [])

    def test_a_rule_that_nothing_shows_is_found(self) -> None:
        shown = {rule: places for rule, places in COMPLETE.items() if rule != "P-A-2"}
        self.assertEqual(evidence.findings(RULES, shown),
                         ["P-A-2: no test case and no figure cites it"])

    def test_a_citation_of_no_rule_in_force_is_found(self) -> None:
        for other in ("P-A-3", "P-A-9"):
            self.assertEqual(
                evidence.findings(RULES, COMPLETE | {other: ["there"]}),
                [f"{other}: no such rule is in force, but it is cited by there"])

    def test_an_unknown_figure_is_found(self) -> None:
        self.assertEqual(evidence.unknown_figures(["peer: CreateLV thick", "peer: nothing"]),
                         ["peer: nothing"])

    def test_cases_and_what_they_cite_are_read(self) -> None:
        cpp = 'TEST_CASE("a size [P-A-1,"\n          " P-A-2]", "[x]") {}\nTEST_CASE("b") {}\n'
        self.assertEqual([name for name, _ in evidence.catch2_cases(cpp)],
                         ["a size [P-A-1, P-A-2]", "b"])
        python = ('class A:\n    def test_a(self):\n        """[P-A-3..5]"""\n'
                  '    def other(self):\n        """[P-A-1]"""\n')
        self.assertEqual(list(evidence.python_cases(python)), [("A.test_a", "[P-A-3..5]")])
        self.assertEqual(evidence.cited("[P-A-3..5] P-A-9 [R-B-1, x]"),
                         {"P-A-3", "P-A-4", "P-A-5", "R-B-1"})

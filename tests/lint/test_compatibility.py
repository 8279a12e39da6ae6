"""The document explains each difference from TopoLVM's lvmd, and no other."""

from tests.differential import intended

from . import compatibility, rules
from .check import Check
from .test_evidence import RULES
from .tree import ROOT


class Compatibility(Check):
    def test_every_intended_difference_is_explained(self) -> None:
        """[E-PEER-1]"""
        document = (ROOT / compatibility.DOCUMENT).read_text(encoding="utf-8")
        entries = intended.read()
        self.assert_none(compatibility.findings(document, [entry.id for entry in entries],
                                                rules.read()))

    def test_intended_differences_cite_rules_in_force(self) -> None:
        in_force = {rule.id for rule in rules.read() if rule.in_force}
        self.assert_none([f"{entry.id}: no rule {rule}" for entry in intended.read()
                          for rule in entry.rules if rule not in in_force])


class CompatibilityChecks(Check):
    """The check itself: it must find errors."""

    def found(self, document: str, *differences: str) -> list[str]:
        return compatibility.findings(document, differences, RULES)

    def test_a_complete_document_is_let_through(self) -> None:
        self.assertEqual(self.found("| D-ONE | text [P-A-1] [P-A-4] |\nsee D-ONE", "D-ONE"), [])

    def test_gaps_on_either_side_are_found(self) -> None:
        self.assertEqual(self.found("see D-ONE and P-A-4", "D-ONE"),
                         ["D-ONE: no row in docs/compatibility.md"])
        self.assertEqual(self.found("| D-ONE | P-A-4 |"),
                         ["D-ONE: the differential run's list has no such entry"])
        self.assertEqual(self.found("nothing"),
                         ["P-A-4: says how TopoLVM differs, docs/compatibility.md does not cite it"])
        self.assertEqual(self.found("P-A-4, P-A-9"), ["P-A-9: cited, but there is no such rule"])

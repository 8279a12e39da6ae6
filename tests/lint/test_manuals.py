"""The manual page of a program has every flag of it.

Not checked is lvmd(8): lvmd also accepts flags of TopoLVM's lvmd, most of which it ignores.
"""

from . import interface
from .check import Check
from .tree import ROOT

PROGRAMS = ("csi-controller", "lvmd-reconciler")


def undocumented(program: str, names: set[str], page: str) -> list[str]:
    """The flags of `program` among the names of interface.py that are not in its page."""
    words = page.replace("\\-", "-").replace("\\", "")
    flags = sorted(name.split()[2] for name in names if name.startswith(f"flag {program} "))
    if not flags:
        return [f"{program} has no flags"]
    return [f"{program} {flag}" for flag in flags if flag not in words]


class Manuals(Check):
    def test_every_flag_is_in_the_page(self) -> None:
        names = interface.read()
        wrong = [line for program in PROGRAMS for line in undocumented(
            program, names, (ROOT / f"docs/man/{program}.8").read_text(encoding="utf-8"))]
        self.assert_none(wrong)

    def test_a_missing_flag_is_found(self) -> None:
        names = {"flag a --one", "flag a --two-words", "flag b --other"}
        self.assertEqual(undocumented("a", names, ".B \\-\\-two\\-words\n"), ["a --one"])
        self.assertEqual(undocumented("c", names, ""), ["c has no flags"])

"""The code and the protocol list the same reasons and metadata keys of errors."""

import re

from .check import Check
from .tree import ROOT

CODE = ROOT / "lvmd/base/reason.hpp"
PROTOCOL = ROOT / "docs/protocol.md"


def constants(text: str, namespace: str) -> set[str]:
    """The values of the string constants in `namespace lvmd::<namespace>`."""
    body = text.split(f"namespace lvmd::{namespace} {{")[1].split("}  // namespace")[0]
    return set(re.findall(r'= "([^"]+)"', body))


def rows(text: str) -> list[list[str]]:
    """The rows of the table of section "Reasons", cell by cell."""
    section = text.split("### Reasons")[1].split("\n### ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")]
            for line in section.splitlines() if line.startswith("| `")]


class Reasons(Check):
    def test_each_reason_of_the_code_is_documented_and_no_other(self) -> None:
        documented = {row[0].strip("`") for row in rows(PROTOCOL.read_text(encoding="utf-8"))}
        in_code = constants(CODE.read_text(encoding="utf-8"), "reason")
        self.assertTrue(in_code)
        self.assert_none(sorted(in_code ^ documented), "in one of both only")

    def test_each_documented_key_is_one_of_the_code(self) -> None:
        keys = constants(CODE.read_text(encoding="utf-8"), "key")
        documented = {key for row in rows(PROTOCOL.read_text(encoding="utf-8"))
                      for key in re.findall(r"`([a-z_]+)`", row[3])}
        self.assertTrue(documented)
        self.assert_none(sorted(documented - keys), "documented, but no key of the code")

    def test_a_missing_reason_is_found(self) -> None:
        text = "### Reasons\n| `A` | X | when | `vg` |\n### Next\n| `B` | X | when | |\n"
        self.assertEqual([row[0] for row in rows(text)], ["`A`"])
        code = 'namespace lvmd::reason {\nconstexpr auto kC = "C";\n}  // namespace lvmd::reason\n'
        self.assertEqual(constants(code, "reason"), {"C"})

"""Each installed program links only the libraries of its module and of the modules below."""

import subprocess
import tempfile
from pathlib import Path

from .. import links, modules
from ..check import Check
from ..test_modules import DOCUMENT, SMALL_TABLE
from ..tree import INSTALL_TREE


class Links(Check):
    def test_no_program_links_what_its_module_may_not_use(self) -> None:
        table = modules.read(DOCUMENT)
        programs = links.programs(INSTALL_TREE)
        self.assertTrue(programs, f"no program is installed in {INSTALL_TREE}")
        found = [line for program in programs for line in links.violations(table, program)]
        self.assert_none(found)


class ForbiddenLinks(Check):
    """The check itself, on a program that links a forbidden library."""

    def found(self, name: str, *libraries: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / name
            subprocess.run(
                ["g++", "-x", "c++", "-", "-o", program, "-Wl,--no-as-needed", *libraries],
                input="int main() {}", check=True, text=True,
            )
            return links.violations(modules.parse(SMALL_TABLE), program)

    def test_a_forbidden_library_is_found(self) -> None:
        found = self.found("lvmd-server", "-lfmt", "-ldevmapper")
        self.assertEqual(len(found), 1, found)
        self.assertIn("does not let lvmd/server use libdevmapper", found[0])

    def test_an_allowed_library_is_let_through(self) -> None:
        self.assertEqual(self.found("lvmd-server", "-lfmt"), [])

    def test_a_program_of_no_module_is_found(self) -> None:
        self.assertEqual(self.found("lvmd-other"), ["lvmd-other: the table has no module of it"])

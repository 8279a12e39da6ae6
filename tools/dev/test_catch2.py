"""Catch2 programs in pytest, with reports in the format of Catch2 2.13."""

import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from .catch2 import _escaped, read_report
from .paths import BUILD, ROOT
from .results import Case, read_junit

HEAD = '<?xml version="1.0" encoding="UTF-8"?><Catch name="t"><Group name="t">'
GOOD = '<TestCase name="good"><OverallResult success="true" durationInSeconds="0.5"/></TestCase>'
BAD = """<TestCase name="bad"><Section name="s"><Info> said </Info>
<Expression success="false" type="CHECK" filename="a.cpp" line="6">
<Original> a == 1 </Original><Expanded> 2 == 1 </Expanded></Expression></Section>
<OverallResult success="false" durationInSeconds="0.1"/></TestCase>"""
TAIL = "</Group></Catch>"


def read(*pieces: str) -> list[Case]:
    return list(read_report("".join(pieces).encode(), "ended with exit code 6"))


class ReportReaderTest(unittest.TestCase):
    def test_cases_are_counted_with_what_went_wrong(self) -> None:
        good, bad = read(HEAD, GOOD, BAD, TAIL)
        self.assertEqual(good, Case("good", "", 0.5))
        self.assertEqual(bad.problem.splitlines(), [
            "a.cpp:6: / s", "  CHECK", "  Original: a == 1", "  Expanded: 2 == 1", "  note: said"])

    def test_the_case_in_which_the_program_died_failed(self) -> None:
        good, dies = read(HEAD, GOOD, '<TestCase name="dies"><Section name="s">')
        self.assertEqual((good.problem, dies.name), ("", "dies"))
        self.assertIn("exit code 6", dies.problem)

    def test_what_is_no_report_has_no_cases(self) -> None:
        self.assertEqual(read("Segmentation fault"), [])


class ProgramTest(unittest.TestCase):
    """Programs that are scripts: they list three cases and write a report."""

    def run_program(self, report: str, exit_code: int, *options: str,
                    before: str = "") -> dict[str, str]:
        """The problem of each case."""
        BUILD.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            program, junit = Path(folder) / "program", Path(folder) / "junit.xml"
            program.write_text(
                '#!/bin/bash\n[[ $1 != --list* ]] || { printf "good\\nbad\\nlast, [one]\\n"; exit 3; }\n'
                f"cat >{folder}/names\n{before}\necho '{report}' >\"${{@: -1}}\"\nexit {exit_code}\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            subprocess.run([sys.executable, "-m", "pytest", f"--junit-xml={junit}", *options, program],
                           cwd=ROOT, capture_output=True, check=False)
            self.names = (Path(folder) / "names").read_text()
            return {case.name: case.problem for case in read_junit(junit)}

    def test_a_report_that_breaks_off_between_cases_is_a_failure(self) -> None:
        found = self.run_program(HEAD + GOOD, 0)
        self.assertEqual(found["good"], "")
        self.assertIn("before this test case", found["bad"])
        self.assertIn("before this test case", found["last, [one]"])

    def test_an_exit_code_that_no_case_explains_is_a_failure(self) -> None:
        found = self.run_program(HEAD + GOOD + TAIL, 1, "-k", "good")
        self.assertIn("no test case failed, but the program ended with exit code 1", found["good"])

    def test_a_program_that_takes_too_long_is_ended(self) -> None:
        found = self.run_program("", 0, "--limit=0.5", before="exec sleep 60")
        self.assertIn("the program did not end within", found["good"])

    def test_names_are_taken_literally(self) -> None:
        self.run_program(HEAD + TAIL, 0, "-k", "last")
        self.assertEqual(self.names, '"last\\, [one]"\n')
        self.assertEqual(_escaped('a "b"'), 'a \\"b\\"')

"""The reader of Catch2's reports, on reports as Catch2 2.13 writes them."""

import unittest

from .catch2 import ReportReader, name_filter

HEAD = '<?xml version="1.0" encoding="UTF-8"?><Catch name="t"><Group name="t">'
GOOD = '<TestCase name="good"><OverallResult success="true" durationInSeconds="0.5"/></TestCase>'
BAD = """<TestCase name="bad"><Section name="s"><Info> said </Info>
<Expression success="false" type="CHECK" filename="a.cpp" line="6">
<Original> a == 1 </Original><Expanded> 2 == 1 </Expanded></Expression></Section>
<OverallResult success="false" durationInSeconds="0.1"/></TestCase>"""
TAIL = "</Group></Catch>"


def read(*pieces: str, exit_code: int = 0):
    reader = ReportReader()
    for piece in pieces:
        reader.feed(piece)
    return reader.finish(exit_code)


class ReportReaderTest(unittest.TestCase):
    def test_cases_are_counted_with_what_went_wrong(self) -> None:
        good, bad = read(HEAD, GOOD, BAD, TAIL, exit_code=1)
        self.assertEqual((good.name, good.passed, good.seconds), ("good", True, 0.5))
        self.assertFalse(bad.passed)
        self.assertEqual(bad.output.splitlines(), [
            "a.cpp:6: in section s", "  CHECK( a == 1 )", "  with expansion: 2 == 1", "  note: said",
        ])

    def test_the_case_in_which_the_program_died_failed(self) -> None:
        cases = read(HEAD, GOOD, '<TestCase name="dies"><Section name="s">', exit_code=-11)
        self.assertEqual([(case.name, case.passed) for case in cases],
                         [("good", True), ("dies", False)])
        self.assertIn("-11", cases[1].output)

    def test_a_report_that_breaks_off_between_cases_is_a_failure(self) -> None:
        for pieces in ((HEAD, GOOD), ()):
            self.assertFalse(read(*pieces, exit_code=0)[-1].passed)

    def test_an_exit_code_that_no_case_explains_is_a_failure(self) -> None:
        self.assertFalse(read(HEAD, GOOD, TAIL, exit_code=1)[-1].passed)
        self.assertTrue(all(case.passed for case in read(HEAD, GOOD, TAIL)))

    def test_what_is_no_report_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            read("Segmentation fault")

    def test_a_pattern_is_taken_literally(self) -> None:
        self.assertEqual(name_filter("a, [b]"), r"~[.]*a\, \[b\]*")

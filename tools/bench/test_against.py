"""The comparison of two builds: pure functions of the times."""

from __future__ import annotations

import unittest

from . import report
from .against import NEW, OLD, OLD_AGAIN, Compared, compare, told, turns
from .samples import BenchError


class Against(unittest.TestCase):
    def test_each_build_has_as_many_calls_early_and_late(self) -> None:
        planned = list(turns(40))
        for who in (OLD, NEW, OLD_AGAIN):
            self.assertEqual(sum(changes for name, changes in planned if name == who), 40)
            places = [place for place, (name, _) in enumerate(planned) if name == who]
            self.assertEqual(sum(places) / len(places), (len(planned) - 1) / 2)

    def test_slower_is_more_than_5_percent_beyond_the_noise(self) -> None:
        self.assertFalse(Compared("CreateLV", 100, 100, 105).is_slower())
        self.assertTrue(Compared("CreateLV", 100, 100, 106).is_slower())
        # The halves of the old build differ by 10 %.
        self.assertFalse(Compared("CreateLV", 100, 110, 118).is_slower())
        self.assertTrue(Compared("CreateLV", 100, 110, 122).is_slower())

    def test_the_table_names_what_is_slower(self) -> None:
        times = {who: {call: [10.0, 12.0, 14.0] for call in report.CALLS}
                 for who in (OLD, NEW, OLD_AGAIN)}
        times[NEW]["RemoveLV thick"] = [24.0]
        text = told(compare(times), 3, "0123456789ab", 12)
        slower = [line for line in text.splitlines() if "SLOWER" in line]
        self.assertEqual(len(slower), 1, text)
        self.assertIn("RemoveLV thick", slower[0])
        self.assertIn("2.000", slower[0])

    def test_a_call_without_times_is_no_result(self) -> None:
        with self.assertRaises(BenchError):
            compare({OLD: {}, NEW: {}, OLD_AGAIN: {}})


if __name__ == "__main__":
    unittest.main()

"""The figures of `./dev bench transfer`, from invented times."""

import json
import unittest

from . import made_up, transfer_report
from .stage import Memory
from .transfer_report import AGAIN, BACKUP, OURS, PLAIN, RESTORE


class Figures(unittest.TestCase):
    def setUp(self) -> None:
        seconds = {BACKUP: {OURS: [22.0, 1000.0, 20.0], PLAIN: [20.0, 10.0, 20.0]},
                   RESTORE: {OURS: [9.0], PLAIN: [10.0]},
                   AGAIN: {OURS: [3.0, 5.0], PLAIN: [2.0, 2.0]}}
        self.figure = transfer_report.of_kind(10, 2, seconds)

    def test_medians_are_compared(self) -> None:
        self.assertEqual((self.figure[BACKUP]["ours_median_s"],
                          self.figure[BACKUP]["restic_median_s"], self.figure[BACKUP]["ratio"]),
                         (22.0, 20.0, 1.1))
        self.assertEqual(self.figure[RESTORE]["ratio"], 0.9)

    def test_the_second_backup_beside_ours_of_the_first(self) -> None:
        self.assertEqual(self.figure["of_first"], round(4 / 22, 3))

    def test_all_times_are_kept(self) -> None:
        stored = json.loads(json.dumps(self.figure))
        self.assertEqual(stored[BACKUP]["ours_s"], [22.0, 1000.0, 20.0])
        self.assertEqual(stored[BACKUP]["restic_s"], [20.0, 10.0, 20.0])


class Rows(unittest.TestCase):
    def test_a_line_for_each_figure(self) -> None:
        rows = transfer_report.rows(made_up.transfer_json())
        self.assertEqual([name for name, _ in rows[1:]], list(transfer_report.FIGURES))

    def test_the_names_tell_the_size_that_was_transferred(self) -> None:
        self.assertEqual(transfer_report.KINDS, ("files: 10,000 of 100 kB", "files: one of 1 GB"))
        stored = made_up.transfer_json()
        stored[transfer_report.MANY] |= {"bytes": 300_000_000, "files": 3000}
        stored[transfer_report.ONE] |= {"bytes": 300_000_000}
        names = [name for name, _ in transfer_report.rows(stored)]
        self.assertIn("files: 3,000 of 100 kB, backup", names)
        self.assertIn("files: one of 0.3 GB, restore", names)

    def test_what_an_interrupted_run_has_left_is_shown(self) -> None:
        stored = made_up.transfer_json()
        del stored[transfer_report.ONE], stored[transfer_report.MEMORY]
        self.assertEqual(len(transfer_report.rows(stored)), 4)
        self.assertEqual(transfer_report.rows({"runs": [made_up.RUN]}), [["", "measured"]])

    def test_the_memory_before_and_after(self) -> None:
        figure = transfer_report.memory(Memory(30_000, 10_000), Memory(40_000, 20_000))
        rows = transfer_report.rows({transfer_report.MEMORY: figure})
        self.assertEqual(rows[1][1], "before: 10.2 MB private dirty, 30.7 MB PSS; "
                                     "after: 20.5 MB private dirty, 41.0 MB PSS")


if __name__ == "__main__":
    unittest.main()

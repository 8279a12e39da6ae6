"""The plots' content and the document, from stored numbers. Drawing needs matplotlib and is not
tested here."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from . import document, load_report, made_up, plots, report, stored
from .samples import BenchError


class Plots(unittest.TestCase):
    def test_changes_and_reads_of_each_number_of_volumes(self) -> None:
        panels = plots.bars(made_up.peer_json())
        self.assertEqual([(panel.volumes, panel.title) for panel in panels],
                         [(volumes, title) for volumes in (12, 1010, 10_000)
                          for title in ("changes", "reads")])
        self.assertEqual(panels[1].calls, report.READS)
        self.assertEqual(panels[1].heights, ((0.6,) * 4, (1000.0,) * 4, (0.5,) * 4))
        self.assertEqual(panels[1].middles[0], ((0.6, 0.6),) * 4)

    def test_each_change_by_the_number_of_volumes(self) -> None:
        panels = plots.growth(made_up.peer_json())
        self.assertEqual(tuple(panel.call for panel in panels), report.CHANGES)
        self.assertEqual(panels[0].volumes, (12, 1010, 10_000))
        self.assertEqual(panels[0].milliseconds, ((60.0,) * 3, (1000.0,) * 3, (100.0,) * 3))

    def test_numbers_that_are_older_than_a_call(self) -> None:
        peer = made_up.peer_json()
        peer["calls"] = [entry for entry in peer["calls"] if entry["call"] != "RemoveLV thin"]
        self.assertNotIn("RemoveLV thin", plots.bars(peer)[0].calls)
        self.assertNotIn("RemoveLV thin", [panel.call for panel in plots.growth(peer)])

    def test_a_mean_of_each_hundred_creates_in_their_middle(self) -> None:
        series = plots.creates(made_up.load_json())
        self.assertEqual((series.numbers[0], series.numbers[-1]), (1, 1000))
        self.assertEqual(series.mean_numbers[:2], (50.5, 150.5))
        self.assertEqual(series.means, (10.0,) * 9 + (20.0,))

    def test_memory_in_millions_of_bytes(self) -> None:
        series = plots.memory(made_up.load_json())
        self.assertEqual(series.calls, tuple(range(0, 10_001, 1000)))
        self.assertEqual(series.private_dirty, (15.36,) * 11)
        self.assertEqual(series.volumes, 1010)

    def test_starts_by_foreign_and_by_own_crs(self) -> None:
        by_foreign, by_own = plots.starts(made_up.reconcile_json())
        self.assertEqual(by_foreign.crs, (0, 2500, 5000, 10_000))
        self.assertEqual(by_foreign.kilobytes, (130.0,) * 4)
        self.assertEqual(by_own.crs, (0, 100, 1000))
        self.assertEqual(by_own.requests, (3, 3, 5))


class Stored(unittest.TestCase):
    def test_what_was_stored_is_read_and_what_was_not_is_none(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            write(name, "csi.json", {"run": made_up.RUN, "idle": 5})
            self.assertEqual(stored.read(Path(name), "csi"), {"runs": [made_up.RUN], "idle": 5})
            self.assertIsNone(stored.read(Path(name), "load"))

    def test_the_numbers_of_each_group_are_joined(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            for volumes in (1010, 12):
                write(name, f"peer-{volumes}.json", {"run": f"with {volumes}", "calls": [volumes]})
            write(name, "peer-12-old.json", {})
            self.assertEqual(stored.read(Path(name), "peer"),
                             {"runs": ["with 12", "with 1010"], "calls": [12, 1010]})

    def test_what_was_measured_anew_is_kept_and_the_rest_stays(self) -> None:
        with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as kept:
            write(name, "peer-12.json", {"run": 2})
            for file in ("peer-12.json", "peer-1010.json", "load.json"):
                write(kept, file, {"run": 1})
            stored.keep(Path(name), Path(kept))
            self.assertEqual([stored.read(Path(kept), each) for each in stored.NAMES],
                             [{"runs": [2, 1]}, {"runs": [1]}, None, None, None])

    def test_a_file_that_no_bench_has_made_is_named(self) -> None:
        for content in ("{", "[]", '{"calls": []}'):
            with self.subTest(content), tempfile.TemporaryDirectory() as name:
                (Path(name) / "load.json").write_text(content)
                with self.assertRaisesRegex(BenchError, "load.json"):
                    stored.read(Path(name), "load")


def write(folder: str, name: str, content: Any) -> None:
    (Path(folder) / name).write_text(json.dumps(content))


BLOCKS = ("runs", "targets", "calls", "load", "reconcile", "csi", "transfer")
TEXT = "\n".join(["# Performance", *(f"words\n<!-- {name}: begin -->\nold {name}\n"
                                     f"<!-- {name}: end -->\nmore words"
                                     for name in BLOCKS), ""])


class Document(unittest.TestCase):
    def setUp(self) -> None:
        self.text = document.filled(TEXT, made_up.peer_json(), made_up.load_json(),
                                    made_up.reconcile_json(), made_up.csi_json(),
                                    made_up.transfer_json())

    def test_the_tables_are_made_anew_and_the_words_stay(self) -> None:
        self.assertNotIn("old", self.text)
        self.assertEqual(self.text.count("more words"), len(BLOCKS))
        for row in ("| `./dev bench peer --calls 2` | 2026-01-02 | 2 processors, KVM | 17 min |",
                    "| RemoveLV thick at ~12, beside the LVM library | ≤ 0.65 × | 0.60 × | met |",
                    "| CreateLV thick | 60 (60–60) | 100 (100–100) | 1000 (1000–1000) | 16.7 | 1, 1 |",
                    "| GetLVList from memory |  | 0.40 |  |  |  |",
                    "| idle | 0 forks, no LVM command, 0.050 % of a processor |",
                    "| restart with 1,000 own CRs: first write | ≤ 2.00 s | 1.10 s | met |",
                    "|  | 1030.0 kB, 5 requests with 1,000 own and 10,000 foreign CRs |",
                    "| CreateVolume, faster than TopoLVM | ≥ 3.00 × | 5.00 × | met |",
                    "| stage and publish | median 220 ms, by hand 200 ms: 1.10 times (20 volumes) |",
                    "| files: one of 1 GB: restore, beside restic alone | ≤ 1.20 × | 1.10 × | met |",
                    "| files: one of 1 GB, second backup | 1.1 s, restic alone 1.0 s: 1.10 times "
                    "(3 turns), 0.10 of the first |"):
            self.assertIn(f"\n{row}\n", self.text)

    def test_filling_again_changes_nothing(self) -> None:
        again = document.filled(self.text, made_up.peer_json(), made_up.load_json(),
                                made_up.reconcile_json(), made_up.csi_json(),
                                    made_up.transfer_json())
        self.assertEqual(again, self.text)

    def test_what_falls_short_stands_out(self) -> None:
        load = made_up.load_json()
        load[load_report.IDLE]["forks"] = 3
        self.assertIn("| none | 3 | **short by 3** |",
                      document.filled(TEXT, made_up.peer_json(), load, None, None, None))

    def test_without_a_run_it_says_so(self) -> None:
        text = document.filled(TEXT, None, None, None, None, None)
        self.assertIn("There has been no run yet.", text)
        self.assertIn("0 of ", text)

    def test_a_missing_mark_is_named(self) -> None:
        with self.assertRaisesRegex(BenchError, "calls: begin"):
            document.filled(TEXT.replace("calls: end", "calls: and"), None, None, None, None, None)


if __name__ == "__main__":
    unittest.main()

"""The stored shape and the numbers computed from times; nothing here is timed."""

import json
import unittest

from . import report
from .samples import BenchError, joined, parse_line

FLOOR = {**{call: [400.0, 410.0, 430.0] for call in report.CHANGES}, report.EMPTY: [0.25]}
OURS = {call: [500.0, 480.0, 1000.0] for call in report.CALLS}
PEER = {call: [1250.0, 1000.0, 1300.0] for call in report.CALLS}
MEMORY = {"ours": 30_000, "peer": 41_000}


class PeerReport(unittest.TestCase):
    def setUp(self) -> None:
        self.stored = json.loads(json.dumps(report.peer_report(OURS, PEER, FLOOR, 12, MEMORY)))
        self.calls = {entry["call"]: entry for entry in self.stored["calls"]}

    def test_a_change(self) -> None:
        self.assertEqual(self.calls["CreateLV thick"], {
            "call": "CreateLV thick", "volumes": 12, "ours_p50_ms": 500.0, "peer_p50_ms": 1250.0,
            "floor_p50_ms": 410.0, "ratio": 2.5,
        })

    def test_the_floor_of_a_read_is_an_empty_call(self) -> None:
        self.assertEqual(self.calls["GetFreeBytes thin"]["floor_p50_ms"], 0.25)

    def test_the_calls(self) -> None:
        self.assertEqual(list(self.calls), [
            "CreateLV thick", "CreateLV thin", "CreateLVSnapshot", "ResizeLV", "RemoveLV",
            "GetLVList thick", "GetLVList thin", "GetFreeBytes thick", "GetFreeBytes thin",
        ])

    def test_the_memory(self) -> None:
        self.assertEqual(self.stored["memory"], {"ours_pss_kb": 30_000, "peer_pss_kb": 41_000})
        self.assertEqual(set(self.stored), {"calls", "memory"})

    def test_the_ratio_is_of_the_exact_times(self) -> None:
        ours = {**OURS, "GetLVList thick": [0.0004]}
        stored = report.peer_report(ours, PEER, FLOOR, 12, MEMORY)
        ratios = {entry["call"]: entry["ratio"] for entry in stored["calls"]}
        self.assertEqual(ratios["GetLVList thick"], 3_125_000.0)

    def test_a_call_without_times_is_an_error_that_names_it(self) -> None:
        for measured in (OURS, PEER):
            lacking = {**measured, "ResizeLV": []}
            arguments = (lacking, PEER) if measured is OURS else (OURS, lacking)
            with self.assertRaisesRegex(BenchError, "ResizeLV"):
                report.peer_report(*arguments, FLOOR, 12, MEMORY)

    def test_the_table_has_a_row_for_each_call_and_the_memory(self) -> None:
        lines = report.peer_table(self.stored, OURS, PEER).splitlines()
        self.assertEqual(len(lines), 1 + 1 + len(report.CALLS) + 1)
        self.assertRegex(lines[2], r"^ +CreateLV thick +500 +480–1000 +1250 +1000–1300 +2.50 +410$")
        self.assertRegex(lines[-1], r"^ +memory \(PSS, MB\) +30.0 +41.0 +1.37$")


class FloorReport(unittest.TestCase):
    def test_each_change_and_the_empty_call(self) -> None:
        floors = report.floor_report(FLOOR, 12)["floors"]
        self.assertEqual([entry["call"] for entry in floors], [*report.CHANGES, report.EMPTY])
        self.assertEqual(floors[0], {"call": "CreateLV thick", "volumes": 12, "p50_ms": 410.0,
                                     "min_ms": 400.0, "max_ms": 430.0})

    def test_a_missing_floor_is_an_error_that_names_it(self) -> None:
        lacking = {call: times for call, times in FLOOR.items() if call != report.EMPTY}
        with self.assertRaisesRegex(BenchError, report.EMPTY):
            report.floor_report(lacking, 12)


class Lines(unittest.TestCase):
    def test_a_line_of_times(self) -> None:
        self.assertEqual(parse_line('{"call": "ResizeLV", "ms": [450.5, 451]}'),
                         ("ResizeLV", [450.5, 451.0]))

    def test_another_line_is_an_error_that_shows_it(self) -> None:
        for line in ("Segmentation fault", '{"call": "ResizeLV"}', '{"call": "x", "ms": ["y"]}',
                     "[]"):
            with self.assertRaises(BenchError) as raised:
                parse_line(line)
            self.assertIn(repr(line), str(raised.exception))

    def test_rounds_are_joined(self) -> None:
        self.assertEqual(joined([{"a": [1.0], "b": [2.0]}, {"a": [3.0]}]),
                         {"a": [1.0, 3.0], "b": [2.0]})


if __name__ == "__main__":
    unittest.main()

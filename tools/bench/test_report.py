"""The stored format, and the numbers that are computed from times. No case measures times."""

import json
import unittest

from . import peer, report
from .stage import with_copies
from .samples import BenchError, joined, middle, parse_line

FLOOR = {**{call: [400.0, 410.0, 430.0] for call in report.CHANGES}, report.EMPTY: [0.25],
         report.SAME_BYTES: [2.0, 1.5, 9.0]}
OURS = {call: [500.0, 480.0, 1000.0] for call in report.CALLS}
PEER = {call: [1250.0, 1000.0, 1300.0] for call in report.CALLS}


def taken(ours=OURS, theirs=PEER, volumes=12) -> report.Round:
    return report.Round(volumes=volumes, ours=ours, peer=theirs, floor=FLOOR, ours_kb=30_000,
                        peer_kb=41_000)


class PeerReport(unittest.TestCase):
    def setUp(self) -> None:
        self.stored = json.loads(json.dumps(report.peer_report([taken()])))
        self.calls = {entry["call"]: entry for entry in self.stored["calls"]}

    def test_a_change(self) -> None:
        self.assertEqual(self.calls["CreateLV thick"], {
            "call": "CreateLV thick", "volumes": 12, "ours_calls": 3, "peer_calls": 3,
            "ours_p50_ms": 500.0, "peer_p50_ms": 1250.0, "floor_p50_ms": 410.0, "ratio": 2.5,
            "ours_middle_ms": [480.0, 1000.0], "peer_middle_ms": [1000.0, 1300.0],
            "floor_middle_ms": [400.0, 430.0],
        })

    def test_the_floor_of_a_read_is_an_empty_call(self) -> None:
        self.assertEqual(self.calls["GetFreeBytes thin"]["floor_p50_ms"], 0.25)

    def test_the_calls(self) -> None:
        self.assertEqual(list(self.calls), [
            "CreateLV thick", "CreateLV thin", "CreateLVSnapshot", "ResizeLV",
            "RemoveLV thick", "RemoveLV thin",
            "GetLVList thick", "GetLVList thin", "GetFreeBytes thick", "GetFreeBytes thin",
        ])

    def test_each_number_of_volumes_has_its_calls(self) -> None:
        calls = report.peer_report([taken(), taken(volumes=1010)])["calls"]
        self.assertEqual([entry["volumes"] for entry in calls],
                         [12] * len(report.CALLS) + [1010] * len(report.CALLS))

    def test_the_memory(self) -> None:
        self.assertEqual(self.stored["memory"],
                         [{"volumes": 12, "ours_pss_kb": 30_000, "peer_pss_kb": 41_000}])
        self.assertEqual(set(self.stored), {"calls", "same_bytes", "memory"})

    def test_the_same_bytes_from_memory(self) -> None:
        self.assertEqual(self.stored["same_bytes"], [{"volumes": 12, "p50_ms": 2.0}])

    def test_the_ratio_is_of_the_exact_times(self) -> None:
        ours = {**OURS, "GetLVList thick": [0.0004]}
        stored = report.peer_report([taken(ours=ours)])
        ratios = {entry["call"]: entry["ratio"] for entry in stored["calls"]}
        self.assertEqual(ratios["GetLVList thick"], 3_125_000.0)

    def test_a_call_without_times_is_an_error_that_names_it(self) -> None:
        for measured in (OURS, PEER):
            lacking = {**measured, "ResizeLV": []}
            arguments = (lacking, PEER) if measured is OURS else (OURS, lacking)
            with self.assertRaisesRegex(BenchError, "ResizeLV"):
                report.peer_report([taken(*arguments)])

    def test_the_table_has_a_row_for_each_call_and_the_memory(self) -> None:
        lines = report.peer_table(taken()).splitlines()
        self.assertEqual(len(lines), 1 + 1 + len(report.CALLS) + 2)
        self.assertRegex(lines[2],
                         r"^ +CreateLV thick +500 +480–1000 +3 +1250 +1000–1300 +3 +2.50 +410$")
        self.assertRegex(lines[-2], r"^ +GetLVList from memory +2.00 +1.50–9.00 +3$")
        self.assertRegex(lines[-1], r"^ +memory \(PSS, MB\) +30.7 +42.0 +1.37$")


class Turns(unittest.TestCase):
    def test_each_is_early_and_late_with_half_of_the_calls(self) -> None:
        turns = list(peer.turns(5, 12))
        self.assertEqual([who for who, _, _ in turns], [who for who, _, _ in reversed(turns)])
        self.assertEqual({who: [changes for each, changes, _ in turns if each == who]
                          for who in (peer.PEER, peer.OURS, peer.FLOOR)},
                         {peer.PEER: [1, 1], peer.OURS: [3, 2], peer.FLOOR: [3, 2]})

    def test_the_peer_gets_fewer_calls_because_each_takes_seconds(self) -> None:
        turns = list(peer.turns(10, 12))
        self.assertEqual(sum(changes for who, changes, _ in turns if who == peer.PEER), 4)
        self.assertEqual(sum(changes for who, changes, _ in turns if who == peer.OURS), 10)

    def test_thousands_of_volumes_get_three_calls(self) -> None:
        turns = list(peer.turns(30, 10_000))
        self.assertEqual({who: sum(changes for each, changes, _ in turns if each == who)
                          for who in (peer.PEER, peer.OURS, peer.FLOOR)},
                         {peer.PEER: 2, peer.OURS: 3, peer.FLOOR: 3})

    def test_each_turn_has_a_call(self) -> None:
        for volumes in (12, 1010):
            for who, changes, reads in peer.turns(2, volumes):
                with self.subTest(who=who, volumes=volumes):
                    self.assertGreater(min(changes, reads), 0)


class FloorReport(unittest.TestCase):
    def test_each_change_and_the_empty_call(self) -> None:
        floors = report.floor_report([(12, FLOOR)])["floors"]
        self.assertEqual([entry["call"] for entry in floors],
                         [*report.CHANGES, report.EMPTY, report.SAME_BYTES])
        self.assertEqual(floors[0], {"call": "CreateLV thick", "volumes": 12, "p50_ms": 410.0,
                                     "min_ms": 400.0, "max_ms": 430.0})

    def test_alone_it_has_no_list_to_answer_with(self) -> None:
        alone = {call: times for call, times in FLOOR.items() if call != report.SAME_BYTES}
        floors = report.floor_report([(12, alone)])["floors"]
        self.assertEqual(floors[-1]["call"], report.EMPTY)
        self.assertEqual(len(report.floor_table(alone, 12).splitlines()), 2 + len(floors))

    def test_a_missing_floor_is_an_error_that_names_it(self) -> None:
        lacking = {call: times for call, times in FLOOR.items() if call != report.EMPTY}
        with self.assertRaisesRegex(BenchError, report.EMPTY):
            report.floor_report([(12, lacking)])


TEXT = """vg0 {
\tphysical_volumes {
\t\tpv0 {
\t\t\tpe_count = 100
\t\t}
\t}
\tlogical_volumes {
\t\tthick1 {
\t\t\tid = "aaaaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaaaa"
\t\t\tsegment1 {
\t\t\t\textent_count = 2
\t\t\t\tstripes = [
\t\t\t\t\t"pv0", 0
\t\t\t\t]
\t\t\t}
\t\t}
\t}
}
"""


class Copies(unittest.TestCase):
    def test_each_copy_has_its_name_id_and_place(self) -> None:
        text = with_copies(TEXT, "thick1", 2)
        self.assertIn('many0001 {\n\t\t\tid = "aaaaaa-aaaa-aaaa-aaaa-aaaa-aaaa-000001"', text)
        self.assertIn('many0002 {\n\t\t\tid = "aaaaaa-aaaa-aaaa-aaaa-aaaa-aaaa-000002"', text)
        self.assertEqual(text.count("extent_count = 1\n"), 2)
        self.assertIn('"pv0", 99\n', text)
        self.assertIn('"pv0", 98\n', text)
        self.assertTrue(text.startswith(TEXT[:TEXT.index("\t\tthick1")]))

    def test_a_text_without_the_volume_is_an_error(self) -> None:
        with self.assertRaisesRegex(BenchError, "thick9"):
            with_copies(TEXT, "thick9", 1)


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

    def test_the_middle_has_neither_the_lowest_nor_the_highest_tenth(self) -> None:
        self.assertEqual(middle([9.0, *map(float, range(11, 29)), 900.0]), (12.0, 27.0))
        self.assertEqual(middle([3.0, 1.0, 2.0]), (1.0, 3.0))

    def test_rounds_are_joined(self) -> None:
        self.assertEqual(joined([{"a": [1.0], "b": [2.0]}, {"a": [3.0]}]),
                         {"a": [1.0, 3.0], "b": [2.0]})


if __name__ == "__main__":
    unittest.main()

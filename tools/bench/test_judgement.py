"""Which goals invented numbers meet."""

import unittest

from . import (csi_report, judgement, load_report, made_up, reconcile_report, report,
               transfer_report)
from .judgement import Verdict


def verdict(target: str, peer=None, load=None, reconcile=None, csi=None,
            transfer=None) -> Verdict:
    found = [each for each in judgement.judge(peer or made_up.peer_json(),
                                              load or made_up.load_json(),
                                              reconcile or made_up.reconcile_json(),
                                              csi or made_up.csi_json(),
                                              transfer or made_up.transfer_json())
             if each.target == target]
    assert len(found) == 1, f"{target}: {len(found)} verdicts"
    return found[0]


def peer_with(call: str, volumes: int, **changed: float) -> dict:
    stored = made_up.peer_json()
    [entry] = [each for each in stored["calls"]
               if (each["call"], each["volumes"]) == (call, volumes)]
    assert set(changed) <= set(entry)
    entry.update(changed)
    return stored


def all_met() -> list[Verdict]:
    return judgement.judge(made_up.peer_json(), made_up.load_json(), made_up.reconcile_json(),
                           made_up.csi_json(), made_up.transfer_json())


class Judgement(unittest.TestCase):
    def test_all_can_be_met(self) -> None:
        verdicts = all_met()
        self.assertEqual([each for each in verdicts if not each.met], [])
        self.assertEqual(len({each.target for each in verdicts}), len(verdicts))

    def test_nothing_is_met_without_a_run(self) -> None:
        targets = [each.target for each in all_met()]
        missing = judgement.judge(None, None, None, None, None)
        self.assertEqual([each.target for each in missing], targets)
        self.assertEqual({(each.measured, each.met) for each in missing}, {("not measured", False)})

    def test_few_volumes_say_nothing_about_many(self) -> None:
        stored = made_up.peer_json()
        for part in ("calls", "same_bytes", "memory"):
            stored[part] = [entry for entry in stored[part] if entry["volumes"] == 12]
        for target in ("ResizeLV at ~1,010, beside the LVM library",
                       "GetLVList thick at ~1,010, beside the same bytes from memory",
                       "PSS at ~1,010, below TopoLVM's"):
            self.assertEqual(verdict(target, peer=stored).measured, "not measured")
        self.assertTrue(verdict("ResizeLV at ~12, beside the LVM library", peer=stored).met)

    def test_a_change_beside_the_library(self) -> None:
        for call, volumes, about, limit in (
                ("ResizeLV", 12, "~12", 65), ("ResizeLV", 1010, "~1,010", 65),
                ("RemoveLV thin", 12, "~12", 85), ("RemoveLV thin", 1010, "~1,010", 80),
                ("ResizeLV", 10_000, "~10,000", 100)):
            target = f"{call} at {about}, beside the LVM library"
            for ours, met in ((limit, True), (limit * 1.01, False)):
                stored = peer_with(call, volumes, ours_p50_ms=ours)
                self.assertEqual(verdict(target, peer=stored).met, met, (call, volumes, ours))

    def test_by_how_much_it_falls_short(self) -> None:
        stored = peer_with("ResizeLV", 12, ours_p50_ms=78)
        self.assertEqual(verdict("ResizeLV at ~12, beside the LVM library", peer=stored).outcome,
                         "short by 20.0 %")
        stored = peer_with("ResizeLV", 12, ratio=3.75)
        self.assertEqual(verdict("ResizeLV at ~12, faster than TopoLVM", peer=stored).outcome,
                         "short by 25.0 %")

    def test_each_call_beside_the_peer(self) -> None:
        for call in report.CALLS:
            for volumes, about, limit in zip((12, 1010), ("~12", "~1,010"),
                                             judgement.PEER_TIMES[call], strict=True):
                target = f"{call} at {about}, faster than TopoLVM"
                for ratio, met in ((limit, True), (limit - 0.1, False)):
                    stored = peer_with(call, volumes, ratio=ratio)
                    self.assertEqual(verdict(target, peer=stored).met, met, (call, volumes))

    def test_a_read_of_few_volumes_beside_an_empty_call(self) -> None:
        for call, volumes, about in (
                ("GetLVList thin", 1010, "~1,010"), ("GetLVList thick", 12, "~12"),
                ("GetFreeBytes thick", 1010, "~1,010"), ("GetFreeBytes thin", 10_000, "~10,000")):
            target = f"{call} at {about}, beside an empty RPC"
            for ours, met in ((0.6, True), (0.61, False)):
                stored = peer_with(call, volumes, ours_p50_ms=ours)
                self.assertEqual(verdict(target, peer=stored).met, met, (call, volumes, ours))

    def test_a_list_beside_the_same_bytes(self) -> None:
        for volumes, about in ((1010, "~1,010"), (10_000, "~10,000")):
            target = f"GetLVList thick at {about}, beside the same bytes from memory"
            for ours, met in ((0.6, True), (0.61, False)):
                stored = peer_with("GetLVList thick", volumes, ours_p50_ms=ours)
                self.assertEqual(verdict(target, peer=stored).met, met)

    def test_the_peers_memory(self) -> None:
        stored = made_up.peer_json()
        stored["memory"][1]["ours_pss_kb"] = 40_001
        self.assertFalse(verdict("PSS at ~1,010, below TopoLVM's", peer=stored).met)

    def test_each_figure_of_load(self) -> None:
        for target, figure, key, bad in (
                ("two groups written in parallel", load_report.PARALLEL, "ratio", 1.19),
                ("sustained changes, beside the LVM library", load_report.SUSTAINED, "ratio", 0.99),
                ("1,000 creates: last hundred beside the first", load_report.CREATES, "ratio", 2.6),
                ("private dirty memory at ~1,010", load_report.CALLS, "largest_kb", 19_532),
                ("memory over 10,000 calls, second half beside the first", load_report.CALLS,
                 "growth", 0.021),
                ("ten idle minutes, 100 volumes: LVM commands", load_report.IDLE, "lvm_commands",
                 True),
                ("ten idle minutes, 100 volumes: forks", load_report.IDLE, "forks", 1),
                ("ten idle minutes, 100 volumes: processor", load_report.IDLE, "processor_percent",
                 0.06)):
            stored = made_up.load_json()
            self.assertIn(key, stored[figure])
            stored[figure][key] = bad
            self.assertFalse(verdict(target, load=stored).met, target)

    def test_each_figure_of_reconcile(self) -> None:
        start = "start with 10,000 foreign CRs beside none"
        for target, figure, key, bad in (
                ("CR created to volumeID, beyond CreateLV: median", reconcile_report.LATENCY,
                 "median_ms", 101),
                ("CR created to volumeID, beyond CreateLV: p99", reconcile_report.LATENCY,
                 "p99_ms", 251),
                ("100 CRs at once, beside the sum of their CreateLV", reconcile_report.AT_ONCE,
                 "ratio", 1.06),
                ("10,000 CRs, 100 own: private dirty memory", reconcile_report.MEMORY,
                 "private_dirty_kb", 7813),
                ("10,000 CRs, 100 own: RSS", reconcile_report.MEMORY, "rss_kb", 31_251),
                (f"{start}: bytes", reconcile_report.STARTS, "bytes_ratio", 1.06),
                (f"{start}: requests", reconcile_report.STARTS, "requests_ratio", 1.01),
                ("10,000 CRs, a minute idle: requests beside the watches", reconcile_report.IDLE,
                 "requests", {"LIST logicalvolumes": 1}),
                ("restart with 1,000 own CRs: first write", reconcile_report.RESTART,
                 "slowest_ms", 2010),
                ("restart with 1,000 own CRs: redundant writes", reconcile_report.RESTART,
                 "redundant_writes", 1)):
            stored = made_up.reconcile_json()
            self.assertIn(key, stored[figure])
            stored[figure][key] = bad
            self.assertFalse(verdict(target, reconcile=stored).met, target)

    def test_few_crs_say_nothing_about_many(self) -> None:
        for target, figure, key, few in (
                ("100 CRs at once, beside the sum of their CreateLV", reconcile_report.AT_ONCE,
                 "count", 99),
                ("CR created to volumeID, beyond CreateLV: p99", reconcile_report.LATENCY, "ms",
                 [40.0] * 99),
                ("10,000 CRs, 100 own: RSS", reconcile_report.MEMORY, "foreign", 9999),
                ("start with 10,000 foreign CRs beside none: bytes", reconcile_report.STARTS,
                 "own", 99),
                ("restart with 1,000 own CRs: first write", reconcile_report.RESTART, "own", 999)):
            stored = made_up.reconcile_json()
            stored[figure][key] = few
            self.assertEqual(verdict(target, reconcile=stored).measured, "not measured", target)

    def test_each_figure_of_csi(self) -> None:
        for target, figure, key, bad in (
                ("CreateVolume, beyond CreateLV: median", csi_report.CREATE, "more_median_ms", 101),
                ("CreateVolume, beyond CreateLV: p99", csi_report.CREATE, "more_p99_ms", 251),
                ("CreateVolume, faster than TopoLVM", csi_report.CREATE, "ratio", 2.99),
                ("stage and publish, beside mkfs and mount by hand", csi_report.MOUNT, "ratio",
                 1.21),
                ("claim to running pod, faster than TopoLVM", csi_report.CLAIM, "ratio", 1.49),
                ("CSI on a node, below TopoLVM's: PSS", csi_report.MEMORY, "ours_kb", 85_001)):
            stored = made_up.csi_json()
            self.assertIn(key, stored[figure])
            stored[figure][key] = bad
            self.assertFalse(verdict(target, csi=stored).met, target)

    def test_each_request_of_an_idle_driver(self) -> None:
        for program in csi_report.PROGRAMS:
            target = f"idle CSI driver: requests of {program} beside the watches"
            stored = made_up.csi_json()
            stored[csi_report.IDLE]["requests"][program] = {"get nodes": 1}
            self.assertFalse(verdict(target, csi=stored).met)
            stored[csi_report.IDLE]["seconds"] = 119
            self.assertEqual(verdict(target, csi=stored).measured, "not measured")

    def test_few_calls_say_nothing_about_the_slowest_of_a_hundred(self) -> None:
        stored = made_up.csi_json()
        stored[csi_report.CREATE]["ours_ms"] = [380.0] * 99
        target = "CreateVolume, beyond CreateLV: p99"
        self.assertEqual(verdict(target, csi=stored).measured, "not measured")

    def test_each_figure_of_transfer(self) -> None:
        for kind in transfer_report.KINDS:
            for step, limit in ((transfer_report.BACKUP, 1.15), (transfer_report.RESTORE, 1.2)):
                stored = made_up.transfer_json()
                for ratio, met in ((limit, True), (limit + 0.01, False)):
                    stored[kind][step]["ratio"] = ratio
                    target = f"{kind}: {step}, beside restic alone"
                    self.assertEqual(verdict(target, transfer=stored).met, met, target)
            for ratio, met in ((0.2, True), (0.21, False)):
                stored[kind]["of_first"] = ratio
                target = f"{kind}: second backup of 1 % changed, beside the first"
                self.assertEqual(verdict(target, transfer=stored).met, met, target)

    def test_a_small_transfer_says_nothing_about_a_large_one(self) -> None:
        stored = made_up.transfer_json()
        stored[transfer_report.MANY]["bytes"] = 999_999_999
        target = f"{transfer_report.MANY}: backup, beside restic alone"
        self.assertEqual(verdict(target, transfer=stored).measured, "not measured")
        target = f"{transfer_report.ONE}: backup, beside restic alone"
        self.assertTrue(verdict(target, transfer=stored).met)

    def test_what_an_interrupted_run_has_left_is_judged(self) -> None:
        load = {name: figure for name, figure in made_up.load_json().items()
                if name in ("runs", load_report.PARALLEL)}
        self.assertTrue(verdict("two groups written in parallel", load=load).met)
        self.assertEqual(verdict("ten idle minutes, 100 volumes: forks", load=load).measured,
                         "not measured")

    def test_the_table_says_how_many_are_met(self) -> None:
        verdicts = judgement.judge(peer_with("RemoveLV thick", 12, ours_p50_ms=130),
                                   made_up.load_json(), made_up.reconcile_json(),
                                   made_up.csi_json(), made_up.transfer_json())
        lines = judgement.judgement_table(verdicts).splitlines()
        self.assertEqual(lines[0], f"{len(verdicts) - 1} of {len(verdicts)} targets met")
        [line] = [line for line in lines if "short by" in line]
        self.assertRegex(line, r"RemoveLV thick at ~12, beside the LVM library +≤ 0.65 × +1.30 × +short")


if __name__ == "__main__":
    unittest.main()

"""The parts of `./dev bench csi` that need no VM: its figures from invented values, and what it
reads."""

import json
import unittest

from . import api_audit, claim_sightings, csi_calls, csi_report, kubelet_log, made_up
from .claim_sightings import ClaimSightings
from .csi_report import Taken
from .samples import BenchError
from .stage import Memory


def event(change: str, kind: str, name: str, **content: object) -> bytes:
    return json.dumps({"type": change, "object": {
        "kind": kind, "metadata": {"name": name}, **content}}).encode()


class Sightings(unittest.TestCase):
    def setUp(self) -> None:
        self.seen = ClaimSightings()

    def test_the_first_time_of_each_moment_counts(self) -> None:
        for when, change, phase in ((1.0, "ADDED", "Pending"), (2.0, "MODIFIED", "Bound"),
                                    (3.0, "MODIFIED", "Bound"), (4.0, "DELETED", "Bound")):
            self.seen.take(event(change, claim_sightings.CLAIM, "a", status={"phase": phase}), when)
        for moment, when in ((claim_sightings.MADE, 1.0), (claim_sightings.BOUND, 2.0),
                             (claim_sightings.GONE, 4.0)):
            self.assertEqual(self.seen.first(claim_sightings.CLAIM, "a", moment), when)
        self.assertIsNone(self.seen.first(claim_sightings.VOLUME, "a", claim_sightings.MADE))

    def test_a_volume_is_ready_with_its_id(self) -> None:
        kind, ready = claim_sightings.LOGICAL_VOLUME, claim_sightings.READY
        self.seen.take(event("ADDED", kind, "a"), 1.0)
        self.assertIsNone(self.seen.first(kind, "a", ready))
        self.seen.take(event("MODIFIED", kind, "a", status={"volumeID": "v"}), 2.0)
        self.assertEqual(self.seen.first(kind, "a", ready), 2.0)

    def test_a_pod_runs_with_all_its_containers(self) -> None:
        kind, running = claim_sightings.POD, claim_sightings.RUNNING
        state = {"state": {"running": {}}}
        for when, states in ((1.0, []), (2.0, [state, {"state": {"waiting": {}}}]),
                             (3.0, [state, state])):
            self.assertIsNone(self.seen.first(kind, "a", running))
            self.seen.take(event("MODIFIED", kind, "a", spec={"nodeName": "n"},
                                 status={"containerStatuses": states}), when)
        self.assertEqual(self.seen.first(kind, "a", running), 3.0)
        self.assertEqual(self.seen.first(kind, "a", claim_sightings.SCHEDULED), 1.0)

    def test_an_error_of_the_watch_is_told(self) -> None:
        for line in (b"{", event("ADDED", "Secret", "a"), event("ERROR", "Pod", "a", spec={})):
            with self.assertRaises(BenchError):
                self.seen.take(line, 1.0)


class Answers(unittest.TestCase):
    def test_the_time_and_the_response(self) -> None:
        answer = csi_calls.answered("Identity/Probe", json.dumps(
            {"code": 0, "message": "", "ms": 1.5, "response": {"ready": True}}))
        self.assertEqual((answer.milliseconds, answer.response), (1.5, {"ready": True}))

    def test_an_error_is_told(self) -> None:
        with self.assertRaisesRegex(BenchError, "Probe failed with 14: not yet"):
            csi_calls.answered("Identity/Probe", json.dumps(
                {"code": 14, "message": "not yet", "ms": 1.5}))
        with self.assertRaisesRegex(BenchError, "no answer"):
            csi_calls.answered("Identity/Probe", "")


class Audit(unittest.TestCase):
    def test_requests_of_each_program_without_watches(self) -> None:
        volumes = {"resource": "logicalvolumes"}
        lines = [{"userAgent": "csi-controller/1.0", "verb": "watch", "objectRef": volumes},
                 {"userAgent": "csi-controller/1.0", "verb": "list", "objectRef": volumes},
                 {"userAgent": "csi-provisioner/6", "verb": "update", "objectRef": volumes},
                 {"userAgent": "lvmd-reconciler/1.0", "verb": "patch",
                  "objectRef": {**volumes, "subresource": "status"}},
                 {"userAgent": "lvmd-reconciler/1.0", "verb": "get", "requestURI": "/version"}]
        self.assertEqual(
            api_audit.parse("\n".join(map(json.dumps, lines)), csi_report.PROGRAMS),
            {"csi-controller": {"list logicalvolumes": 1},
             "lvmd-reconciler": {"patch logicalvolumes/status": 1, "get /version": 1}})

    def test_another_text_is_refused(self) -> None:
        with self.assertRaises(BenchError):
            api_audit.parse("no entry", csi_report.PROGRAMS)


class KubeletLog(unittest.TestCase):
    def test_the_steps_of_a_volume(self) -> None:
        line = ('{} localhost kubelet[9]: I1126 01:36:18.1 9 operation_generator.go:558] '
                '"MountVolume.{} succeeded for volume \\"pvc-1\\" (UniqueName: \\"a^b\\")"')
        self.assertEqual(
            kubelet_log.parse("\n".join((line.format("10.25", "MountDevice"),
                                         line.format("11.5", "SetUp"),
                                         line.format("12.5", "SetUp")))),
            {("pvc-1", kubelet_log.STAGED): 10.25, ("pvc-1", kubelet_log.PUBLISHED): 11.5})


class Figures(unittest.TestCase):
    def setUp(self) -> None:
        self.stored = json.loads(json.dumps(made_up.csi_json()))

    def test_create_volume_beside_the_median_of_create_lv(self) -> None:
        made = csi_report.content(
            Taken(creates=[100.0] * 98 + [200.0] * 2, create_lvs=[60.0, 50.0, 10.0],
                  **self.rest()), Taken(creates=[300.0], **self.rest()))[csi_report.CREATE]
        self.assertEqual((made["more_median_ms"], made["more_p99_ms"], made["ratio"]),
                         (50.0, 150.0, 3.0))

    def test_both_calls_beside_the_work_by_hand(self) -> None:
        mount = self.stored[csi_report.MOUNT]
        self.assertEqual((mount["ours_median_ms"], mount["ratio"], mount["peer_publish_median_ms"]),
                         (220.0, 1.1, 400.0))

    def test_the_parts_of_a_claim_add_up(self) -> None:
        claim = self.stored[csi_report.CLAIM]
        self.assertEqual(claim["ours"]["median_ms"], 3500.0)
        self.assertEqual(sum(claim["ours"]["parts_ms"].values()), 3500.0)
        self.assertEqual(list(claim["ours"]["parts_ms"]), list(csi_report.MOMENTS[1:]))
        self.assertEqual(claim["ratio"], 2.0)

    def test_the_shares_of_both_are_told_side_by_side(self) -> None:
        lines = [line for _, line in csi_report.rows(self.stored)]
        self.assertIn("volume to bound claim: lvmd 500 ms (14 %), TopoLVM 1000 ms (14 %)", lines)

    def test_the_registrar_is_not_part_of_the_sum(self) -> None:
        size = self.stored[csi_report.MEMORY]
        self.assertEqual((size["ours_kb"], size["peer_kb"]), (39_000, 85_000))

    def test_the_larger_memory_of_a_unit_counts(self) -> None:
        rest = self.rest()
        rest["memory"] = [{"a": Memory(10, 1), "b": Memory(30, 1)},
                          {"a": Memory(20, 1), "b": Memory(5, 1)}]
        size = csi_report.content(Taken(creates=[1.0], create_lvs=[1.0], **rest),
                                  Taken(creates=[1.0], **self.rest()))[csi_report.MEMORY]
        self.assertEqual(size["ours_kb"], 50)

    def test_a_line_for_each_figure(self) -> None:
        names = [name for name, _ in csi_report.rows(self.stored)[1:] if name]
        self.assertEqual(names, list(csi_report.FIGURES))

    def test_what_an_interrupted_run_has_left_is_shown(self) -> None:
        del self.stored[csi_report.IDLE]
        names = [name for name, _ in csi_report.rows(self.stored)[1:] if name]
        self.assertEqual(names, list(csi_report.FIGURES[:-1]))

    def rest(self) -> dict:
        return {"deletes": [1.0], "by_hand": [1.0], "at_once": [(1, 1.0, 1.0)],
                "mounts": [{"NodeStageVolume": 1.0, "NodePublishVolume": 1.0}],
                "claims": [csi_report.parts(made_up.moments(1.0))],
                "memory": [{"a": Memory(1, 1)}]}


if __name__ == "__main__":
    unittest.main()

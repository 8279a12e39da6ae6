"""The torture run detects the faults that it looks for."""

from __future__ import annotations

import errno
import json
import random
import tempfile
import unittest
from pathlib import Path
from typing import Any

from . import agreement
from .facts import Facts, Process
from .layout import CLASSES, EXTENT, OVERPROVISION, POOL_BYTES
from .model import Entry, Finding, Model, Operation, content_findings
from .plan import OPERATIONS, Planner
from .run import ALL, UnknownFault, chosen, least_tried
from .tally import Kind, Tally

SIZE = 2 * EXTENT


def create(op: int = 0, name: str = "x") -> Operation:
    return {"lane": 1, "op": op, "do": "create", "class": "thin-a", "name": name, "size": SIZE - 4096,
            "birth": f"{name}.1.{op}"}


def remove(op: int, name: str = "x") -> Operation:
    return {"lane": 1, "op": op, "do": "remove", "class": "thin-a", "name": name}


def snapshot(op: int, name: str, source: str) -> Operation:
    return {"lane": 1, "op": op, "do": "snapshot", "class": "thin-a", "name": name,
            "source": source, "access": "ro", "size": 0, "birth": f"{name}.1.{op}"}


def write(op: int, sequence: int, name: str = "x") -> Operation:
    return {"lane": 1, "op": op, "do": "write", "class": "thin-a", "name": name, "device": "/dev/x",
            "birth": f"{name}.1.0", "sequence": sequence, "offset": 0}


def asked(op: int) -> Entry:
    return {"event": "ask", "lane": 1, "op": op}


def answered(op: int, code: str = "OK", final: bool = True, **told: Any) -> list[Entry]:
    entry = {"event": "answer", "lane": 1, "op": op, "code": code, "final": final, **told}
    return [asked(op), entry]


def made(op: int = 0) -> list[Entry]:
    return answered(op, size=SIZE)


def wrote(op: int, error: int = 0) -> list[Entry]:
    return [asked(op), {"event": "answer", "lane": 1, "op": op, "errno": error}]


def kinds(findings: list) -> list[str]:
    return [finding.kind for finding in findings]


def facts(*rows: dict[str, Any], **changes: Any) -> Facts:
    """The state of a node without faults, with these thin volumes of vg_a."""
    pools = [{"lv_name": "pool", "vg_name": group, "lv_size": POOL_BYTES, "pool_lv": "",
              "hidden": False} for group in ("vg_a", "vg_b")]
    used = sum(row["lv_size"] for row in rows)
    told = {name: {"list": "OK", "free": "OK", "volumes": {}, "free_bytes": 0} for name in CLASSES}
    for name in ("thin-a", "thin-b"):
        told[name]["free_bytes"] = POOL_BYTES * OVERPROVISION
    told["thin-a"]["free_bytes"] -= used
    told["thin-a"]["volumes"] = {
        row["lv_name"]: {"size": row["lv_size"], "device": "254:9", "attr": row["lv_attr"]}
        for row in rows}
    names = ("/usr/sbin/lvmd --config x", "/usr/lib/lvmd/lvmd-server",
             *(f"/usr/lib/lvmd/lvmd-{process} {group}" for process in ("observer", "worker")
               for group in ("vg_a", "vg_b")))
    good: dict[str, Any] = {
        "volumes": [*pools, *rows],
        "groups": {name: {"vg_free_count": "0"} for name in ("vg_a", "vg_b")}, "checked": "agreed",
        "devices": [device(f"vg_a-{row['lv_name']}") for row in rows],
        "table_bytes": {f"vg_a-{row['lv_name']}": row["lv_size"] for row in rows}, "intents": [],
        "mounts": [], "processes": [Process(pid, 1, "S", name) for pid, name in enumerate(names, 100)], "told": told,
        "said": {"lvs": "", "vgck": "", "client": ""}}
    return Facts(**good | changes)


def device(name: str, suspended: str = "Active") -> dict[str, str]:
    return {"name": name, "uuid": "LVM-1", "suspended": suspended}


def row(name: str = "x", size: int = SIZE) -> dict[str, Any]:
    return {"lv_name": name, "vg_name": "vg_a", "lv_size": size, "lv_attr": "Vwi-a-tz--",
            "lv_tags": "lvmd.v1:class=thin-a", "pool_lv": "pool", "origin": "",
            "lv_active": "active", "lv_suspended": "", "lv_kernel_major": "254",
            "lv_kernel_minor": "9", "hidden": False}


class Answers(unittest.TestCase):
    def setUp(self) -> None:
        self.model = Model()

    def replay(self, plan: list[Operation], *journal: list[Entry]) -> list[str]:
        return kinds(self.model.replay(plan, [entry for part in journal for entry in part]))

    def test_an_ok_has_happened(self) -> None:
        self.assertEqual(self.replay([create()], made()), [])
        self.assertTrue(self.model.volumes["x"].surely_there)

    def test_a_refusal_has_changed_nothing(self) -> None:
        self.assertEqual(self.replay([create()], answered(0, "RESOURCE_EXHAUSTED")), [])
        self.assertEqual(self.model.present(), [])

    def test_a_lost_answer_is_either(self) -> None:
        self.replay([create()], [asked(0)])
        self.assertEqual(self.model.volumes["x"].there, {True, False})

    def test_a_lost_answer_is_settled_by_the_next(self) -> None:
        self.replay([create()], answered(0, "UNAVAILABLE", final=False), made())
        self.assertTrue(self.model.volumes["x"].surely_there)

    def test_what_was_not_begun_is_not_there(self) -> None:
        self.replay([create(), create(1, "y")], made())
        self.assertNotIn("y", self.model.volumes)

    def test_a_volume_that_is_not_found_is_lost(self) -> None:
        self.assertEqual(self.replay([create(), remove(1)], made(), answered(1, "NOT_FOUND")),
                         ["lost"])

    def test_a_removal_whose_answer_was_lost_may_find_nothing(self) -> None:
        found = self.replay([create(), remove(1)], made(),
                            answered(1, "UNAVAILABLE", final=False), answered(1, "NOT_FOUND"))
        self.assertEqual(found, [])

    def test_another_size_than_asked_for_is_wrong(self) -> None:
        self.assertEqual(self.replay([create()], answered(0, size=SIZE + EXTENT)), ["wrong"])

    def test_a_name_that_is_taken_is_wrong(self) -> None:
        self.assertEqual(self.replay([create()], answered(0, "ALREADY_EXISTS")), ["wrong"])

    def test_a_list_without_the_callers_volume(self) -> None:
        listing = {"lane": 1, "op": 1, "do": "list", "class": "thin-a"}
        self.assertEqual(self.replay([create(), listing], made(), answered(1, volumes={})), ["lost"])

    def test_a_snapshot_of_a_volume_that_is_there_finds_it(self) -> None:
        found = self.replay([create(), snapshot(1, "s", "x")], made(), answered(1, "NOT_FOUND"))
        self.assertEqual(found, ["wrong"])

    def test_a_request_given_up_is_stuck(self) -> None:
        given_up = {"event": "gave-up", "lane": 1, "op": 0}
        self.assertEqual(self.replay([create()], [asked(0), given_up]), ["stuck"])


class Contents(unittest.TestCase):
    def setUp(self) -> None:
        self.model = Model()

    def findings(self, name: str, content: str) -> list[str]:
        return kinds(list(content_findings(self.model.volumes[name], 0, {content: 16})))

    def test_what_was_written_last_is_there(self) -> None:
        self.model.replay([create(), write(1, 1), write(2, 2)], made() + wrote(1) + wrote(2))
        self.assertEqual(self.findings("x", "x.1.0/2"), [])
        self.assertEqual(self.findings("x", "x.1.0/1"), ["wrong"])
        self.assertEqual(self.findings("x", "zeros"), ["wrong"])

    def test_a_write_that_failed_may_be_there_or_not(self) -> None:
        self.model.replay([create(), write(1, 1), write(2, 2)], made() + wrote(1) + wrote(2, 5))
        for content in ("x.1.0/1", "x.1.0/2"):
            self.assertEqual(self.findings("x", content), [])
        self.assertEqual(self.findings("x", "other: 00"), ["wrong"])

    def test_a_write_that_was_interrupted_may_be_there_also_if_the_next_finds_no_device(self) -> None:
        found = self.model.replay([create(), write(1, 1), write(2, 2)],
                                  [*made(), *wrote(1), asked(2), *wrote(2, errno.ENOENT)])
        self.assertEqual(kinds(found), ["wrong"])
        self.assertEqual(self.model.volumes["x"].at(0), {"x.1.0/1", "x.1.0/2"})

    def test_a_snapshot_keeps_what_its_source_had(self) -> None:
        self.model.replay([create(), write(1, 1), snapshot(2, "s", "x"), write(3, 3)],
                          made() + wrote(1) + made(2) + wrote(3))
        self.assertEqual(self.findings("s", "x.1.0/1"), [])
        self.assertEqual(self.findings("s", "x.1.0/3"), ["wrong"])


class Agreement(unittest.TestCase):
    def setUp(self) -> None:
        self.model = Model()
        self.model.replay([create()], made())

    def judged(self, *rows: dict[str, Any], **changes: Any) -> list[str]:
        return kinds(agreement.findings(self.model, facts(*rows, **changes)))

    def test_all_is_well(self) -> None:
        self.assertEqual(self.judged(row()), [])

    def test_a_volume_that_is_gone(self) -> None:
        self.assertEqual(self.judged(), ["lost"])

    def test_a_volume_that_nobody_asked_for(self) -> None:
        self.assertEqual(self.judged(row(), row("y")), ["leaked"])

    def test_a_volume_that_was_removed(self) -> None:
        self.model.replay([remove(0)], answered(0))
        self.assertEqual(self.judged(row()), ["leaked"])

    def test_a_volume_that_is_not_as_asked_for(self) -> None:
        for change in ({"lv_active": ""}, {"lv_suspended": "suspended"}, {"lv_tags": ""},
                       {"lv_attr": "Vri-a-tz--"}):
            with self.subTest(change):
                self.assertIn("wrong", self.judged(row() | change))

    def test_another_list_than_lvms(self) -> None:
        told = facts(row(size=SIZE)).told
        told["thin-a"]["volumes"]["x"]["size"] += EXTENT
        self.assertEqual(self.judged(row(), told=told), ["wrong"])

    def test_another_number_than_lvms(self) -> None:
        told = facts(row()).told
        told["thin-b"]["free_bytes"] -= 1
        self.assertEqual(self.judged(row(), told=told), ["wrong"])

    def test_devices(self) -> None:
        tables = {"vg_a-x": SIZE}
        self.assertEqual(self.judged(row(), devices=[device("vg_a-x"), device("vg_a-old")]),
                         ["leaked"])
        self.assertEqual(self.judged(row(), devices=[device("vg_a-x", "Suspended")]), ["wrong"])
        self.assertEqual(self.judged(row(), table_bytes={"vg_a-x": tables["vg_a-x"] // 2}), ["wrong"])

    def test_records_mounts_and_processes(self) -> None:
        extra = [*facts().processes, Process(7, 1, "Ss", "/usr/lib/lvmd/lvmd-server")]
        self.assertEqual(self.judged(row(), intents=["x"]), ["leaked"])
        self.assertEqual(self.judged(row(), mounts=["x"]), ["leaked"])
        self.assertEqual(self.judged(row(), processes=extra), ["leaked"])
        self.assertEqual(self.judged(row(), processes=facts().processes[1:]), ["lost"])
        # A process that has forked and will execute another program.
        asking = [*facts().processes, Process(7, 102, "S", "/usr/lib/lvmd/lvmd-observer vg_a")]
        self.assertEqual(self.judged(row(), processes=asking), [])


class Turns(unittest.TestCase):
    def test_the_kind_least_tried_comes_next(self) -> None:
        tally = Tally("1")
        for _ in range(40):
            fault = least_tried(tuple(ALL.values()), tally, random.Random("1"))
            tally.kinds.setdefault(fault.name, Kind(fault.how)).injected += fault.times
        shares = [tally.kinds[name].injected / fault.wanted for name, fault in ALL.items()]
        a_round = max(fault.times / fault.wanted for fault in ALL.values())
        self.assertLessEqual(max(shares) - min(shares), a_round)

    def test_a_kind_by_its_name_or_its_beginning(self) -> None:
        self.assertEqual([fault.name for fault in chosen("kill-all,stop-server")],
                         ["kill-all", "stop-server"])
        self.assertIn("kill-worker", [fault.name for fault in chosen("kill")])
        self.assertRaises(UnknownFault, chosen, "earthquake")


class Results(unittest.TestCase):
    def test_the_file_has_what_the_table_has(self) -> None:
        tally = Tally("1", rounds=1)
        tally.answers["OK"] += 2
        tally.kinds["kill"] = Kind("by hand", injected=3)
        tally.kinds["kill"].said["NOT_SERVING why"] += 1
        tally.add(tally.kinds["kill"], "kill", 1, [Finding("lost", "x")])
        with tempfile.TemporaryDirectory() as folder:
            tally.write(Path(folder) / "new" / "result.json")
            written = json.loads((Path(folder) / "new" / "result.json").read_text())
        self.assertEqual(written["answers"], {"OK": 2})
        self.assertEqual(written["kinds"]["kill"]["said"], {"NOT_SERVING why": 1})
        self.assertEqual(written["findings"], [{"round": "1", "fault": "kill", "kind": "lost", "text": "x"}])
        self.assertIn("1 lost, 0 leaked", tally.table())


class Plans(unittest.TestCase):
    def test_a_seed_repeats_it(self) -> None:
        first, again, other = (Planner(seed).plan(1, Model()) for seed in ("1", "1", "2"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_it_has_all_kinds_of_requests(self) -> None:
        plan = Planner("1").plan(1, Model())
        self.assertEqual({operation["do"] for operation in plan},
                         {"create", "snapshot", "resize", "remove", "list", "write", "read"})
        self.assertTrue(any(operation.get("callers", 1) > 1 for operation in plan))
        self.assertTrue(any("deadline_ms" in operation for operation in plan))
        self.assertGreaterEqual(len(plan), OPERATIONS)


if __name__ == "__main__":
    unittest.main()

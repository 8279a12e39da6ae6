"""A case that injects all faults while desired states change, and checks the result."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from tests.e2e.kube.fault_proxy import FaultProxy
from tests.e2e.kube.faults import Faults, Kind

from . import node_capacity
from .case import MIB, Case
from .churn import Churn
from .logical_volume import GROUP, LEGACY_GROUP
from .stage import NODE, VOLUME_GROUP

_SEED = "LVMD_CHURN_SEED"
"""The environment variable with the seed of a failed run. It repeats the desired states, but not
their times."""

_CHANCES = {
    Kind.DROP: 0.02, Kind.DROP_AFTER: 0.03, Kind.DELAY: 0.04, Kind.TRUNCATE: 0.02,
    Kind.DUPLICATE: 0.03, Kind.CONFLICT: 0.03, Kind.GONE: 0.04, Kind.TOO_MANY: 0.02,
    Kind.BROKEN: 0.02, Kind.SLOW_LORIS: 0.01, Kind.CUT_EVENT: 0.15, Kind.DUPLICATE_EVENT: 0.15,
    Kind.EXPIRED_EVENT: 0.1, Kind.STALL: 0.1,
}
# Short watches, so that there are many watches that can have faults.
_WATCH_SECONDS = 4
_LONGEST_PAUSE = 0.6
_POLL_SECONDS = 0.5
_QUIET_SECONDS = 60.0
_CAPACITY_SECONDS = 60.0

Volumes = dict[str, dict[str, Any]]


class FaultCase(Case):
    def setUp(self) -> None:
        self.seed = int(os.environ.get(_SEED, random.randrange(1 << 32)))
        self.random = random.Random(self.seed)
        self.faults = Faults(self.seed, _CHANCES)
        self.churn = Churn(self.stage.plane, type(self).__name__.lower(), self.seed)
        self.addCleanup(self.churn.delete_all)
        self.lv_uuids: dict[str, str] = {}

    def play(self, objects: int, per_round: int, kills: int, limit: float) -> None:
        """Runs rounds with `per_round` new objects each until there are this many objects, and then
        deletes all. `limit`: the seconds in which the actual state must become correct after the
        last fault."""
        with self.telling_the_seed():
            self.within(_QUIET_SECONDS, "no deletion is under way", self.under_way)
            before = self.volumes()
            self.go_through_faults()

            self.churn_and_kill(objects, per_round, kills)
            self.faults.switch(False)
            self.within(limit, "all objects are as requested", self.churn.complaints)
            self.assert_agreement(before)
            self.assertEqual([kind for kind, count in self.faults.happened().items() if not count],
                             [], "these never happened")

            self.faults.switch(True)
            self.churn.delete_all()
            self.pause()
            self.kill()
            self.pause()
            self.faults.switch(False)
            self.within(limit, "all objects are gone", self.churn.complaints)
            self.assert_agreement(before)

    def churn_and_kill(self, objects: int, per_round: int, kills: int) -> None:
        changed = per_round * 2 // 5
        rounds = -(-objects // (per_round - changed))
        killed = set(self.random.sample(range(rounds), kills))
        for number in range(2 * rounds):
            is_over = number >= rounds
            if is_over and all(self.faults.happened().values()):
                return
            steps = [partial(self.churn.create, 1 if is_over else per_round),
                     partial(self.churn.grow, changed), partial(self.churn.delete, changed)]
            if number in killed:
                steps.insert(self.random.randrange(len(steps) + 1), partial(self.kill))
            for step in steps:
                step()
                self.pause()
            self.volumes()

    def go_through_faults(self) -> None:
        plane = self.stage.plane
        proxy = self.enterContext(FaultProxy(
            plane.url, plane.ca, plane.server_certificate, plane.server_key, self.faults,
            _WATCH_SECONDS))
        self.addCleanup(self.go_straight)
        self.stage.reconciler.use_server(proxy.url_for_guest)
        self.stage.reconciler.restart()

    def go_straight(self) -> None:
        self.stage.reconciler.use_server(self.stage.plane.url_for_guest)
        self.stage.reconciler.restart()

    def kill(self) -> None:
        self.assertNotEqual(self.stage.reconciler.pid(), 0, "it has ended by itself")
        self.stage.reconciler.kill()
        self.pause()
        self.stage.reconciler.start()

    def pause(self) -> None:
        time.sleep(self.random.uniform(0, _LONGEST_PAUSE))

    def volumes(self) -> Volumes:
        """LVM's own report, by name. Sizes are in bytes. Fails if a volume is not the one that had
        its name before."""
        done = self.stage.machine.run(
            "lvs --reportformat json --units b --nosuffix "
            f"-o lv_name,lv_uuid,lv_size,pool_lv,origin {VOLUME_GROUP} 2>/dev/null", check=True)
        volumes = {}
        for row in json.loads(done.output)["report"][0]["lv"]:
            volumes[row["lv_name"]] = {**row, "lv_size": int(row["lv_size"])}
            known = self.lv_uuids.setdefault(row["lv_name"], row["lv_uuid"])
            self.assertEqual(row["lv_uuid"], known, f"{row['lv_name']} was replaced")
        return volumes

    def assert_agreement(self, before: Volumes) -> None:
        """LVM has the desired volumes, those from before, and no other. The Node's annotations
        agree."""
        volumes = self.volumes()
        requested = before | self.requested_volumes(volumes)
        different = [f"{name}: LVM has {volumes.get(name)}, requested is {requested.get(name)}"
                     for name in sorted(volumes.keys() | requested.keys())
                     if volumes.get(name) != requested.get(name)]
        if different:
            self.fail("\n".join([*different, self.stage.describe()]))
        self.within(_CAPACITY_SECONDS, "the Node says what LVM says", self.capacity_complaints)

    def requested_volumes(self, volumes: Volumes) -> Volumes:
        """LVM's report of the objects' volumes, without the UUID, which LVM chooses."""
        objects = self.churn.objects()
        uids = {name: found["metadata"]["uid"] for name, found in objects.items()}
        return {uids[volume.name]: {
            "lv_name": uids[volume.name],
            "lv_uuid": volumes.get(uids[volume.name], {}).get("lv_uuid"),
            "lv_size": volume.size * MIB,
            "pool_lv": "pool" if volume.device_class == "thin" else "",
            "origin": uids[volume.source] if volume.source else "",
        } for volume in self.churn.requested.values()}

    def capacity_complaints(self) -> list[str]:
        told, true = node_capacity.told(self.stage), node_capacity.true(self.stage)
        return [] if told == true else [f"the Node has {told}, LVM has {true}"]

    def under_way(self) -> list[str]:
        """The objects of any case that the node will release."""
        found = json.loads(self.stage.plane.kubectl(
            "get", f"logicalvolumes.{GROUP},logicalvolumes.{LEGACY_GROUP}", "--output=json"))
        return [item["metadata"]["name"] for item in found["items"]
                if "deletionTimestamp" in item["metadata"]
                and item.get("spec", {}).get("nodeName") == NODE]

    def within(self, seconds: float, what: str, complaints: Callable[[], list[str]]) -> None:
        """Waits until there are no differences."""
        deadline = time.monotonic() + seconds
        while found := complaints():
            if time.monotonic() > deadline:
                shown = "\n".join(found)
                self.fail(f"not within {seconds:.0f} s: {what}\n── now\n{shown}\n"
                          f"{self.stage.describe()}")
            time.sleep(_POLL_SECONDS)

    @contextmanager
    def telling_the_seed(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            counts = ", ".join(f"{kind.value} {count}"
                               for kind, count in self.faults.happened().items())
            told = f"with {_SEED}={self.seed}, and these faults: {counts}"
            if isinstance(error, self.failureException):
                raise self.failureException(f"{told}\n{error}") from error
            error.add_note(told)
            raise

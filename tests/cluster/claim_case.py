"""The base class of the cases about claims that lvmd and csi-controller provide with volumes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from . import objects, stage
from .case import Case
from .claim import Claim
from .installation import AT_ONCE

SIZE = "256Mi"
MIB = 1 << 20
_SNAPSHOTS = "/apis/snapshot.storage.k8s.io/v1"
_SUFFIXES = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40}


class ClaimCase(Case):
    def setUp(self) -> None:
        super().setUp()
        self._seen: dict[str, int] = {}

    def make_claim(self, storage_class: str, size: str = SIZE, suffix: str = "",
                   source: Mapping[str, str] | None = None) -> Claim:
        """A claim of this case. It is deleted with its volume after the case."""
        name = self.name + suffix
        made: list[Claim] = []
        # Runs after the deletion of the claim, which does not wait for the volume.
        self.addCleanup(lambda: [self.wait_until_removed(claim) for claim in made])
        self.create(objects.claim(name, storage_class, size, self.mode, source))
        made.append(Claim(self.stage.plane, name))
        return made[0]

    def make_claim_at_once(self) -> Claim:
        """A claim that has a volume, without a pod."""
        claim = self.make_claim(AT_ONCE)
        self.wait_until_bound(claim)
        self.assert_passes(claim, "Creating", "Created")
        return claim

    def wait_until_removed(self, claim: Claim) -> None:
        self.eventually(f"{claim} leaves no object",
                        lambda: not claim.volume() and not claim.logical_volume(),
                        self.shown(claim))

    def wait_until_bound(self, claim: Claim) -> None:
        self.eventually(f"{claim} is bound",
                        lambda: claim.read()["status"]["phase"] == "Bound", self.shown(claim))

    def assert_passes(self, claim: Claim, *states: str) -> None:
        """Waits until the volume has gone through exactly these CSI states since the last call for
        it, and is in the last one."""
        def attempt() -> bool:
            if (now := self._passed(claim)) != list(states[:len(now)]):
                self.fail(f"{claim} went through {now} instead of {list(states)}\n"
                          f"{self.shown(claim)()}\n{self.stage.describe()}")
            return now == list(states)

        self.eventually(f"{claim} goes through {', '.join(states)}", attempt,
                        lambda: f"it went through {self._passed(claim)}\n{self.shown(claim)()}")
        self._seen[claim.volume_name] = self._seen.get(claim.volume_name, 0) + len(states)

    def assert_passes_one_of(self, claim: Claim, *sequences: tuple[str, ...]) -> tuple[str, ...]:
        """The same for one of several sequences. Returns it."""
        found: tuple[str, ...] = self.eventually(
            f"{claim} goes through one of {sequences}",
            lambda: next((one for one in sequences if one == tuple(self._passed(claim))), ()),
            lambda: f"it went through {self._passed(claim)}\n{self.shown(claim)()}")
        self._seen[claim.volume_name] = self._seen.get(claim.volume_name, 0) + len(found)
        return found

    def assert_repeats(self, claim: Claim, *repeated: str, until: tuple[str, ...]) -> None:
        """The same for states that are repeated any number of times, before those of `until`."""
        self.eventually(f"{claim} is {until[-1]}",
                        lambda: tuple(self._passed(claim)[-len(until):]) == until,
                        lambda: f"it went through {self._passed(claim)}\n{self.shown(claim)()}")
        passed = self._passed(claim)
        again = passed[:-len(until)]
        self.assertEqual(again, list(repeated) * (len(again) // len(repeated)))
        self._seen[claim.volume_name] = self._seen.get(claim.volume_name, 0) + len(passed)

    def _passed(self, claim: Claim) -> list[str]:
        """The states that no assertion has checked yet."""
        return self.stage.states.of(claim.volume_name)[self._seen.get(claim.volume_name, 0):]

    def hold(self, option: str) -> str:
        """Starts a process with this option of systemd-run. Returns its unit, which the case may
        stop earlier."""
        unit = "case-holder.service"
        self.addCleanup(self.stage.node.run, f"systemctl stop {unit}")
        self.stage.node.shell(f"systemd-run --quiet --collect --service-type=exec --unit={unit} "
                              f"{option} sleep infinity")
        return unit

    def wait_for_event(self, uid: str, reason: str, words: str = "") -> None:
        """Waits for an event with this reason, and these words in its message, about the object
        with this UID."""
        self.eventually(
            f"event {reason} with '{words}'",
            lambda: any(event["reason"] == reason and words in event["message"]
                        for event in self.events(uid)),
            lambda: "\n".join(f"{event['reason']}: {event['message']}"
                              for event in self.events(uid)))

    def events(self, uid: str) -> list[dict[str, Any]]:
        """The events about the object with this UID, also after its end."""
        path = f"/api/v1/namespaces/default/events?fieldSelector=involvedObject.uid={uid}"
        return (self.stage.plane.read(path) or {})["items"]

    def wait_for_snapshot(self, name: str) -> dict[str, Any]:
        """Waits until the VolumeSnapshot can be used. Returns its VolumeSnapshotContent."""
        path = f"{_SNAPSHOTS}/namespaces/default/volumesnapshots/{name}"

        def status() -> dict[str, Any]:
            return (self.stage.plane.read(path) or {}).get("status", {})

        self.eventually(f"the snapshot {name} is ready to use", lambda: status().get("readyToUse"),
                        lambda: json.dumps(status(), indent=2))
        found = self.snapshot_content(status()["boundVolumeSnapshotContentName"])
        assert found is not None
        return found

    def snapshot_content(self, name: str) -> dict[str, Any] | None:
        """The VolumeSnapshotContent."""
        return self.stage.plane.read(f"{_SNAPSHOTS}/volumesnapshotcontents/{name}")

    def assert_removed(self, claim: Claim, handle: str) -> None:
        """Waits until nothing of the claim's volume is left: its objects, its LV, and its mounts
        and folders on the node."""
        self.wait_until_removed(claim)
        search = (
            f"lvs --noheadings --options=lv_name {stage.VOLUME_GROUP} | grep -F {handle}; "
            f"grep -l -F {claim.volume_name} /proc/[0-9]*/mountinfo 2>/dev/null; "
            f"find /var/lib/kubelet -xdev -name '*{claim.volume_name}*'; "
            f"ls --directory {claim.staging_folder(handle)} 2>/dev/null")
        self.eventually(f"{claim} leaves nothing on the node",
                        lambda: not self.stage.node.run(search)[1],
                        lambda: self.stage.node.run(search)[1])

    def shown(self, claim: Claim) -> Any:
        """For a failure: a function that returns the claim's state as text."""
        return lambda: json.dumps(
            {"claim": claim.read().get("status"), "volume": claim.volume().get("status"),
             "logicalVolume": claim.logical_volume()}, indent=2)


def bytes_of(quantity: str) -> int:
    """The number of bytes of a quantity without fraction."""
    number = quantity.rstrip("KMGTi")
    return int(number) * _SUFFIXES.get(quantity[len(number):], 1)

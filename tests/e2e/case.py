"""The base class of the cases: objects named after the case."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from . import stage
from .logical_volume import GROUP, LogicalVolume
from .stages import LIMIT_SECONDS, StageCase

MIB = 1 << 20


class Case(StageCase):
    stage: stage.Stage

    @classmethod
    def setUpClass(cls) -> None:
        cls.stage = stage.shared()

    def volume(self, suffix: str = "", group: str = GROUP) -> LogicalVolume:
        """An object of this case, which is not created yet. Requests its deletion after the
        case."""
        name = self._testMethodName.removeprefix("test_").replace("_", "-") + suffix
        volume = LogicalVolume(self.stage.plane, name, group)
        self.addCleanup(volume.delete)
        return volume

    def spec(self, size: str, device_class: str = "thick", **more: str) -> dict[str, str]:
        return {"nodeName": stage.NODE, "size": size, "deviceClass": device_class, **more}

    def wait_for(self, volume: LogicalVolume, what: str, holds: Callable[[dict[str, Any]], bool],
                 limit: float = LIMIT_SECONDS) -> dict[str, Any]:
        """Waits until `holds` returns true for the object. Returns the object."""

        def attempt() -> dict[str, Any] | None:
            found = volume.read()
            return found if found is not None and holds(found) else None

        return self.eventually(
            f"{volume}: {what}", attempt, lambda: json.dumps(volume.read(), indent=2), limit)

    def wait_for_size(self, volume: LogicalVolume, size: str,
                      limit: float = LIMIT_SECONDS) -> dict[str, Any]:
        """Waits until the status reports success with the object's current `size`. Returns the
        object."""
        return self.wait_for(volume, f"volume of {size}", lambda found: (
            status(found).get("currentSize") == size and status(found).get("code", 0) == 0
            and not status(found).get("message")), limit)

    def wait_for_condition(self, volume: LogicalVolume, kind: str, value: str) -> dict[str, Any]:
        """Waits until the condition has the status `value`. Returns the condition."""
        found = self.wait_for(volume, f"condition {kind} {value}",
                              lambda found: condition(found, kind).get("status") == value)
        return condition(found, kind)

    def wait_for_event(self, volume: LogicalVolume, uid: str, reason: str) -> dict[str, Any]:
        """Waits for an event with that reason about the object with this UID. Returns the event."""
        def attempt() -> dict[str, Any] | None:
            return next((event for event in volume.events(uid) if event["reason"] == reason), None)

        return self.eventually(f"{volume}: event {reason}", attempt,
                               lambda: json.dumps(volume.events(uid), indent=2))

    def wait_for_code(self, volume: LogicalVolume, code: int) -> str:
        """Waits until the status has the code `code`. Returns its message."""
        found = self.wait_for(volume, f"status.code {code}",
                              lambda found: status(found).get("code") == code)
        return status(found)["message"]

    def wait_until_gone(self, volume: LogicalVolume) -> None:
        self.eventually(f"{volume} is gone", lambda: volume.read() is None,
                        lambda: json.dumps(volume.read(), indent=2))

    def assert_volume(self, name: str, size: int) -> dict[str, Any]:
        """Checks that LVM has the volume with exactly `size` bytes. Returns LVM's report of it."""
        found = self.stage.volumes().get(name)
        if found is None:
            self.fail(f"LVM has no volume {name}\n{self.stage.describe()}")
        self.assertEqual(found["lv_size"], size)
        return found

    def assert_no_volume(self, name: str) -> None:
        if name in self.stage.volumes():
            self.fail(f"LVM has a volume {name}\n{self.stage.describe()}")


def status(found: dict[str, Any]) -> dict[str, Any]:
    return found.get("status", {})


def condition(found: dict[str, Any], kind: str) -> dict[str, Any]:
    """The condition of that type; empty if there is none."""
    return next((entry for entry in status(found).get("conditions", []) if entry["type"] == kind),
                {})


def finalizers(found: dict[str, Any]) -> list[str]:
    return found["metadata"].get("finalizers", [])

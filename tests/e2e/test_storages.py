"""The status of a storage shows whether it can be used: a reconciler with --online-snapshots,
lvmd's checks and restic in the VM. The ids in brackets are rules of docs/reconciler.md."""

from __future__ import annotations

import json
from typing import Any

from .case import status
from .online_case import OnlineCase
from .online_snapshots import NAMESPACE, REPOSITORIES, SECRET, STORAGE
from .stage import NODE


class Storages(OnlineCase):
    def apply(self, name: str, path: str = REPOSITORIES, secret: str = SECRET, **spec: Any) -> None:
        """A storage in a folder of the node. It is removed after the case."""
        manifest = self.online.storage(
            {"provider": "local", "local": {"path": path, "secretName": secret}}, **spec)
        manifest["metadata"]["name"] = name
        self.addCleanup(self.stage.plane.kubectl, "delete", "snapshotbackupstorage", name,
                        f"--namespace={NAMESPACE}", "--ignore-not-found")
        self.online.apply(manifest)

    def wait_for_phase(self, name: str, phase: str) -> dict[str, Any]:
        """Waits until the status, for the current spec, has that phase. Returns the storage."""

        def attempt() -> dict[str, Any] | None:
            found = self.online.read(name)
            told = status(found)
            is_now = told.get("observedGeneration") == found["metadata"]["generation"]
            return found if is_now and told["phase"] == phase else None

        return dict(self.eventually(f"storage {name} is {phase}", attempt,
                                    lambda: json.dumps(self.online.read(name), indent=2)))

    def test_one_that_can_be_used(self) -> None:
        """[R-STORE-1, R-STORE-2, R-STORE-3, R-RIGHT-5]"""
        found = self.wait_for_phase(STORAGE, "Ready")
        self.assertEqual(status(found)["node"], NODE)
        self.assertEqual(status(found).get("message", ""), "")
        self.assertRegex(status(found)["lastChecked"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        left = self.stage.machine.run(f"ls -A {REPOSITORIES}", check=True).output
        self.assertNotIn(".lvmd-check", left)

    def test_one_that_lvmd_refuses_until_it_is_put_right(self) -> None:
        """[R-STORE-2, R-STORE-3]"""
        self.apply("elsewhere", path="/srv/elsewhere")
        self.assertIn("transfers.local-roots",
                      status(self.wait_for_phase("elsewhere", "Error"))["message"])
        self.apply("elsewhere", path=f"{REPOSITORIES}/elsewhere")
        self.assertEqual(status(self.wait_for_phase("elsewhere", "Ready")).get("message", ""), "")

    def test_one_whose_secret_comes_later(self) -> None:
        """[R-STORE-3, R-STORE-4]"""
        self.apply("locked", secret="late")
        self.assertIn(f"there is no Secret {NAMESPACE}/late",
                      status(self.wait_for_phase("locked", "Error"))["message"])
        self.addCleanup(self.stage.plane.kubectl, "delete", "secret", "late",
                        f"--namespace={NAMESPACE}")
        self.online.apply({"apiVersion": "v1", "kind": "Secret",
                           "metadata": {"name": "late", "namespace": NAMESPACE},
                           "stringData": {"RESTIC_PASSWORD": "of the tests"}})
        self.wait_for_phase("locked", "Ready")

    def test_one_that_is_not_to_be_validated(self) -> None:
        """[R-STORE-1, R-STORE-10]"""
        self.apply("unchecked", validateOnCreate=False)
        self.apply("checked")
        # Created and reported after the other one.
        self.wait_for_phase("checked", "Ready")
        self.assertNotIn("status", self.online.read("unchecked"))
        self.apply("unchecked", validateOnCreate=True)
        self.wait_for_phase("unchecked", "Ready")

"""The component for online snapshots: the objects that the reconciler may read, and the storages
that the API server refuses. The ids in brackets are rules of docs/reconciler.md."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from tests.e2e.kube import KubeError

from .cluster import ClusterCase
from .daemon_pod import ACCOUNT, PACKAGING, DaemonPod
from .online_snapshots import CLASS, NAMESPACE, SECRET, STORAGE, OnlineSnapshots

NODE, OTHER_NODE = "online-rights", "online-rights-elsewhere"
_IN_FORCE_SECONDS = 60.0
_SNAPSHOTS = "/apis/snapshot.storage.k8s.io/v1"
_STORAGES = f"/apis/topolvm.io/v1/namespaces/{NAMESPACE}/snapshotbackupstorages"
_SECRETS = f"/api/v1/namespaces/{NAMESPACE}/secrets"


class OnlineDefinitions(ClusterCase):
    online: OnlineSnapshots
    token: str
    other_token: str

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.online = OnlineSnapshots(cls.plane)
        cls.addClassCleanup(cls.online.withdraw_rights)
        cls.online.install()
        cls.online.content("snapshot-rights")
        cls.online.persistent_volume("pvc-rights", "data")
        cls.token = DaemonPod(cls.plane, NODE).token()
        cls.other_token = DaemonPod(cls.plane, OTHER_NODE).token()
        cls.wait_for_policy()

    @classmethod
    def wait_for_policy(cls) -> None:
        """The API server enforces a new policy a moment after it was applied."""
        deadline = time.monotonic() + _IN_FORCE_SECONDS
        while "ValidatingAdmissionPolicy" not in cls.plane.call(
                "PATCH", f"{_STORAGES}/{STORAGE}/status?dryRun=All", cls.token,
                {"status": {"phase": "Pending", "node": "nobody"}}).message:
            if time.monotonic() > deadline:
                raise KubeError("the admission policy is not in force")
            time.sleep(0.2)

    def answer(self, method: str, path: str, body: dict[str, Any] | None = None) -> int:
        return self.plane.call(method, path, self.token, body).status

    def test_what_is_read(self) -> None:
        """[R-RIGHT-5]"""
        for path in (f"{_SNAPSHOTS}/volumesnapshotcontents/snapcontent-rights",
                     f"{_SNAPSHOTS}/volumesnapshotclasses/{CLASS}",
                     "/api/v1/persistentvolumes/pvc-rights",
                     f"{_STORAGES}/{STORAGE}", f"{_SECRETS}/{SECRET}"):
            self.assertEqual(self.answer("GET", path), 200, path)
            self.assertEqual(self.answer("PATCH", path, {"metadata": {"labels": {"a": "b"}}}), 403,
                             path)
            listed = 200 if path.startswith(_STORAGES) else 403
            self.assertEqual(self.answer("GET", path.rsplit("/", 1)[0]), listed, path)

    def test_of_a_storage_the_status_is_written_and_nothing_else(self) -> None:
        """[R-RIGHT-5, R-STORE-11, R-STORE-12, R-STORE-13, R-STORE-14]"""
        path = f"{_STORAGES}/{STORAGE}"
        before = self.online.read(STORAGE)
        status = {"phase": "Ready", "message": "", "lastChecked": "2026-01-31T12:00:00Z",
                  "node": NODE, "observedGeneration": 1}
        self.assertEqual(
            self.answer("PATCH", f"{path}/status", {"status": {**status, "phase": "Pending"}}), 200)
        answer = self.plane.call("PATCH", f"{path}/status", self.token,
                                 {"status": status, "spec": {"verify": True}})
        self.assertEqual(answer.status, 200, answer.message)
        self.assertEqual(answer.body["status"], status)
        self.assertEqual(answer.body["spec"], before["spec"])
        self.assertEqual(answer.body["metadata"]["generation"], before["metadata"]["generation"])
        for wrong in ({"phase": "Unheard of"}, {"lastChecked": "yesterday"},
                      {"observedGeneration": -1}):
            self.assertEqual(self.answer("PATCH", f"{path}/status", {"status": wrong}), 422, wrong)
        for method, target, body in (("PATCH", path, {"spec": {"verify": True}}),
                                     ("PUT", f"{path}/status", answer.body),
                                     ("DELETE", path, None), ("DELETE", _STORAGES, None)):
            self.assertEqual(self.answer(method, target, body), 403, method)
        shown = self.plane.kubectl("get", "snapshotbackupstorages", f"--namespace={NAMESPACE}")
        self.assertRegex(shown, rf"(?m)^NAME +ENGINE +PROVIDER +PHASE +AGE\n{STORAGE} +restic +local +Ready ")

    def test_a_storage_is_told_of_in_the_own_name_only(self) -> None:
        """[R-RIGHT-6]"""
        manifest = self.online.storage({"provider": "local", "local": {"path": "/a", "secretName": "s"}})
        manifest["metadata"]["name"] = "told-of"
        self.online.apply(manifest)
        self.addCleanup(self.plane.kubectl, "delete", "snapshotbackupstorage", "told-of",
                        f"--namespace={NAMESPACE}")

        def tell(token: str, node: str, phase: str, time_of_day: str, generation: int = 1) -> str:
            """The reason why it is refused; empty if it is accepted."""
            answer = self.plane.call("PATCH", f"{_STORAGES}/told-of/status", token, {"status": {
                "phase": phase, "node": node, "observedGeneration": generation,
                "lastChecked": f"2026-01-31T{time_of_day}Z"}})
            self.assertIn(answer.status, (200, 403), answer.message)
            return "" if answer.status == 200 else answer.message

        here, there = (self.token, NODE), (self.other_token, OTHER_NODE)
        self.assertIn("only with the phase Pending", tell(*here, "Ready", "12:00:00"))
        self.assertIn(f'may not write a status of node "{OTHER_NODE}"',
                      tell(self.token, OTHER_NODE, "Pending", "12:00:00"))
        self.assertEqual(tell(*here, "Pending", "12:00:00"), "")
        self.assertEqual(tell(*here, "Error", "12:00:01"), "")
        self.assertIn("only with the phase Pending", tell(*there, "Ready", "12:30:00"))
        self.assertIn(f'from node "{NODE}"', tell(*there, "Pending", "12:04:59"))
        self.assertEqual(tell(*there, "Pending", "12:10:01"), "")
        self.assertEqual(tell(*there, "Ready", "12:10:02"), "")
        self.assertIn("no longer updates", tell(*here, "Pending", "23:00:00"))
        manifest["spec"]["verify"] = True  # another generation
        self.online.apply(manifest)
        self.assertEqual(tell(*here, "Pending", "12:10:03", generation=2), "")
        loose = self.plane.kubectl("create", "token", ACCOUNT, "--namespace=lvmd-system").strip()
        self.assertIn("bound to no node", tell(loose, NODE, "Ready", "12:10:04"))

    def test_a_storage_is_validated_unless_its_spec_says_otherwise(self) -> None:
        """[R-STORE-10]"""
        self.assertIs(self.online.read(STORAGE)["spec"]["validateOnCreate"], True)
        manifest = self.online.storage(
            {"provider": "local", "local": {"path": "/a", "secretName": "s"}},
            validateOnCreate="no")
        manifest["metadata"]["name"] = "wrong"
        self.assertIn("validateOnCreate",
                      self.refused("create", "--filename=-", manifest=manifest))

    def test_no_secret_of_another_namespace(self) -> None:
        """[R-RIGHT-5]"""
        for namespace in ("default", "kube-system", "lvmd-system"):
            self.assertEqual(self.answer("GET", f"/api/v1/namespaces/{namespace}/secrets/any"), 403)

    def test_the_component_in_a_kustomization(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            own = Path(folder) / "own"
            own.mkdir()
            (Path(folder) / "lvmd").symlink_to(PACKAGING, target_is_directory=True)
            (own / "kustomization.yaml").write_text(
                "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
                "resources: [../lvmd]\ncomponents: [../lvmd/online-snapshots]\n")
            made = self.plane.kubectl("kustomize", str(own))
        self.assertIn("- --online-snapshots\n", made)
        self.assertIn("name: snapshotbackupstorages.topolvm.io\n", made)
        self.assertIn("name: lvmd-reconciler-storages\n", made)
        self.assertIn("policyName: lvmd-reconciler-storages\n", made)

    def test_wrong_storages(self) -> None:
        s3 = {"bucket": "b", "secretName": "s"}
        wrong: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
            ("the only engine is restic", {"provider": "s3", "s3": s3}, {"engine": "kopia"}),
            ("not one of s3, gcs, rest, local", {"provider": "azure"}, {}),
            ("spec.storage.rest is missing", {"provider": "rest", "s3": s3}, {}),
            ("secretName", {"provider": "s3", "s3": {"bucket": "b"}}, {}),
            ("ca.crt", {"provider": "s3", "s3": {**s3, "insecureTLS": True}}, {}),
            ("must be in the secret",
             {"provider": "rest", "rest": {"url": "https://me:word@rest/", "secretName": "s"}}, {}),
            ("absolute path", {"provider": "local", "local": {"path": "a", "secretName": "s"}}, {}),
        )
        for words, storage, spec in wrong:
            with self.subTest(words):
                manifest = self.online.storage(storage, **spec)
                manifest["metadata"]["name"] = "wrong"
                self.assertIn(words, self.refused("create", "--filename=-", manifest=manifest))

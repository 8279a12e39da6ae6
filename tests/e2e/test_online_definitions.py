"""The component for online snapshots: what it lets the reconciler read, and which storages are refused when
they are written. The ids in brackets are rules of docs/reconciler.md."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from .cluster import ClusterCase
from .daemon_pod import PACKAGING, DaemonPod
from .online_snapshots import CLASS, NAMESPACE, SECRET, STORAGE, OnlineSnapshots

_SNAPSHOTS = "/apis/snapshot.storage.k8s.io/v1"
_STORAGES = f"/apis/topolvm.io/v1/namespaces/{NAMESPACE}/snapshotbackupstorages"
_SECRETS = f"/api/v1/namespaces/{NAMESPACE}/secrets"


class OnlineDefinitions(ClusterCase):
    online: OnlineSnapshots
    token: str

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.online = OnlineSnapshots(cls.plane)
        cls.addClassCleanup(cls.online.withdraw_rights)
        cls.online.install()
        cls.online.content("snapshot-rights")
        cls.online.persistent_volume("pvc-rights", "data")
        cls.token = DaemonPod(cls.plane, "online-rights").token()

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
            self.assertEqual(self.answer("GET", path.rsplit("/", 1)[0]), 403, path)

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

    def test_wrong_storages(self) -> None:
        s3 = {"bucket": "b", "secretName": "s"}
        wrong: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
            ("the one engine is restic", {"provider": "s3", "s3": s3}, {"engine": "kopia"}),
            ("none of s3, gcs, rest and local", {"provider": "azure"}, {}),
            ("spec.storage.rest is missing", {"provider": "rest", "s3": s3}, {}),
            ("secretName", {"provider": "s3", "s3": {"bucket": "b"}}, {}),
            ("ca.crt", {"provider": "s3", "s3": {**s3, "insecureTLS": True}}, {}),
            ("belong into the secret",
             {"provider": "rest", "rest": {"url": "https://me:word@rest/", "secretName": "s"}}, {}),
            ("absolute path", {"provider": "local", "local": {"path": "a", "secretName": "s"}}, {}),
        )
        for words, storage, spec in wrong:
            with self.subTest(words):
                manifest = self.online.storage(storage, **spec)
                manifest["metadata"]["name"] = "wrong"
                self.assertIn(words, self.refused("create", "--filename=-", manifest=manifest))

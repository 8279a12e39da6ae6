"""What csi-controller's service account may do, by its rights and by the admission policy. The ids
in brackets are rules of docs/csi.md."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.e2e.kube import Answer
from tests.e2e.kube.servers import free_ports
from tools.dev import paths

from . import csi_controller
from .cluster import ClusterCase
from .csi_controller import ACCOUNT, ATTACH_MANIFESTS, MANIFESTS, NAMESPACE, POLICY, USER
from .logical_volume import GROUP, LEGACY_GROUP, LogicalVolume

VOLUMES = f"/apis/{GROUP}/v1/logicalvolumes"
ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments"
RESIZE = f"{GROUP}/resize-requested-at"
OF_THE_SPEC = "may change nothing in the spec of a LogicalVolume except the size"
OF_ANNOTATIONS = f"may change no annotation of a LogicalVolume except {RESIZE}"
OF_METADATA = "may change neither labels nor finalizers nor ownerReferences"
_SECONDS = 60.0
# Changes of an object that the policy refuses, and its words.
REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"spec": {"deviceClass": "hdd"}}, OF_THE_SPEC),
    ({"spec": {"deviceClass": None}}, OF_THE_SPEC),
    ({"spec": {"size": "2Gi", "lvcreateOptionClass": "raid1"}}, OF_THE_SPEC),
    ({"spec": {"source": "other", "accessType": "ro"}}, OF_THE_SPEC),
    ({"metadata": {"annotations": {"lvmd.io/abandon": "true"}}}, OF_ANNOTATIONS),
    ({"metadata": {"annotations": {"example.com/kept": "no", RESIZE: "now"}}}, OF_ANNOTATIONS),
    ({"metadata": {"annotations": {"example.com/kept": None}}}, OF_ANNOTATIONS),
    ({"metadata": {"annotations": {f"{LEGACY_GROUP}/resize-requested-at": "now"}}}, OF_ANNOTATIONS),
    ({"metadata": {"annotations": None}}, OF_ANNOTATIONS),
    ({"metadata": {"labels": {"example.com/new": "yes"}}}, OF_METADATA),
    ({"metadata": {"finalizers": None}}, OF_METADATA),
    ({"metadata": {"finalizers": [f"{GROUP}/logicalvolume", "example.com/new"]}}, OF_METADATA),
    ({"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "vm",
                                        "uid": "11111111-1111-4111-8111-111111111111"}]}},
     OF_METADATA),
)
# Requests that no role permits.
DENIED: tuple[tuple[str, str], ...] = (
    ("GET", "/api/v1/secrets"),
    ("GET", f"/api/v1/namespaces/{NAMESPACE}/secrets"),
    ("GET", "/api/v1/namespaces/lvmd-snapshots/secrets/minio"),
    ("GET", "/api/v1/pods"),
    ("GET", f"/api/v1/namespaces/{NAMESPACE}/pods"),
    ("GET", f"/api/v1/namespaces/{NAMESPACE}/configmaps"),
    ("GET", f"/apis/{LEGACY_GROUP}/v1/logicalvolumes"),
    ("GET", ATTACHMENTS),
    ("POST", f"/api/v1/namespaces/{NAMESPACE}/pods"),
    ("POST", "/api/v1/nodes"),
    ("PATCH", "/api/v1/nodes/csi-rights"),
    ("DELETE", "/api/v1/nodes/csi-rights"),
    ("DELETE", VOLUMES),
    ("PATCH", "/apis/storage.k8s.io/v1/csidrivers/topolvm.io"),
    ("PATCH", "/apis/storage.k8s.io/v1/storageclasses/any"),
    ("POST", "/api/v1/namespaces/default/persistentvolumeclaims"),
    ("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases"),
    ("POST", "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities"),
)
EVERYWHERE = {
    f"logicalvolumes.{GROUP}": {"get", "list", "watch", "create", "patch", "delete"},
    "nodes": {"get", "list", "watch"},
    "persistentvolumes": {"get", "list", "watch", "create", "patch", "delete"},
    "persistentvolumeclaims": {"get", "list", "watch", "update"},
    "persistentvolumeclaims/status": {"patch"},
    "events": {"create", "patch"},
    "csinodes.storage.k8s.io": {"get", "list", "watch"},
    "storageclasses.storage.k8s.io": {"get", "list", "watch"},
    "volumesnapshots.snapshot.storage.k8s.io": {"get", "list", "watch", "update"},
    "volumesnapshotclasses.snapshot.storage.k8s.io": {"get", "list", "watch"},
    "volumesnapshotcontents.snapshot.storage.k8s.io": {"get", "list", "watch", "patch"},
    "volumesnapshotcontents.snapshot.storage.k8s.io/status": {"update", "patch"},
}
IN_THE_NAMESPACE = {
    "leases.coordination.k8s.io": {"get", "create", "update"},
    "csistoragecapacities.storage.k8s.io": {"get", "list", "watch", "create", "update", "delete"},
    "pods": {"get"},
    "replicasets.apps": {"get"},
}
"""The verbs of the account by resource: in every namespace, and in its own in addition."""


class RightsCase(ClusterCase):
    manifests = MANIFESTS
    token: str

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.token = csi_controller.install(cls.plane, cls.manifests)

    def ask(self, method: str, target: str, body: dict[str, Any] | None = None) -> Answer:
        return self.plane.call(method, target, self.token, body)

    def assert_allowed(self, answer: Answer) -> dict[str, Any]:
        self.assertIn(answer.status, (200, 201), answer.message)
        return answer.body

    def assert_refused(self, answer: Answer, *words: str) -> None:
        self.assertEqual(answer.status, 403, answer.body)
        for word in words:
            self.assertIn(word, answer.message)

    def assert_rights(self, everywhere: dict[str, set[str]]) -> None:
        """The account has these rights in every namespace, in its own also IN_THE_NAMESPACE, and no
        others."""
        self.assertEqual(self.rights("default"), everywhere)
        self.assertEqual(self.rights(NAMESPACE), everywhere | IN_THE_NAMESPACE)

    def rights(self, namespace: str) -> dict[str, set[str]]:
        """The verbs of the account by resource, without the requests that every account may make."""
        listed = self.plane.kubectl("auth", "can-i", "--list", "--no-headers",
                                    f"--namespace={namespace}", token=self.token)
        found: dict[str, set[str]] = {}
        for line in listed.splitlines():
            resource, verbs = line.split()[0], line[line.rindex("["):].strip("[]").split()
            if not resource.startswith(("[", "selfsubject")):
                found.setdefault(resource, set()).update(verbs)
        return found

    def assert_the_program_is_ready(self) -> None:
        """csi-controller of this build is, with the flags of the Deployment and these rights."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        [port] = free_ports(1)
        [container] = [found for found in csi_controller.pod_template(
            self.plane)["spec"]["containers"] if found["name"] == "csi-controller"]
        own = {"--csi-socket=/csi/csi.sock": f"--csi-socket={folder}/csi.sock",
               "--listen-address=:8082": f"--listen-address=127.0.0.1:{port}"}
        self.assertLessEqual(set(own), set(container["args"]))
        log = folder / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [paths.INSTALL_TREE / "usr/bin/csi-controller",
                 *(own.get(flag, flag) for flag in container["args"]),
                 "--log-level=debug", "--kubeconfig",
                 csi_controller.write_kubeconfig(self.plane, self.token, folder / "kubeconfig")],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + _SECONDS
        while (said := page(f"http://127.0.0.1:{port}/readyz")) != "ready\n":
            self.assertIsNone(process.poll(), log.read_text())
            self.assertLess(time.monotonic(), deadline, f"{said}\n{log.read_text()}")
            time.sleep(0.1)
        process.terminate()
        self.assertEqual(process.wait(_SECONDS), 0, log.read_text())


class CsiRights(RightsCase):
    def existing(self, group: str = GROUP) -> LogicalVolume:
        volume = self.volume(group=group)
        self.addCleanup(volume.set_finalizers)
        volume.create({"nodeName": "csi-rights", "size": "1Gi", "deviceClass": "ssd"},
                      finalizers=(f"{group}/logicalvolume",))
        volume.annotate("example.com/kept", "yes")
        return volume

    def grant_everything(self) -> None:
        """Gives the account the rights of an administrator, until the end of the case."""
        self.addCleanup(self.plane.kubectl, "delete", "clusterrolebinding", "test-csi-everything")
        self.plane.kubectl("create", "clusterrolebinding", "test-csi-everything",
                           "--clusterrole=cluster-admin",
                           f"--serviceaccount={NAMESPACE}:{ACCOUNT}")
        deadline = time.monotonic() + _SECONDS
        while self.ask("GET", "/api/v1/secrets").status != 200:
            self.assertLess(time.monotonic(), deadline, "the rights are not in force")
            time.sleep(0.2)

    def test_a_volume_is_created_grown_and_deleted(self) -> None:
        """[C-RIGHT-1, C-RIGHT-2]"""
        volume = self.volume()
        target = f"{VOLUMES}/{volume.name}"
        made = self.assert_allowed(self.ask("POST", VOLUMES, {
            "apiVersion": f"{GROUP}/v1", "kind": "LogicalVolume",
            "metadata": {"name": volume.name, "annotations": {"lvmd.io/source-volume": "handle"}},
            "spec": {"name": volume.name, "nodeName": "csi-rights", "size": "1Gi"}}))
        for time_of_day in ("12:00:00", "13:00:00"):
            made = self.assert_allowed(self.ask("PATCH", target, {
                "metadata": {"resourceVersion": made["metadata"]["resourceVersion"],
                             "annotations": {RESIZE: f"2026-01-31T{time_of_day}Z"}},
                "spec": {"size": "2Gi"}}))
        self.assertEqual(made["spec"]["size"], "2Gi")
        self.assertEqual(self.assert_allowed(self.ask("GET", target)), made)
        self.assertIn(volume.name, [item["metadata"]["name"] for item in self.assert_allowed(
            self.ask("GET", VOLUMES))["items"]])
        self.assert_allowed(self.ask("DELETE", target, {
            "apiVersion": "v1", "kind": "DeleteOptions",
            "preconditions": {"uid": made["metadata"]["uid"]}}))
        self.assertIsNone(volume.read())

    def test_nodes_are_listed(self) -> None:
        """[C-RIGHT-1]"""
        self.assert_allowed(self.ask("GET", "/api/v1/nodes"))

    def test_nothing_else_of_a_volume_is_changed(self) -> None:
        """[C-RIGHT-2]"""
        volume = self.existing()
        before = volume.read()
        for body, words in REFUSED:
            with self.subTest(body=body):
                self.assert_refused(self.ask("PATCH", f"{VOLUMES}/{volume.name}", body), POLICY,
                                    words)
        self.assertEqual(volume.read(), before)

    def test_a_status_is_not_written(self) -> None:
        """[C-RIGHT-1]"""
        volume = self.existing()
        for body in ({"status": {"volumeID": "v"}}, {"metadata": {"finalizers": None}}):
            with self.subTest(body=body):
                self.assert_refused(
                    self.ask("PATCH", f"{VOLUMES}/{volume.name}/status", body),
                    f'User "{USER}" cannot patch resource "logicalvolumes/status"')

    def test_other_requests_are_denied(self) -> None:
        """[C-RIGHT-1]"""
        for method, target in DENIED:
            with self.subTest(f"{method} {target}"):
                body = None if method in ("GET", "DELETE") else {}
                self.assert_refused(self.ask(method, target, body), f'User "{USER}" cannot')

    def test_the_policy_holds_even_with_more_rights(self) -> None:
        """[C-RIGHT-3]"""
        self.grant_everything()
        for group in (GROUP, LEGACY_GROUP):
            volume = self.existing(group)
            target = f"/apis/{group}/v1/logicalvolumes/{volume.name}"
            for subresource, body, words in (
                ("/status", {"status": {"volumeID": "v"}}, "may not write the status"),
                ("", {"metadata": {"finalizers": None}}, OF_METADATA),
                ("", {"spec": {"deviceClass": "hdd"}}, OF_THE_SPEC),
                ("", {"metadata": {"annotations": {"lvmd.io/abandon": "true"}}},
                 f"except {group}/resize-requested-at"),
            ):
                with self.subTest(group=group, body=body):
                    self.assert_refused(self.ask("PATCH", target + subresource, body), POLICY,
                                        words)
            self.assert_allowed(self.ask("PATCH", target, {
                "metadata": {"annotations": {f"{group}/resize-requested-at": "now"}},
                "spec": {"size": "2Gi"}}))

    def test_others_are_not_held_by_the_policy(self) -> None:
        """[C-RIGHT-3]"""
        volume = self.existing()
        volume.change(deviceClass="hdd")
        volume.annotate("lvmd.io/abandon", "true")

    def test_rights_are_these_and_no_others(self) -> None:
        """[C-RIGHT-1]"""
        self.assert_rights(EVERYWHERE)

    def test_the_program_is_ready_with_these_rights(self) -> None:
        """[C-RIGHT-1]"""
        self.assert_the_program_is_ready()


class CsiAttachRights(RightsCase):
    manifests = ATTACH_MANIFESTS

    def test_rights_are_these_and_no_others(self) -> None:
        """[C-RIGHT-4]"""
        self.assert_rights(EVERYWHERE | {
            "volumeattachments.storage.k8s.io": {"list", "watch", "patch"},
            "volumeattachments.storage.k8s.io/status": {"patch"},
        })

    def test_an_attachment_is_changed_but_neither_made_nor_deleted(self) -> None:
        """[C-RIGHT-4]"""
        name = "csi-rights"
        self.plane.kubectl("create", "--filename=-", input=json.dumps({
            "apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment",
            "metadata": {"name": name}, "spec": {
                "attacher": GROUP, "nodeName": "nowhere",
                "source": {"persistentVolumeName": "any"}}}))
        self.addCleanup(self.plane.kubectl, "delete", "volumeattachment", name)
        self.assertIn(name, [item["metadata"]["name"] for item in self.assert_allowed(
            self.ask("GET", ATTACHMENTS))["items"]])
        self.assert_allowed(self.ask("PATCH", f"{ATTACHMENTS}/{name}", {
            "metadata": {"annotations": {"csi.alpha.kubernetes.io/node-id": "nowhere"}}}))
        changed = self.assert_allowed(self.ask("PATCH", f"{ATTACHMENTS}/{name}/status", {
            "status": {"attached": True}}))
        self.assertIs(changed["status"]["attached"], True)
        for method, target in (("POST", ATTACHMENTS), ("PUT", f"{ATTACHMENTS}/{name}"),
                               ("DELETE", f"{ATTACHMENTS}/{name}"), ("DELETE", ATTACHMENTS)):
            with self.subTest(f"{method} {target}"):
                body = None if method == "DELETE" else {}
                self.assert_refused(self.ask(method, target, body), f'User "{USER}" cannot')

    def test_the_program_is_ready_with_its_flags(self) -> None:
        """[C-POD-7, C-CLI-3]"""
        self.assert_the_program_is_ready()


def page(url: str) -> str:
    """The content of a page. If the response is an error, or there is none: its description."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=5) as answer:
            return str(answer.read().decode())
    except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
        return str(error)

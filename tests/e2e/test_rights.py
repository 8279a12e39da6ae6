"""The objects that the reconciler of a node may write, by its rights and by the admission policy.
The cases use the token of its pod. The ids in brackets are rules of docs/reconciler.md."""

from __future__ import annotations

from typing import Any

from tests.e2e.kube import Answer

from .cluster import ClusterCase
from .daemon_pod import ACCOUNT, NAMESPACE, DaemonPod
from .logical_volume import GROUP, LEGACY_GROUP, LogicalVolume

HERE, THERE = "rights-here", "rights-there"
CAPACITY = "capacity.topolvm.io/ssd"
LEGACY_CAPACITY = "capacity.topolvm.cybozu.com/ssd"
GROUPS = (GROUP, LEGACY_GROUP)
FINALIZER = {"metadata": {"finalizers": ["topolvm.io/logicalvolume"]}}


def path(volume: LogicalVolume, subresource: str = "") -> str:
    return f"/apis/{volume.group}/v1/logicalvolumes/{volume.name}{subresource}"


def each_write(group: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """All writes of the reconciler to an object, with the subresource."""
    return (
        ("", {"metadata": {"finalizers": [f"{group}/logicalvolume"],
                           "labels": {"app.kubernetes.io/created-by": "topolvm-controller"}}}),
        ("/status", {"status": {"volumeID": "v", "code": 0, "currentSize": "1Gi"}}),
        ("", {"metadata": {"finalizers": None}}),
    )


class Rights(ClusterCase):
    token: str

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.token = DaemonPod(cls.plane, HERE).token()
        DaemonPod(cls.plane, THERE)

    def patch(self, target: str, body: dict[str, Any], token: str | None = None) -> Answer:
        return self.plane.call("PATCH", target, token or self.token, body)

    def assert_allowed(self, answer: Answer) -> dict[str, Any]:
        self.assertIn(answer.status, (200, 201), answer.message)
        return answer.body

    def assert_forbidden(self, answer: Answer, words: str) -> None:
        self.assertEqual(answer.status, 403, answer.body)
        self.assertIn(words, answer.message)

    def on(self, node: str, group: str = GROUP) -> LogicalVolume:
        volume = self.volume(f"-{node}", group)
        volume.create({"nodeName": node, "size": "1Gi"})
        return volume

    def test_volumes_of_the_own_node(self) -> None:
        """[R-RIGHT-1, R-RIGHT-2]"""
        for group in GROUPS:
            volume = self.on(HERE, group)
            for subresource, body in each_write(group):
                with self.subTest(group=group, body=body):
                    self.assert_allowed(self.patch(path(volume, subresource), body))

    def test_volumes_of_another_node(self) -> None:
        """[R-RIGHT-2]"""
        for group in GROUPS:
            volume = self.on(THERE, group)
            before = volume.read()
            for subresource, body in each_write(group):
                with self.subTest(group=group, body=body):
                    self.assert_forbidden(
                        self.patch(path(volume, subresource), body),
                        f'lvmd-reconciler of node "{HERE}" may not write a LogicalVolume of node '
                        f'"{THERE}"')
            self.assertEqual(volume.read(), before)

    def test_a_wish_is_not_the_reconcilers_to_change(self) -> None:
        """[R-RIGHT-2]"""
        self.assert_forbidden(self.patch(path(self.on(HERE)), {"spec": {"size": "2Gi"}}),
                              "may not change the spec of a LogicalVolume")

    def test_capacity_of_the_own_node(self) -> None:
        """[R-RIGHT-3]"""
        self.plane.kubectl("annotate", "node", HERE, "example.com/kept=yes", "--overwrite")
        for value in ("1", "2", None):  # new, changed, removed
            with self.subTest(value=value):
                annotations = self.assert_allowed(self.patch(
                    f"/api/v1/nodes/{HERE}",
                    {"metadata": {"annotations": {CAPACITY: value, LEGACY_CAPACITY: value}}},
                ))["metadata"]["annotations"]
                self.assertEqual(annotations.get(CAPACITY), value)
                self.assertEqual(annotations.get(LEGACY_CAPACITY), value)
                self.assertEqual(annotations["example.com/kept"], "yes")

    def test_nothing_else_of_the_own_node(self) -> None:
        """[R-RIGHT-3]"""
        self.plane.kubectl("annotate", "node", HERE, "example.com/kept=yes", "--overwrite")
        for body in (
            {"metadata": {"annotations": {"example.com/new": "yes"}}},
            {"metadata": {"annotations": {"capacity.topolvm.example/ssd": "1"}}},
            {"metadata": {"annotations": {"example.com/kept": "no", CAPACITY: "1"}}},
            {"metadata": {"annotations": {"example.com/kept": None, CAPACITY: "1"}}},
            {"metadata": {"annotations": None}},
            {"metadata": {"labels": {"example.com/new": "yes"}}},
            {"metadata": {"finalizers": ["example.com/new"]}},
            {"spec": {"unschedulable": True}},
            {"spec": {"taints": [{"key": "example.com/new", "effect": "NoExecute"}]}},
        ):
            with self.subTest(body=body):
                self.assert_forbidden(self.patch(f"/api/v1/nodes/{HERE}", body),
                                      "may change only the annotations capacity.topolvm.io/* and "
                                      "capacity.topolvm.cybozu.com/* of a Node")

    def test_nothing_of_another_node(self) -> None:
        """[R-RIGHT-3]"""
        self.assert_forbidden(
            self.patch(f"/api/v1/nodes/{THERE}", {"metadata": {"annotations": {CAPACITY: "1"}}}),
            f'lvmd-reconciler of node "{HERE}" may not write the Node "{THERE}"')

    def test_a_token_without_a_node_writes_nothing(self) -> None:
        """[R-RIGHT-4]"""
        loose = self.plane.kubectl("create", "token", ACCOUNT, f"--namespace={NAMESPACE}").strip()
        self.assert_forbidden(self.patch(path(self.on(HERE)), FINALIZER, loose),
                              "this token is bound to no node")

    def test_the_policy_holds_even_with_more_rights(self) -> None:
        """[R-RIGHT-4]"""
        volume = self.on(HERE)
        self.addCleanup(self.plane.kubectl, "delete", "clusterrolebinding", "test-everything")
        self.plane.kubectl("create", "clusterrolebinding", "test-everything",
                           "--clusterrole=cluster-admin",
                           f"--serviceaccount={NAMESPACE}:{ACCOUNT}")
        self.assert_forbidden(self.plane.call("DELETE", path(volume), self.token),
                              "neither creates nor deletes")
        self.assert_forbidden(
            self.plane.call("POST", f"/apis/{GROUP}/v1/logicalvolumes", self.token, {
                "apiVersion": f"{GROUP}/v1", "kind": "LogicalVolume", "metadata": {"name": "new"},
                "spec": {"name": "new", "nodeName": HERE, "size": "1Gi"}}),
            "neither creates nor deletes")
        self.assert_forbidden(
            self.patch(f"/api/v1/nodes/{HERE}/status", {"status": {"phase": "Running"}}),
            "may change only the annotations")

    def test_others_are_not_held_by_the_policy(self) -> None:
        """[R-RIGHT-4]"""
        self.on(THERE).change(size="2Gi")
        self.plane.kubectl("label", "node", THERE, "example.com/label=yes", "--overwrite")

    def test_an_event_about_a_volume(self) -> None:
        """[R-RIGHT-1]"""
        volume = self.on(HERE)
        events = "/api/v1/namespaces/default/events"
        made = self.assert_allowed(self.plane.call("POST", events, self.token, {
            "apiVersion": "v1", "kind": "Event", "type": "Normal", "reason": "Created",
            "metadata": {"generateName": f"{volume.name}.", "namespace": "default"},
            "message": "created", "count": 1, "source": {"component": ACCOUNT, "host": HERE},
            "involvedObject": {"apiVersion": f"{GROUP}/v1", "kind": "LogicalVolume",
                               "name": volume.name}}))
        again = self.patch(f"{events}/{made['metadata']['name']}", {"count": 2})
        self.assertEqual(self.assert_allowed(again)["count"], 2)

    def test_rights_are_these_and_no_others(self) -> None:
        """[R-RIGHT-1, R-KUBE-12]"""
        listed = self.plane.kubectl("auth", "can-i", "--list", "--no-headers", token=self.token)
        found = {}
        for line in listed.splitlines():
            resource, verbs = line.split()[0], line[line.rindex("["):].strip("[]").split()
            # requests that every account may make
            if not resource.startswith(("[", "selfsubject")):
                found[resource] = sorted(verbs)
        self.assertEqual(found, {
            **{f"logicalvolumes.{group}": ["get", "list", "patch", "watch"] for group in GROUPS},
            **{f"logicalvolumes.{group}/status": ["patch"] for group in GROUPS},
            "nodes": ["get", "list", "patch", "watch"],
            "events": ["create", "patch"],
        })

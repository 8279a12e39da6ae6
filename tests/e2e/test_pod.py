"""The DaemonSet's pod in the API server's admission. The ids in brackets are rules of
docs/reconciler.md."""

from __future__ import annotations

import json
from typing import Any

from . import pod_monitors
from .cluster import ClusterCase
from .daemon_pod import ACCOUNT, NAMESPACE, PACKAGING, DaemonPod

RESTRICTED = "test-restricted"


class Pod(ClusterCase):
    spec: dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.spec = DaemonPod(cls.plane, "pod-node").spec

    def test_but_for_the_hosts_folder_it_keeps_to_restricted(self) -> None:
        """[R-POD-2]"""
        for made in (
            {"kind": "Namespace", "metadata": {"name": RESTRICTED, "labels": {
                "pod-security.kubernetes.io/enforce": "restricted"}}},
            {"kind": "ServiceAccount", "metadata": {"name": ACCOUNT, "namespace": RESTRICTED}},
        ):
            self.plane.kubectl("apply", "--filename=-",
                               input=json.dumps({"apiVersion": "v1", **made}))
        asked = ("create", "--filename=-", "--dry-run=server")
        self.assertIn('restricted volume types (volume "lvmd-socket"',
                      self.refused(*asked, manifest=self.pod(self.spec)))
        [container] = self.spec["containers"]
        self.plane.kubectl(*asked, input=json.dumps(self.pod({
            **self.spec, "volumes": [], "containers": [{**container, "volumeMounts": []}]})))

    def pod(self, spec: dict[str, Any]) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "Pod", "spec": spec,
                "metadata": {"name": "pod", "namespace": RESTRICTED}}

    def test_of_the_host_it_has_the_sockets_folder(self) -> None:
        """[R-POD-2]"""
        self.assertEqual([volume.get("hostPath", {}).get("path") for volume in self.spec["volumes"]],
                         ["/run/topolvm"])
        for sharing in ("hostNetwork", "hostPID", "hostIPC"):
            self.assertNotIn(sharing, self.spec)

    def test_the_monitor_finds_pod_and_port(self) -> None:
        """[R-POD-5]"""
        monitor = pod_monitors.apply(self.plane, PACKAGING / "monitoring", "lvmd-reconciler", NAMESPACE)
        labels = ",".join(f"{key}={value}" for key, value in monitor["selector"]["matchLabels"].items())
        found = self.plane.kubectl("get", "pods", f"--namespace={NAMESPACE}", "--output=name",
                                   f"--selector={labels}")
        self.assertIn("pod/lvmd-reconciler-pod-node", found.split())
        [container] = self.spec["containers"]
        self.assertIn(monitor["podMetricsEndpoints"][0]["port"],
                      [port["name"] for port in container["ports"]])

    def test_it_is_on_every_labelled_node(self) -> None:
        """[R-POD-4]"""
        self.assertEqual(self.spec["nodeSelector"], {"lvmd.io/node": "true"})
        self.assertEqual(self.spec["tolerations"], [{"operator": "Exists"}])
        found = json.loads(self.plane.kubectl("get", "daemonset", "lvmd-reconciler", "--output=json",
                                              f"--namespace={NAMESPACE}"))
        self.assertEqual(found["spec"]["updateStrategy"]["rollingUpdate"]["maxSurge"], 0)

"""The manifests of csi-controller in the API server: pods, CSIDriver, also with attaching, classes,
and the driver's other name. The ids in brackets are rules of docs/csi.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.e2e.kube import ControlPlane
from tools.dev import paths

from . import csi_controller, pod_monitors
from .cluster import ClusterCase
from .csi_controller import ATTACH_MANIFESTS, LEGACY_MANIFESTS, MANIFESTS, NAMESPACE
from .logical_volume import GROUP, LEGACY_GROUP

SIDECARS = {"csi-provisioner": "external-provisioner", "csi-resizer": "external-resizer",
            "csi-snapshotter": "external-snapshotter"}
"""Each sidecar's container, and its Go module."""
_SNAPSHOT_KINDS = paths.ROOT / "tests/e2e/snapshot_crds.yaml"
_DRY_RUN = ("create", "--filename=-", "--dry-run=server")


class CsiManifests(ClusterCase):
    manifests = MANIFESTS
    sidecars = SIDECARS
    attach_required = False
    spec: dict[str, Any]
    containers: dict[str, dict[str, Any]]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        csi_controller.install(cls.plane, cls.manifests)
        cls.spec = csi_controller.pod_template(cls.plane)["spec"]
        cls.containers = {container["name"]: container for container in cls.spec["containers"]}

    def pod(self, spec: dict[str, Any]) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "Pod", "spec": spec,
                "metadata": {"name": "pod", "namespace": NAMESPACE}}

    def read(self, kind: str, name: str, *options: str) -> dict[str, Any]:
        return dict(json.loads(self.plane.kubectl("get", kind, name, "--output=json", *options)))

    def test_the_monitor_finds_pod_and_port(self) -> None:
        """[C-POD-6]"""
        monitor = pod_monitors.apply(self.plane, MANIFESTS / "monitoring", "csi-controller",
                                     NAMESPACE)
        labels = csi_controller.pod_template(self.plane)["metadata"]["labels"]
        self.assertLessEqual(monitor["selector"]["matchLabels"].items(), labels.items())
        [endpoint] = monitor["podMetricsEndpoints"]
        [port] = [port for port in self.containers["csi-controller"]["ports"]
                  if port["name"] == endpoint["port"]]
        self.assertIn(f"--listen-address=:{port['containerPort']}",
                      self.containers["csi-controller"]["args"])

    def test_the_namespace_admits_the_pod_and_nothing_with_more_rights(self) -> None:
        """[C-POD-1]"""
        self.plane.kubectl(*_DRY_RUN, input=json.dumps(self.pod(self.spec)))
        first, *others = self.spec["containers"]
        capable = {**first, "securityContext": {
            **first["securityContext"], "capabilities": {"drop": ["ALL"], "add": ["SYS_ADMIN"]}}}
        for words, spec in (
            ('restricted volume types (volume "host"', {**self.spec, "volumes": [
                *self.spec["volumes"], {"name": "host", "hostPath": {"path": "/"}}]}),
            ("host namespaces (hostNetwork=true", {**self.spec, "hostNetwork": True}),
            ('must not include "SYS_ADMIN" in securityContext.capabilities.add',
             {**self.spec, "containers": [capable, *others]}),
        ):
            with self.subTest(words):
                refused = self.refused(*_DRY_RUN, manifest=self.pod(spec))
                self.assertIn('violates PodSecurity "restricted', refused)
                self.assertIn(words, refused)

    def test_all_containers_are_one_unprivileged_user(self) -> None:
        """[C-POD-1]"""
        self.assertEqual(set(self.containers), {"csi-controller", *self.sidecars})
        self.assertEqual(self.spec["securityContext"], {
            "runAsNonRoot": True, "runAsUser": 65532, "runAsGroup": 65532,
            "seccompProfile": {"type": "RuntimeDefault"}})
        for name, container in self.containers.items():
            with self.subTest(name):
                self.assertEqual(container["securityContext"], {
                    "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                    "capabilities": {"drop": ["ALL"]}})
                self.assertEqual([mount["mountPath"] for mount in container["volumeMounts"]],
                                 ["/csi"])
                self.assertIn("memory", container["resources"]["limits"])
        self.assertEqual(self.spec["volumes"], [{"name": "socket", "emptyDir": {}}])

    def test_two_replicas_of_which_one_may_be_evicted(self) -> None:
        """[C-POD-2]"""
        deployment = self.read("deployment", "csi-controller", f"--namespace={NAMESPACE}")
        budget = self.read("poddisruptionbudget", "csi-controller", f"--namespace={NAMESPACE}")
        self.assertEqual(deployment["spec"]["replicas"], 2)
        self.assertEqual(budget["spec"]["maxUnavailable"], 1)
        self.assertEqual(budget["spec"]["selector"], deployment["spec"]["selector"])
        [spread] = self.spec["topologySpreadConstraints"]
        self.assertEqual(spread["labelSelector"], deployment["spec"]["selector"])
        self.assertEqual((spread["topologyKey"], spread["whenUnsatisfiable"]),
                         ("kubernetes.io/hostname", "ScheduleAnyway"))

    def test_the_sidecars_elect_leaders_and_call_their_own_pod(self) -> None:
        """[C-POD-2]"""
        self.assertIn("--csi-socket=/csi/csi.sock", self.containers["csi-controller"]["args"])
        for name in self.sidecars:
            with self.subTest(name):
                self.assertLessEqual({"--csi-address=/csi/csi.sock", "--leader-election"},
                                     set(self.containers[name]["args"]))
        provisioner = self.containers["csi-provisioner"]
        self.assertLessEqual({"--strict-topology", "--enable-capacity",
                              "--capacity-ownerref-level=2"}, set(provisioner["args"]))
        self.assertEqual({entry["name"]: entry["valueFrom"]["fieldRef"]["fieldPath"]
                          for entry in provisioner["env"]},
                         {"POD_NAME": "metadata.name", "NAMESPACE": "metadata.namespace"})

    def test_the_sidecars_are_the_versions_of_the_tests(self) -> None:
        """[C-POD-2]"""
        modules = (paths.ROOT / "tools/go/kubernetes/go.mod").read_text()
        for name, module in self.sidecars.items():
            found = re.search(rf"kubernetes-csi/{module}/v\d+ (v[\d.]+)\n", modules)
            assert found is not None, module
            self.assertTrue(self.containers[name]["image"].endswith(f"/{name}:{found[1]}"),
                            f"{self.containers[name]['image']} is not {found[1]}")

    def test_the_probes_are_pages_of_the_program(self) -> None:
        """[C-POD-2, C-SERVE-1]"""
        container = self.containers["csi-controller"]
        [port] = container["ports"]
        self.assertIn(f"--listen-address=:{port['containerPort']}", container["args"])
        self.assertEqual([container[probe]["httpGet"]["path"]
                          for probe in ("livenessProbe", "readinessProbe")],
                         ["/healthz", "/readyz"])
        self.assertEqual({container[probe]["httpGet"]["port"]
                          for probe in ("livenessProbe", "readinessProbe")}, {port["name"]})

    def test_what_the_cluster_knows_of_the_driver(self) -> None:
        """[C-POD-3, C-POD-7]"""
        spec = self.read("csidriver", GROUP)["spec"]
        for field, value in (("attachRequired", self.attach_required), ("fsGroupPolicy", "File"),
                             ("podInfoOnMount", False), ("storageCapacity", True),
                             ("volumeLifecycleModes", ["Persistent"])):
            self.assertEqual(spec[field], value, field)
        self.assertEqual("--attach-required" in self.containers["csi-controller"]["args"],
                         self.attach_required)


class CsiAttachManifests(CsiManifests):
    manifests = ATTACH_MANIFESTS
    sidecars = {**SIDECARS, "csi-attacher": "external-attacher"}
    attach_required = True

    def test_the_server_refuses_to_change_the_driver(self) -> None:
        """[C-POD-7]"""
        self.assertIn("field is immutable", self.refused(
            "apply", f"--kustomize={MANIFESTS}", "--dry-run=server"))

    def test_three_objects_differ(self) -> None:
        """[C-POD-7, C-RIGHT-4]"""
        plain, own = (set(kustomize(self.plane, folder)) for folder in (MANIFESTS, self.manifests))
        for changed in (plain - own, own - plain):
            named = {(kind, name) for text in changed for kind, name in
                     re.findall(r"(?ms)^kind: (\w+)\nmetadata:\n.*?^  name: (\S+)$", text)}
            self.assertEqual(len(changed), 3)
            self.assertEqual(named, {("CSIDriver", GROUP), ("ClusterRole", "lvmd-csi-sidecars"),
                                     ("Deployment", "csi-controller")})


class CsiFolders(ClusterCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        csi_controller.install(cls.plane)

    def kustomized(self, kind: str, folder: Path) -> list[str]:
        """The documents of that kind that kustomize makes of a folder."""
        return [text for text in kustomize(self.plane, folder)
                if re.search(rf"(?m)^kind: {kind}$", text)]

    def test_the_classes_are_examples_that_the_server_accepts(self) -> None:
        """[C-POD-3, C-PARAM-1]"""
        self.plane.apply(_SNAPSHOT_KINDS)
        examples = MANIFESTS / "examples"
        made = json.loads(self.plane.kubectl("apply", f"--filename={examples}", "--dry-run=server",
                                             "--output=json"))["items"]
        self.assertEqual(sorted(item["kind"] for item in made),
                         ["StorageClass"] * 3 + ["VolumeSnapshotClass"])
        known = {"topolvm.io/device-class", "csi.storage.k8s.io/fstype"}
        for item in made:
            if item["kind"] == "StorageClass":
                self.assertEqual(item["provisioner"], GROUP)
                self.assertEqual(item["volumeBindingMode"], "WaitForFirstConsumer")
                self.assertIs(item["allowVolumeExpansion"], True)
                self.assertLessEqual(set(item.get("parameters", {})), known)
            else:
                self.assertEqual(item["driver"], GROUP)
        self.assertEqual(self.kustomized("(Storage|VolumeSnapshot)Class", MANIFESTS), [])

    def test_the_removal_removes_no_definition(self) -> None:
        """[C-POD-4]"""
        for folder in (MANIFESTS, ATTACH_MANIFESTS):
            self.assertEqual(self.kustomized("CustomResourceDefinition", folder), [])

    def test_the_former_name_of_the_driver(self) -> None:
        """[C-POD-5]"""
        self.plane.kubectl("apply", "--dry-run=server", f"--kustomize={LEGACY_MANIFESTS}")
        for kind in ("CSIDriver", "Deployment", "ClusterRole"):
            documents = self.kustomized(kind, LEGACY_MANIFESTS)
            self.assertEqual(len(documents), len(self.kustomized(kind, MANIFESTS)), kind)
            changed = [text for text in documents if LEGACY_GROUP in text]
            self.assertEqual(len(changed), 1, kind)
            self.assertIsNone(re.search(rf"(?<![\w.]){re.escape(GROUP)}", changed[0]), kind)
        [driver] = self.kustomized("CSIDriver", LEGACY_MANIFESTS)
        self.assertIn(f"\n  name: {LEGACY_GROUP}\n", driver)
        [deployment] = self.kustomized("Deployment", LEGACY_MANIFESTS)
        self.assertIn(f"- --driver-name={LEGACY_GROUP}\n", deployment)


def kustomize(plane: ControlPlane, folder: Path) -> list[str]:
    """The documents that kustomize makes of a folder."""
    return plane.kubectl("kustomize", folder).strip().split("\n---\n")

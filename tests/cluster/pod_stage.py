"""The test bed of `long_pods.py`: the driver runs in the pods of its manifests, on a node whose pods
have a network."""

from __future__ import annotations

import functools
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.e2e import csi_controller, daemon_pod
from tests.e2e.kube import NODE, KubeError
from tests.e2e.kube.server_process import ServerProcess
from tests.e2e.kubernetes_document import run_block, sections
from tests.system.node import Node
from tools.dev import paths
from tools.go.build import build

from . import installation, pod_images, pod_network
from .cluster_node import ClusterNode
from .stage import GROUP, Stage, kept, lvmd_yaml, say
from .states import States

_FOLDERS = ("packaging/kubernetes", "packaging/kubernetes/csi", "packaging/kubernetes/csi-attach")
_IMPORT_SECONDS = 900.0
_ROLL_OUT_SECONDS = 600.0
# Both are edited, as the document says: the images that the node has, and the class of lvmd.yaml.
_EDITS = {
    "csi/kustomization.yaml": ("newName: sig-storage/", "newName: localhost/sig-storage/"),
    "csi-attach/kustomization.yaml": ("newName: sig-storage/", "newName: localhost/sig-storage/"),
    "csi/examples/storage-classes.yaml": ("device-class: ssd", "device-class: thick"),
}


class PodStage(Stage):
    """A stage without `reconciler` and `controller`: both are pods. Only snapshot-controller, which
    is not part of the driver, is a process of this host. Everything else is installed by the
    commands of docs/kubernetes.md, with the manifests in the folder `repository`."""

    repository: Path
    # Until the definitions of snapshots are there.
    shown = "nodes,csinodes,pods,csistoragecapacities,events"

    def _set_up(self) -> None:
        self._start_plane()
        workdir = self._workdir
        self.repository = _copy_manifests(workdir / "repository")
        with tempfile.TemporaryDirectory(dir=paths.CACHE) as folder:
            images = (pod_images.names_in(self.plane, self.repository / each) for each in _FOLDERS)
            pod_images.pack(set().union(*images), Path(folder))
            own = ClusterNode(self.plane, NODE, say, logs=self.logs)
            own.start_machine(self._stack, Path(folder))
        own.node = Node(own.machine, GROUP, lvmd_yaml())
        self.nodes, self.node = [own], own.node
        pod_network.set_up(self.node, self.plane)
        say("importing the images")
        own.machine.run("set -e; for archive in /mnt/*.oci.tar; do "
                        "ctr --namespace=k8s.io images import $archive; done",
                        timeout=_IMPORT_SECONDS, check=True)
        own.start_kubelet()
        self.wait_until_ready()
        install, look, *_ = sections()["CSI driver"]
        self.run_block(install)
        self.wait_until_rolled_out()
        self.states = self._stack.enter_context(States(self.plane, workdir / "csi-states.log"))
        say(self.run_block(look))
        self._install_snapshots(workdir)
        self.shown = Stage.shown
        # Beside the classes of the document, those of the cases.
        installation.install_storage_classes(self.plane)

    def run_block(self, block: str) -> str:
        """Runs commands of docs/kubernetes.md. Raises KubeError if one fails."""
        done = run_block(self.plane, block, self.repository, NODE=NODE)
        if done.returncode != 0:
            raise KubeError(f"exit code {done.returncode} of\n{block}\n{done.stdout}")
        return done.stdout

    def wait_until_rolled_out(self) -> None:
        """Waits until all pods of the driver have the latest template and are ready, and no other
        one is left. Raises KubeError."""
        self._wait("the pods of the driver are ready", self._is_rolled_out)

    def controllers(self) -> list[dict[str, Any]]:
        """The pods of csi-controller that are not about to end."""
        return self._pods(csi_controller.NAMESPACE)

    def reconcilers(self) -> list[dict[str, Any]]:
        """The same of lvmd-reconciler."""
        return self._pods(daemon_pod.NAMESPACE)

    def process(self, pod: dict[str, Any], container: str) -> int:
        """The process in a container of a pod that runs."""
        [status] = [status for status in pod["status"]["containerStatuses"]
                    if status["name"] == container]
        identifier = status["containerID"].removeprefix("containerd://")
        return int(self.node.shell(f"ctr --namespace=k8s.io tasks list | "
                                   f"awk '$1 == \"{identifier}\" {{print $2}}'"))

    def _describe_driver(self) -> str:
        """The logs of all containers."""
        return "\n".join(
            self._log(namespace, pod["metadata"]["name"], container["name"])
            for namespace in (csi_controller.NAMESPACE, daemon_pod.NAMESPACE)
            for pod in self._read(f"/api/v1/namespaces/{namespace}/pods")["items"]
            for container in pod["spec"]["containers"])

    def _log(self, namespace: str, pod: str, container: str) -> str:
        try:
            log = self.plane.kubectl("logs", pod, f"--namespace={namespace}", "--tail=15",
                                     f"--container={container}")
        except KubeError as error:  # it has not started yet
            log = str(error)
        return f"── {pod}, {container}\n{log}"

    def _install_snapshots(self, workdir: Path) -> None:
        installation.install_snapshot_kinds(self.plane, paths.CACHE / "go")
        controller = ServerProcess(
            build("snapshot-controller", paths.CACHE / "go", say),
            [f"--kubeconfig={self.plane.kubeconfig}", "--v=4"], workdir / "snapshot-controller.log")
        self._stack.callback(controller.stop)
        self.plane.kubectl("apply", "--filename",
                           self.repository / "packaging/kubernetes/csi/examples/snapshot-class.yaml")

    def _pods(self, namespace: str) -> list[dict[str, Any]]:
        found = self._read(f"/api/v1/namespaces/{namespace}/pods")["items"]
        return [pod for pod in found if "deletionTimestamp" not in pod["metadata"]]

    def _is_rolled_out(self) -> bool:
        deployment = self._read("/apis/apps/v1/namespaces/lvmd-csi/deployments/csi-controller")
        daemons = self._read("/apis/apps/v1/namespaces/lvmd-system/daemonsets/lvmd-reconciler")
        first, second = deployment["status"], daemons["status"]
        return (all(entry["status"].get("observedGeneration") == entry["metadata"]["generation"]
                    for entry in (deployment, daemons))
                and (first.get("replicas"), first.get("updatedReplicas"),
                     first.get("readyReplicas")) == (2, 2, 2)
                and (second.get("desiredNumberScheduled"), second.get("updatedNumberScheduled"),
                     second.get("numberReady")) == (1, 1, 1))

    def _read(self, path: str) -> dict[str, Any]:
        found = self.plane.read(path)
        if found is None:
            raise KubeError(f"there is no {path}")
        return found

    def _wait(self, what: str, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _ROLL_OUT_SECONDS
        while not is_so():
            if time.monotonic() > deadline:
                raise KubeError(f"not within {_ROLL_OUT_SECONDS:.0f} s: {what}\n{self.describe()}")
            time.sleep(0.5)


def _copy_manifests(repository: Path) -> Path:
    """A copy of the manifests in which a user has done _EDITS. Returns `repository`."""
    copy = repository / _FOLDERS[0]
    shutil.copytree(paths.ROOT / _FOLDERS[0], copy)
    for name, (old, new) in _EDITS.items():
        text = (copy / name).read_text(encoding="utf-8")
        assert old in text, f"{name} has no '{old}'"
        (copy / name).write_text(text.replace(old, new), encoding="utf-8")
    return repository


@functools.cache
def shared() -> PodStage:
    """The only stage of this process, as `stage.shared`."""
    return kept(PodStage)

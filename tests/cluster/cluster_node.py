"""A node of the cluster: a VM with lvmd, containerd, kubelet and lvmd-reconciler."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.kube import NODE, ControlPlane, KubeError
from tests.e2e.kube.servers import free_ports
from tests.e2e.reconciler_unit import ReconcilerUnit
from tests.e2e.stages import save_journal
from tests.system.node import Node
from tools.dev import paths
from tools.go.build import build
from tools.vm import Machine, cluster, ensure_snapshot

from .installation import DRIVER, reconciler_token

_REGISTERED_SECONDS = 240.0
_READY_SECONDS = 150
UNITS = ("lvmd.service", "kubelet.service")
"""Those whose logs a node shows."""


class ClusterNode:
    """`name`: that of its Node object, NODE or SECOND_NODE. `machine`: the VM with this build.
    `node`: its volume group, and lvmd. `reconciler`: lvmd-reconciler in the VM. `is_on`: the VM
    runs. Errors are KubeErrors and CommandFailed.
    """

    node: Node

    def __init__(self, plane: ControlPlane, name: str, progress: Callable[[str], None],
                 units: tuple[str, ...] = UNITS, flags: tuple[str, ...] = (),
                 logs: str = paths.SUITE) -> None:
        """`units`: those whose logs `describe` shows. `flags`: additional ones of
        lvmd-reconciler. `logs`: the name of the file with the VM's journal; that of another node
        than NODE is added."""
        self._plane = plane
        self.name = name
        self._progress = progress
        self._units = units
        self._flags = flags
        self._logs = logs if name == NODE else f"{logs}-{name}"
        self._port = 0
        self.is_on = False

    def start_machine(self, stack: ExitStack, share: Path | None = None) -> None:
        """Restores the VM. `stack` ends it. The next step is to set `node`."""
        kubelet = build("kubelet", paths.CACHE / "go", self._progress)
        saved = ensure_snapshot(paths.CACHE / "vm", variant=cluster.variant(kubelet))
        # The API server reaches kubelet at the same port of the host's loopback.
        [self._port] = free_ports(1)
        self.machine = stack.enter_context(
            Machine(saved, build_tree=paths.INSTALL_TREE, share=share,
                    forward_ports={self._port: self._port}, progress=self._progress,
                    processors=paths.VM_PROCESSORS))
        stack.callback(self._save_journal)
        self.reconciler = ReconcilerUnit(self.machine)
        self.is_on = True

    def start_kubelet(self) -> None:
        """For the first time. kubelet makes the Node object."""
        self.machine.write_file("/etc/kubernetes/kubelet.conf",
                                self._plane.kubelet_kubeconfig(self.name).encode(), mode=0o600)
        self.node.shell(
            f"sed --in-place 's/--hostname-override={NODE}/--hostname-override={self.name}/' "
            "/etc/systemd/system/kubelet.service && systemctl daemon-reload && "
            f"echo 'port: {self._port}' >>/etc/kubernetes/kubelet.yaml && "
            "systemctl enable --now kubelet.service")

    def start_reconciler(self) -> None:
        """For the first time since the node's boot. The Node exists."""
        self.reconciler.install(self._plane.url_for_guest, self._plane.ca,
                                reconciler_token(self._plane, self.name), self.name)
        self.reconciler.set_flags(*self._flags)
        self.reconciler.start()

    def is_registered(self) -> bool:
        """Whether the driver is in the node's list of drivers."""
        text = self._plane.kubectl("get", "csinode", self.name, "--ignore-not-found",
                                   "--output=json")
        drivers = json.loads(text)["spec"].get("drivers") if text.strip() else None
        return DRIVER in [driver["name"] for driver in drivers or []]

    def wait_until_ready(self) -> None:
        """Waits until the node is ready and kubelet has registered lvmd."""
        self._wait_for(f"kubelet has not registered {DRIVER}", self.is_registered)
        self._plane.kubectl("wait", "--for=condition=Ready", f"node/{self.name}",
                            f"--timeout={_READY_SECONDS}s")

    def power_off(self) -> None:
        """The power of the node fails. What the guest has written before is on its disks."""
        self.node.shell("systemctl --quiet enable containerd.service lvmd.socket lvmd.service "
                        "lvmd-csi.socket && sync")
        self.is_on = False
        self.machine.power_off()

    def power_on(self) -> None:
        """After `power_off`. Returns when kubelet and lvmd-reconciler run. No effect if the node is
        on."""
        if self.is_on:
            return
        self.machine.power_on()
        self.is_on = True
        boot = self.node.shell("cat /proc/sys/kernel/random/boot_id")
        self._wait_for(f"kubelet has not reported the boot {boot}", lambda: self._boot() == boot)
        self.start_reconciler()
        self.wait_until_ready()

    def describe(self) -> str:
        """For a failure: mounts of volumes, and the ends of all logs."""
        if not self.is_on:
            return f"── the node {self.name} is off\n"
        mounts = self.node.run("grep kubernetes.io[/~]csi /proc/1/mountinfo")[1]
        logs = {unit: self.node.run(f"journalctl --boot --no-pager --unit={unit} --lines=60")[1]
                for unit in self._units}
        return (f"── mounts of volumes on the node {self.name}\n{mounts}\n"
                + "\n".join(f"── {unit}\n{log}" for unit, log in logs.items())
                + f"\n── lvmd-reconciler\n{self.reconciler.log(60)}\n")

    def _wait_for(self, missing: str, attempt: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _REGISTERED_SECONDS
        while not attempt():
            if time.monotonic() > deadline:
                raise KubeError(f"{missing} on the node {self.name} after "
                                f"{_REGISTERED_SECONDS:.0f} s\n{self.describe()}")
            time.sleep(0.5)

    def _boot(self) -> str:
        """The boot of the node that kubelet has reported."""
        found = self._plane.read(f"/api/v1/nodes/{self.name}") or {}
        return str(found.get("status", {}).get("nodeInfo", {}).get("bootID", ""))

    def _save_journal(self) -> None:
        if self.is_on:
            save_journal(self.machine, self._logs)

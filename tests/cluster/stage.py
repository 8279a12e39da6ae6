"""The test bed of the cases: a control plane and csi-controller on the host; lvmd, its reconciler and
kubelet on a node in the VM."""

from __future__ import annotations

import functools
import json
import shutil
import time
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.csi_controller import MANIFESTS
from tests.e2e.kube import NODE, ControlPlane, KubeError
from tests.e2e.kube.servers import free_ports
from tests.e2e.reconciler_unit import ReconcilerUnit
from tests.e2e.stages import kept, save_journal, say
from tests.system.node import Node
from tools.dev import paths
from tools.go.build import build
from tools.vm import Machine, cluster, ensure_snapshot

from . import installation
from .controller import Controller
from .installation import DRIVER
from .states import States

VOLUME_GROUP = "vg_c"
_METRICS = "/run/topolvm/metrics.sock"
_REGISTERED_SECONDS = 90.0
_SHOWN = ("nodes,csinodes,pods,persistentvolumes,persistentvolumeclaims,volumesnapshots,"
          "volumesnapshotcontents,volumeattachments,logicalvolumes.topolvm.io,"
          "csistoragecapacities,events")
MAKE_GROUP = f"""
set -e
vgcreate -q {VOLUME_GROUP} /dev/disk/by-id/virtio-data0
lvcreate -q -y --type thin-pool -L 2G -n pool {VOLUME_GROUP}
"""
GROUP = f"{MAKE_GROUP}systemctl start lvmd-csi.socket\n"
"""Makes the volume group, and opens lvmd's sockets for kubelet."""
LVMD_YAML = f"""\
metrics-address: unix:{_METRICS}
csi: {{node-name: {NODE}}}
device-classes:
  - {{name: thick, volume-group: {VOLUME_GROUP}, default: true, spare-gb: 0}}
  - name: thin
    volume-group: {VOLUME_GROUP}
    type: thin
    spare-gb: 0
    thin-pool: {{name: pool, overprovision-ratio: 5.0}}
"""


class Stage:
    """`plane`: the control plane with its controllers, with everything of `installation`. `node`:
    the VM with lvmd, containerd and kubelet, which has registered lvmd as a driver. It is called
    NODE in the cluster. `reconciler`: lvmd-reconciler in the VM. `controller`: csi-controller and
    its sidecars, those of the folder `manifests`. `states`: the CSI states of all LogicalVolumes.

    `close` ends everything.
    """

    plane: ControlPlane
    node: Node
    reconciler: ReconcilerUnit
    controller: Controller
    states: States
    shown = _SHOWN
    """The kinds that `describe` shows."""
    units = ("lvmd.service", "kubelet.service")
    """The units whose logs `describe` shows."""

    def __init__(self, manifests: Path = MANIFESTS) -> None:
        self._manifests = manifests
        self._stack = ExitStack()
        try:
            self._set_up()
        except BaseException:
            self._stack.close()
            raise

    def _set_up(self) -> None:
        workdir = self._start_plane()
        token = installation.install(self.plane, paths.CACHE / "go", self._manifests)
        port = self._start_machine()
        self.node = Node(self._machine, GROUP, LVMD_YAML)
        self.reconciler = ReconcilerUnit(self._machine)
        self.controller = Controller(self.plane, token, workdir, say)
        self.states = self._stack.enter_context(States(self.plane, workdir / "csi-states.log"))
        self._start_kubelet(port)
        self.wait_until_ready()
        self._start_reconciler()
        self._stack.enter_context(self.controller)

    def _start_plane(self) -> Path:
        """Returns the folder of its files."""
        workdir = paths.LOGS / f"{paths.SUITE}.kubernetes"
        shutil.rmtree(workdir, ignore_errors=True)
        self.plane = self._stack.enter_context(
            ControlPlane(paths.CACHE / "go", workdir, say, controllers=True))
        return workdir

    def _start_machine(self, share: Path | None = None) -> int:
        """The VM with this build. Returns the port for its kubelet."""
        kubelet = build("kubelet", paths.CACHE / "go", say)
        saved = ensure_snapshot(paths.CACHE / "vm", variant=cluster.variant(kubelet))
        # The API server reaches kubelet at the same port of the host's loopback.
        [port] = free_ports(1)
        self._machine = self._stack.enter_context(
            Machine(saved, build_tree=paths.INSTALL_TREE, share=share,
                    forward_ports={port: port}, progress=say))
        self._stack.callback(save_journal, self._machine)
        return port

    def _start_reconciler(self) -> None:
        """For the first time since the node's boot. The Node exists."""
        self.reconciler.install(self.plane.url_for_guest, self.plane.ca,
                                installation.reconciler_token(self.plane), NODE)
        self.reconciler.start()

    def calls(self, method: str, code: str = "OK") -> int:
        """How often lvmd has answered calls of this method with this code, since its server
        started."""
        text = self.node.shell(f"curl --silent --fail --unix-socket {_METRICS} "
                               "http://localhost/metrics")
        counter = f'lvmd_rpc_total{{code="{code}",method="{method}"}} '
        return sum(int(float(line.removeprefix(counter))) for line in text.splitlines()
                   if line.startswith(counter))

    def wait_until_ready(self) -> None:
        """Waits until the node is ready and kubelet has registered lvmd. Raises KubeError."""
        deadline = time.monotonic() + _REGISTERED_SECONDS
        while not self.is_registered():
            if time.monotonic() > deadline:
                raise KubeError(f"kubelet has not registered {DRIVER} after "
                                f"{_REGISTERED_SECONDS:.0f} s\n{self.describe()}")
            time.sleep(0.5)
        self.plane.kubectl("wait", "--for=condition=Ready", f"node/{NODE}", "--timeout=90s")

    def cut_power(self) -> None:
        """The power of the node fails, and the node boots again. Returns when kubelet and
        lvmd-reconciler run. What the guest has written before is on its disks."""
        self.node.shell("systemctl --quiet enable containerd.service lvmd.socket lvmd.service "
                        "lvmd-csi.socket && sync")
        self._machine.cut_power()
        self._start_reconciler()
        boot = self.node.shell("cat /proc/sys/kernel/random/boot_id")
        deadline = time.monotonic() + _REGISTERED_SECONDS
        while self._boot() != boot:
            if time.monotonic() > deadline:
                raise KubeError(f"kubelet has not reported the boot {boot} after "
                                f"{_REGISTERED_SECONDS:.0f} s\n{self.describe()}")
            time.sleep(0.5)
        self.wait_until_ready()

    def describe(self) -> str:
        """For a failure: the cluster's objects and events, mounts of volumes, and all logs."""
        objects = self.plane.kubectl("get", self.shown, "--all-namespaces", "--output=wide")
        mounts = self.node.run("grep kubernetes.io[/~]csi /proc/1/mountinfo")[1]
        logs = {unit: self.node.run(f"journalctl --boot --no-pager --unit={unit} --lines=60")[1]
                for unit in self.units}
        return (f"── the cluster\n{objects}\n── mounts of volumes\n{mounts}\n"
                + "\n".join(f"── {unit}\n{log}" for unit, log in logs.items())
                + f"\n── lvmd-reconciler\n{self.reconciler.log(60)}\n{self.controller.describe()}")

    def close(self) -> None:
        self._stack.close()

    def _start_kubelet(self, port: int) -> None:
        self._machine.write_file("/etc/kubernetes/kubelet.conf",
                                 self.plane.kubelet_kubeconfig.encode(), mode=0o600)
        self.node.shell(f"echo 'port: {port}' >>/etc/kubernetes/kubelet.yaml && "
                        "systemctl enable --now kubelet.service")

    def _boot(self) -> str:
        """The boot of the node that kubelet has reported."""
        found = self.plane.read(f"/api/v1/nodes/{NODE}") or {}
        return str(found["status"]["nodeInfo"]["bootID"])

    def is_registered(self) -> bool:
        """Whether the driver is in the node's list of drivers."""
        text = self.plane.kubectl("get", "csinode", NODE, "--ignore-not-found", "--output=json")
        drivers = json.loads(text)["spec"].get("drivers") if text.strip() else None
        return DRIVER in [driver["name"] for driver in drivers or []]


def shared(manifests: Path = MANIFESTS) -> Stage:
    """The only stage of this process: each call has the same argument. The first call sets it up,
    and the end of the process closes it.

    Call it on the main thread: the VM ends with the thread that started it.
    """
    return _shared(manifests)


# A cache of its own, because one of `shared` would take a call without an argument for another one.
@functools.cache
def _shared(manifests: Path) -> Stage:
    return kept(lambda: Stage(manifests))

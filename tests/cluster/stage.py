"""The test bed of the cases: a control plane and csi-controller on the host; lvmd, its reconciler and
kubelet on a node in the VM."""

from __future__ import annotations

import functools
import shutil
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.csi_controller import MANIFESTS
from tests.e2e.kube import NODE, ControlPlane
from tests.e2e.reconciler_unit import ReconcilerUnit
from tests.e2e.stages import kept, say
from tests.system.node import Node
from tools.dev import paths

from . import installation
from .cluster_node import ClusterNode
from .controller import Controller
from .states import States

VOLUME_GROUP = "vg_c"
_METRICS = "/run/topolvm/metrics.sock"
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


def lvmd_yaml(node: str = NODE) -> str:
    """The lvmd.yaml of the node with this name."""
    return f"""\
metrics-address: unix:{_METRICS}
csi: {{node-name: {node}}}
device-classes:
  - {{name: thick, volume-group: {VOLUME_GROUP}, default: true, spare-gb: 0}}
  - name: thin
    volume-group: {VOLUME_GROUP}
    type: thin
    spare-gb: 0
    thin-pool: {{name: pool, overprovision-ratio: 5.0}}
"""


class Stage:
    """`plane`: the control plane with its controllers, with everything of `installation`. `nodes`:
    one, which is called NODE in the cluster: the VM with lvmd, containerd and kubelet, which has
    registered lvmd as a driver. `node` and `reconciler`: those of the first node. `controller`:
    csi-controller and its sidecars, those of the folder `manifests`. `states`: the CSI states of
    all LogicalVolumes.

    `close` ends everything.
    """

    plane: ControlPlane
    nodes: list[ClusterNode]
    node: Node
    reconciler: ReconcilerUnit
    controller: Controller
    states: States
    shown = _SHOWN
    """The kinds that `describe` shows."""
    logs = paths.SUITE
    """Part of the names of its logs."""
    audited: tuple[str, ...] = ()
    """The users whose requests are in the API server's audit log."""

    def __init__(self, manifests: Path = MANIFESTS) -> None:
        self._manifests = manifests
        self._workdir = paths.LOGS / f"{self.logs}.kubernetes"
        self._stack = ExitStack()
        try:
            self._set_up()
        except BaseException:
            self._stack.close()
            raise

    def _set_up(self) -> None:
        self._start_plane()
        token = installation.install(self.plane, paths.CACHE / "go", self._manifests)
        self.controller = Controller(self.plane, token, self._workdir, say)
        self.states = self._stack.enter_context(
            States(self.plane, self._workdir / "csi-states.log"))
        self.nodes = self._start_nodes()
        self.node, self.reconciler = self.nodes[0].node, self.nodes[0].reconciler
        self._stack.enter_context(self.controller)

    def _start_plane(self) -> None:
        shutil.rmtree(self._workdir, ignore_errors=True)
        self.plane = self._stack.enter_context(
            ControlPlane(paths.CACHE / "go", self._workdir, say, controllers=True,
                         audited=self.audited))

    def _start_nodes(self) -> list[ClusterNode]:
        return [self._start_node(NODE)]

    def _start_node(self, name: str, *flags: str) -> ClusterNode:
        """With everything that runs on a node. `flags`: additional ones of lvmd-reconciler."""
        made = ClusterNode(self.plane, name, say, flags=flags, logs=self.logs)
        made.start_machine(self._stack)
        made.node = Node(made.machine, GROUP, lvmd_yaml(name))
        made.start_kubelet()
        made.wait_until_ready()
        made.start_reconciler()
        return made

    def calls(self, method: str, code: str = "OK") -> int:
        """How often lvmd has answered calls of this method with this code, since its server
        started."""
        text = self.node.shell(f"curl --silent --fail --unix-socket {_METRICS} "
                               "http://localhost/metrics")
        counter = f'lvmd_rpc_total{{code="{code}",method="{method}"}} '
        return sum(int(float(line.removeprefix(counter))) for line in text.splitlines()
                   if line.startswith(counter))

    def wait_until_ready(self) -> None:
        """Waits until the first node is ready and kubelet has registered lvmd. Raises
        KubeError."""
        self.nodes[0].wait_until_ready()

    def cut_power(self) -> None:
        """The power of the first node fails, and the node boots again. Returns when kubelet and
        lvmd-reconciler run. What the guest has written before is on its disks."""
        self.nodes[0].power_off()
        self.nodes[0].power_on()

    def describe(self) -> str:
        """For a failure: the cluster's objects and events, mounts of volumes, and all logs."""
        objects = self.plane.kubectl("get", self.shown, "--all-namespaces", "--output=wide")
        nodes = "".join(node.describe() for node in self.nodes)
        return f"── the cluster\n{objects}\n{nodes}{self._describe_driver()}"

    def _describe_driver(self) -> str:
        """The logs of csi-controller and of the sidecars."""
        return self.controller.describe()

    def close(self) -> None:
        self._stack.close()


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

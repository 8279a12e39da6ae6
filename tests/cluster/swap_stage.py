"""The test bed of the swap: a cluster whose driver is TopoLVM at first, and lvmd or TopoLVM later."""

from __future__ import annotations

import functools
import re
import tempfile
import time
from pathlib import Path

from tests.e2e import csi_controller
from tests.e2e.kube import NODE, KubeError
from tests.system.node import Node
from tools.dev import paths

from . import cluster_node, installation, topolvm
from .cluster_node import ClusterNode
from .controller import Controller
from .installation import DRIVER
from .stage import MAKE_GROUP, Stage, kept, lvmd_yaml, say
from .topolvm import TopolvmController, TopolvmNode

LVMD_UNITS = "lvmd-csi.socket lvmd.socket lvmd-ro.socket lvmd.service"
_GONE_SECONDS = 60.0
# What kubelet logs when it forgets a driver, and when it knows one again.
_FORGETS = rf"DeRegisterPlugin request for plugin {DRIVER}"
_KNOWS = rf"Register new plugin with name: {DRIVER} at endpoint"


class SwapStage(Stage):
    """A stage without `states`. The methods are the steps of docs/kubernetes.md, in the order of
    "From TopoLVM", and each returns when it has an effect."""

    shown = ("nodes,csinodes,csidrivers,pods,persistentvolumes,persistentvolumeclaims,"
             "logicalvolumes.topolvm.io,csistoragecapacities,events")

    def _set_up(self) -> None:
        self._start_plane()
        topolvm.install(self.plane, paths.CACHE / "go")
        installation.install_storage_classes(self.plane)
        own = self._start_machine()
        own.node = Node(own.machine, MAKE_GROUP, lvmd_yaml(), start=False)
        self.nodes = [own]
        self.node, self.reconciler = own.node, own.reconciler
        self._topolvm_node = TopolvmNode(own.machine, self.plane)
        self._topolvm_controller = TopolvmController(self.plane, self._workdir, say)
        self._csi_controller: Controller | None = None
        self._has_reconciler = False
        own.start_kubelet()
        self.plane.kubectl("wait", "--for=create", f"node/{NODE}", "--timeout=90s")
        self._topolvm_node.start()
        self.controller = self._stack.enter_context(self._topolvm_controller)
        self.wait_until_ready()

    def _start_machine(self) -> ClusterNode:
        """The node, whose VM has TopoLVM's programs."""
        own = ClusterNode(self.plane, NODE, say, (*cluster_node.UNITS, *topolvm.UNITS),
                          logs=self.logs)
        with tempfile.TemporaryDirectory(dir=paths.CACHE) as folder:
            own.start_machine(self._stack, topolvm.fill_share(Path(folder), say))
        return own

    def become_topolvm(self) -> None:
        """No effect if the driver is TopoLVM."""
        if self.is_lvmd():
            self.take_lvmd_off_the_node()
            self.release_staging()
            self.start_topolvm_on_the_node()
            self.restore_controller()

    def become_lvmd(self) -> None:
        """No effect if the driver is lvmd."""
        if not self.is_lvmd():
            self.replace_controller()
            self.take_topolvm_off_the_node()
            self.start_lvmd_on_the_node()
            self.restart_kubelet()

    def replace_controller(self) -> None:
        """csi-controller for TopoLVM's controller."""
        self._topolvm_controller.stop()
        self._delete_capacities(topolvm.NAMESPACE)
        token = installation.install(self.plane, paths.CACHE / "go", self._manifests)
        if self._csi_controller is None:
            self._csi_controller = self._stack.enter_context(
                Controller(self.plane, token, self._workdir, say))
        else:
            self._csi_controller.start()
        self.controller = self._csi_controller

    def take_topolvm_off_the_node(self) -> None:
        """Returns when kubelet has forgotten the driver."""
        self._topolvm_node.stop()
        self._wait_until_forgotten()

    def start_lvmd_on_the_node(self) -> None:
        """And the reconciler. Returns when kubelet has registered the driver."""
        self.node.shell(f"systemctl enable --quiet --now {LVMD_UNITS}")
        self.wait_until_ready()
        if self._has_reconciler:
            self.reconciler.start()
        else:
            self.nodes[0].start_reconciler()
            self._has_reconciler = True

    def restart_kubelet(self) -> None:
        """Returns when it has registered the driver again."""
        self.node.shell("systemctl restart kubelet.service")
        self.wait_until_ready()

    def take_lvmd_off_the_node(self) -> None:
        """And the reconciler. Returns when kubelet has forgotten the driver."""
        self.reconciler.stop()
        self.node.shell(f"systemctl disable --quiet --now {LVMD_UNITS}")
        self._wait_until_forgotten()

    def release_staging(self) -> str:
        """What the command prints."""
        return self.node.shell("lvmd csi release-staging")

    def start_topolvm_on_the_node(self) -> None:
        """Returns when kubelet has registered the driver."""
        self._topolvm_node.start()
        self.wait_until_ready()

    def restore_controller(self) -> None:
        """TopoLVM's controller for csi-controller."""
        if self._csi_controller is not None:
            self._csi_controller.stop()
        self._delete_capacities(csi_controller.NAMESPACE)
        self._topolvm_controller.start()
        self.controller = self._topolvm_controller

    def is_lvmd(self) -> bool:
        return self.node.run("systemctl is-active lvmd-csi.socket")[1] == "active"

    def gap(self) -> float:
        """The seconds for which kubelet knew no driver in the last swap, by its log."""
        log = self.node.shell("journalctl --boot --no-pager --output=short-unix "
                              "--unit=kubelet.service | grep -e DeRegisterPlugin -e 'new plugin'")
        forgot, knew = (
            [float(line.split()[0]) for line in log.splitlines() if re.search(pattern, line)]
            for pattern in (_FORGETS, _KNOWS))
        return min(moment for moment in knew if moment > forgot[-1]) - forgot[-1]

    def _delete_capacities(self, namespace: str) -> None:
        """Those of a provisioner that does not run. The scheduler would trust them."""
        self.plane.kubectl("delete", "csistoragecapacities", "--all", f"--namespace={namespace}")

    def _wait_until_forgotten(self) -> None:
        deadline = time.monotonic() + _GONE_SECONDS
        while self.nodes[0].is_registered():
            if time.monotonic() > deadline:
                raise KubeError(f"kubelet has still registered {DRIVER} after "
                                f"{_GONE_SECONDS:.0f} s\n{self.describe()}")
            time.sleep(0.2)


@functools.cache
def shared() -> SwapStage:
    """The only stage of this process, as `stage.shared`."""
    return kept(SwapStage)

"""TopoLVM's parts, with the flags and paths that its Helm chart gives them. On the node: its lvmd, its
node and a registrar, as units with all rights. On this host: its controller and the sidecars.

hypertopolvm is the program of TopoLVM's image, which has all its parts. The registrar is
tools/go/driver-registrar, which stands for node-driver-registrar.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.e2e.kube import NODE, ControlPlane
from tools.dev import paths
from tools.go.build import build, module_folder
from tools.vm import Machine

from .controller import Controller
from .installation import DRIVER

NAMESPACE = "topolvm-system"
PROGRAMS = ("hypertopolvm", "driver-registrar")
LVMD, NODE_PLUGIN, REGISTRAR, CONTROLLER = (
    "topolvm-lvmd.service", "topolvm-node.service", "driver-registrar.service",
    "topolvm-controller.service")
UNITS = (LVMD, NODE_PLUGIN, REGISTRAR)
"""Those of a node of a cluster."""
NODE_FINALIZER = f"{DRIVER}/node"
"""TopoLVM's node puts it on its Node object."""

_PLUGIN = f"/var/lib/kubelet/plugins/{DRIVER}/node"
NODE_SOCKET = f"{_PLUGIN}/csi-topolvm.sock"
"""Where TopoLVM's node serves."""
CONTROLLER_SOCKET = "/run/topolvm/csi-topolvm.sock"
"""That of CONTROLLER."""

_KUBECONFIG = "/etc/kubernetes/topolvm.conf"
_CONTROLLER = "topolvm-controller"
_CONTROLLER_FLAGS = ("--leader-election=false", "--enable-webhooks=false",
                     "--metrics-bind-address=0", "--health-probe-bind-address=0")
_SIDECARS = {
    "csi-provisioner": ("--feature-gates=Topology=true", "--enable-capacity",
                        "--capacity-ownerref-level=-1", "--capacity-poll-interval=5s", "--v=4"),
    "csi-resizer": ("--v=4",),
}
# kubelet would restart a container that fails.
_RUN = ("systemd-run --quiet --collect --service-type=exec --property=Restart=on-failure "
        "--property=RestartSec=1s --property=StartLimitIntervalSec=0")
_COMMANDS = {
    LVMD: "/mnt/hypertopolvm lvmd --config=/etc/topolvm/lvmd.yaml --metrics-bind-address=",
    NODE_PLUGIN: f"/mnt/hypertopolvm topolvm-node --csi-socket={NODE_SOCKET} "
                 f"--lvmd-socket=/run/topolvm/lvmd.sock --nodename={NODE} --metrics-bind-address=0",
    REGISTRAR: f"/mnt/driver-registrar --driver={DRIVER} --endpoint={NODE_SOCKET}",
    CONTROLLER: f"/mnt/hypertopolvm {_CONTROLLER} --csi-socket={CONTROLLER_SOCKET} "
                f"{' '.join(_CONTROLLER_FLAGS)}",
}


def install(plane: ControlPlane, cache: Path) -> None:
    """Applies TopoLVM's namespace, definitions and CSIDriver. `cache`: the folder of the Go
    programs."""
    module = module_folder("topolvm", "github.com/topolvm/topolvm", cache)
    plane.apply(module / "config/crd/bases")
    items = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}},
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": DRIVER},
         "spec": {"attachRequired": False, "podInfoOnMount": True, "storageCapacity": True,
                  "volumeLifecycleModes": ["Persistent"]}},
    ]
    plane.kubectl("apply", "--filename=-",
                  input=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))


def fill_share(folder: Path, progress: Callable[[str], None],
               programs: Iterable[str] = PROGRAMS) -> Path:
    """Puts programs into a folder, for Machine's `share`. Returns the folder."""
    for name in programs:
        shutil.copy2(build(name, paths.CACHE / "go", progress), folder / name)
    return folder


class TopolvmNode:
    """The units of one node. The VM has `fill_share`'s folder at /mnt, and /etc/topolvm/lvmd.yaml;
    the Node object exists. Raises CommandFailed."""

    def __init__(self, machine: Machine, plane: ControlPlane,
                 units: Sequence[str] = UNITS) -> None:
        self._machine = machine
        self._plane = plane
        self._units = units

    def start(self) -> None:
        """Returns before kubelet has registered the driver."""
        self._machine.write_file(_KUBECONFIG, self._plane.kubeconfig_for_guest.encode(), mode=0o600)
        for unit in self._units:
            self._machine.run(f"mkdir --parents {_PLUGIN} && {_RUN} --unit={unit} "
                              f"--setenv=KUBECONFIG={_KUBECONFIG} {_COMMANDS[unit]}", check=True)

    def stop(self) -> None:
        """Returns when all processes have ended and the socket of the registration is gone."""
        self._machine.run(f"systemctl stop {' '.join(self._units)}", check=True)


class TopolvmController(Controller):
    """topolvm-controller and its sidecars, in place of csi-controller and its."""

    namespace = NAMESPACE

    def __init__(self, plane: ControlPlane, workdir: Path, progress: Callable[[str], None]) -> None:
        super().__init__(plane, "", workdir, progress)

    def find_programs(self) -> dict[str, Path]:
        return {name: build(program, paths.CACHE / "go", self.progress)
                for name, program in {_CONTROLLER: "hypertopolvm",
                                      **{name: name for name in _SIDECARS}}.items()}

    def start(self) -> None:
        self.run(_CONTROLLER, [
            _CONTROLLER, f"--csi-socket={self.socket}", *_CONTROLLER_FLAGS,
        ], {"KUBECONFIG": os.fspath(self.plane.kubeconfig)})
        for name, flags in _SIDECARS.items():
            self.run(name, [f"--csi-address={self.socket}", *flags,
                            f"--kubeconfig={self.plane.kubeconfig}"])

"""The node for the conformance tests: lvmd, lvmd-reconciler and csi-controller in the VM, without
kubelet, and an API server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e import csi_controller
from tests.e2e.daemon_pod import PACKAGING
from tests.e2e.kube import NODE, ControlPlane
from tests.e2e.reconciler_unit import ReconcilerUnit
from tests.e2e.stages import save_journal
from tests.system.node import Node
from tools.dev import paths
from tools.dev.process import end_normally_on_sigterm
from tools.go.build import build
from tools.vm import Machine, ensure_snapshot

from .installation import DRIVER, reconciler_token
from .sanity import FOLDER, PROGRAM, Driver
from .stage import GROUP, lvmd_yaml, say

NODE_SOCKET = f"/var/lib/kubelet/plugins/{DRIVER}/csi.sock"
_CONTROLLER_SOCKET = f"{FOLDER}/csi.sock"
_CONTROLLER = "sanity-controller.service"


@contextmanager
def sanity_node() -> Iterator[Driver]:
    """lvmd's driver. csi-controller attaches volumes, so that all its calls are served."""
    program = build(PROGRAM, paths.CACHE / "go", say)
    with node_and_api(program.parent) as (machine, plane):
        plane.apply(PACKAGING)
        token = csi_controller.install(plane)
        create_node(plane)
        node = Node(machine, GROUP, lvmd_yaml())
        reconciler = ReconcilerUnit(machine)
        reconciler.install(plane.url_for_guest, plane.ca, reconciler_token(plane, NODE), NODE)
        reconciler.start()
        _start_controller(node, plane, token)
        yield Driver(node, NODE_SOCKET, _CONTROLLER_SOCKET,
                     ("lvmd.service", "e2e-reconciler.service", _CONTROLLER))


@contextmanager
def node_and_api(share: Path) -> Iterator[tuple[Machine, ControlPlane]]:
    """The VM with this build and `share`, and an API server. The VM's journal is kept."""
    end_normally_on_sigterm()
    workdir = paths.LOGS / f"{paths.SUITE}.kubernetes"
    shutil.rmtree(workdir, ignore_errors=True)
    with (ControlPlane(paths.CACHE / "go", workdir, say) as plane,
          Machine(ensure_snapshot(paths.CACHE / "vm"), build_tree=paths.INSTALL_TREE,
                  share=share, progress=say, processors=paths.VM_PROCESSORS) as machine):
        try:
            yield machine, plane
        finally:
            save_journal(machine)


def create_node(plane: ControlPlane) -> None:
    """The Node object, as kubelet makes it and completes it when the driver is registered."""
    plane.kubectl("create", "--filename=-", input=json.dumps(
        {"apiVersion": "v1", "kind": "Node",
         "metadata": {"name": NODE, "labels": {f"topology.{DRIVER}/node": NODE},
                      # TopoLVM's node ends if there is no annotation.
                      "annotations": {"volumes.kubernetes.io/controller-managed-attach-detach":
                                      "true"}}}))


def _start_controller(node: Node, plane: ControlPlane, token: str) -> None:
    node.write(f"{FOLDER}/token", token)
    node.write(f"{FOLDER}/ca.crt", plane.ca.read_text())
    node.shell(
        f"systemd-run --quiet --unit={_CONTROLLER} /usr/bin/csi-controller --attach-required "
        f"--csi-socket={_CONTROLLER_SOCKET} --kube-server={plane.url_for_guest} "
        f"--kube-token-file={FOLDER}/token --kube-ca-file={FOLDER}/ca.crt && "
        f"until test -S {_CONTROLLER_SOCKET}; do sleep 0.2; done")

"""The node for the conformance tests: lvmd, lvmd-reconciler and csi-controller in the VM, without
kubelet, and an API server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e import csi_controller
from tests.e2e.daemon_pod import PACKAGING
from tests.e2e.kube import NODE, ControlPlane
from tests.e2e.reconciler_unit import ReconcilerUnit
from tests.system.node import Node
from tools.dev import paths
from tools.go.build import build
from tools.vm import Machine, ensure_snapshot

from .installation import DRIVER, reconciler_token
from .stage import GROUP, LVMD_YAML, save_journal, say

FOLDER = "/run/sanity"
NODE_SOCKET = f"/var/lib/kubelet/plugins/{DRIVER}/csi.sock"
CONTROLLER_SOCKET = f"{FOLDER}/csi.sock"
PROGRAM = "/mnt/csi-sanity"
CONTROLLER = "sanity-controller.service"


@contextmanager
def sanity_node() -> Iterator[Node]:
    """Both services listen. csi-controller attaches volumes, so that all its calls are served."""
    workdir = paths.LOGS / f"{paths.SUITE}.kubernetes"
    shutil.rmtree(workdir, ignore_errors=True)
    program = build("csi-sanity", paths.CACHE / "go", say)
    with (ControlPlane(paths.CACHE / "go", workdir, say) as plane,
          Machine(ensure_snapshot(paths.CACHE / "vm"), build_tree=paths.INSTALL_TREE,
                  share=program.parent, progress=say) as machine):
        plane.apply(PACKAGING)
        token = csi_controller.install(plane)
        # As kubelet does it when lvmd has registered the driver.
        plane.kubectl("create", "--filename=-", input=json.dumps(
            {"apiVersion": "v1", "kind": "Node",
             "metadata": {"name": NODE, "labels": {f"topology.{DRIVER}/node": NODE}}}))
        try:
            node = Node(machine, GROUP, LVMD_YAML)
            reconciler = ReconcilerUnit(machine)
            reconciler.install(plane.url_for_guest, plane.ca, reconciler_token(plane), NODE)
            reconciler.start()
            _start_controller(node, plane, token)
            yield node
        finally:
            save_journal(machine)


def _start_controller(node: Node, plane: ControlPlane, token: str) -> None:
    node.write(f"{FOLDER}/token", token)
    node.write(f"{FOLDER}/ca.crt", plane.ca.read_text())
    node.shell(
        f"systemd-run --quiet --unit={CONTROLLER} /usr/bin/csi-controller --attach-required "
        f"--csi-socket={CONTROLLER_SOCKET} --kube-server={plane.url_for_guest} "
        f"--kube-token-file={FOLDER}/token --kube-ca-file={FOLDER}/ca.crt && "
        f"until test -S {CONTROLLER_SOCKET}; do sleep 0.2; done")

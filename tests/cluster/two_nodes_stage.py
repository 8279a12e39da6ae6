"""The test bed of the cases about two nodes: each in its own VM, with a store for online
snapshots."""

from __future__ import annotations

import functools

from tests.e2e.kube import NODE, SECOND_NODE
from tests.e2e.kube.certificates import GUEST_VIEW_OF_HOST
from tests.e2e.kube.server_process import ServerProcess
from tests.e2e.kube.servers import free_ports
from tests.e2e.online_snapshots import SECRET, OnlineSnapshots
from tools.dev import paths
from tools.go.build import build

from .cluster_node import ClusterNode
from .stage import Stage, kept, say


class TwoNodesStage(Stage):
    """`nodes`: two, NODE and SECOND_NODE. Their reconcilers store online snapshots in `store`, a
    server on the host. Its VolumeSnapshotClass is called `online_snapshots.CLASS`."""

    store: ServerProcess

    def _start_nodes(self) -> list[ClusterNode]:
        self._start_store()
        return [self._start_node(name, "--online-snapshots") for name in (NODE, SECOND_NODE)]

    def _start_store(self) -> None:
        [port] = free_ports(1)
        self.store = ServerProcess(
            build("rest-server", paths.CACHE / "go", say),
            ["--path", str(self._workdir / "repositories"), "--listen", f"127.0.0.1:{port}",
             "--no-auth"], self._workdir / "rest-server.log")
        self._stack.callback(self.store.stop)
        online = OnlineSnapshots(self.plane)
        online.install_component()
        online.install_storage({"provider": "rest", "rest": {
            "url": f"http://{GUEST_VIEW_OF_HOST}:{port}/", "secretName": SECRET}})


@functools.cache
def shared() -> TwoNodesStage:
    """The only stage of this process, as `stage.shared`."""
    return kept(TwoNodesStage)

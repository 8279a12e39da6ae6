"""csi-controller of this build and the sidecars of a CSI driver."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.e2e import csi_controller
from tests.e2e.kube import ControlPlane, KubeError
from tests.e2e.kube.server_process import ServerProcess
from tools.dev import paths
from tools.go.build import build

_SERVE_SECONDS = 30.0
_OURS = "csi-controller"
# Flags of the Deployment that need a pod. There is one process of each program, so nobody is elected.
_OF_A_POD = ("--leader-election", "--listen-address", "--capacity-ownerref-level")
_FLAGS = {
    _OURS: ("--log-level=debug",),
    "csi-attacher": ("--reconcile-sync=5s", "--v=4"),
    "csi-provisioner": ("--capacity-ownerref-level=-1", "--capacity-poll-interval=5s", "--v=4"),
    "csi-resizer": ("--v=4",),
    "csi-snapshotter": ("--v=4",),
}
# One for the cluster. It calls no driver.
_SNAPSHOT_CONTROLLER = "snapshot-controller"


class Controller:
    """What a pod of the Deployment csi-controller runs, with its flags and its rights, and
    snapshot-controller, which has all rights: processes of this host, from `__enter__` to
    `__exit__`. `token`: that of the account.

    Their output is in `workdir`. Raises KubeError. A subclass for another driver has its own
    `namespace`, `find_programs` and `start`.
    """

    namespace = csi_controller.NAMESPACE

    def __init__(self, plane: ControlPlane, token: str, workdir: Path,
                 progress: Callable[[str], None]) -> None:
        self.plane = plane
        self._token = token
        self._workdir = workdir
        self.progress = progress
        # The first one is csi-controller.
        self._containers: list[dict[str, Any]] = []
        self._programs: dict[str, Path] = {}
        self._processes: list[ServerProcess] = []
        self._folder = Path()
        self.socket = Path()

    def __enter__(self) -> Controller:
        self._programs = self.find_programs()
        # The path of a Unix socket must be short.
        self._folder = Path(tempfile.mkdtemp(prefix="lvmd-csi-"))
        self.socket = self._folder / "csi.sock"
        try:
            self.start()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._close()

    def find_programs(self) -> dict[str, Path]:
        """The programs that `start` runs, by name."""
        self._containers = csi_controller.pod_template(self.plane)["spec"]["containers"]
        sidecars = [container["name"] for container in self._containers[1:]]
        found = {name: build(name, paths.CACHE / "go", self.progress)
                 for name in (*sidecars, _SNAPSHOT_CONTROLLER)}
        return found | {_OURS: paths.INSTALL_TREE / "usr/bin" / _OURS}

    def start(self) -> None:
        file = self._workdir / f"{csi_controller.ACCOUNT}.kubeconfig"
        kubeconfig = csi_controller.write_kubeconfig(self.plane, self._token, file)
        for container in self._containers:
            name = container["name"]
            arguments = [word.replace("/csi/csi.sock", str(self.socket))
                         for word in container["args"] if not word.startswith(_OF_A_POD)]
            self.run(name, [*arguments, *_FLAGS[name], f"--kubeconfig={kubeconfig}"])
        self.run(_SNAPSHOT_CONTROLLER, [f"--kubeconfig={self.plane.kubeconfig}", "--v=4"])

    def stop(self) -> None:
        """Ends all processes. Idempotent."""
        while self._processes:
            self._processes.pop().stop()

    def restart(self) -> None:
        """All processes: a sidecar ends when it loses its driver, and kubelet would start it
        again."""
        self.stop()
        self.start()

    def kill(self) -> None:
        """Kills all processes, and starts them again."""
        while self._processes:
            self._processes.pop().kill()
        self.start()

    def describe(self) -> str:
        """For a failure: which processes have ended, and the end of each log."""
        return "\n".join(f"── {process.name}{_end_of(process)}\n{process.log_end()}"
                         for process in self._processes)

    def _close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def _wait_for_socket(self, process: ServerProcess) -> None:
        deadline = time.monotonic() + _SERVE_SECONDS
        while not self.socket.is_socket():
            process.check_alive()
            if time.monotonic() > deadline:
                raise KubeError(f"{process.name} has no socket after {_SERVE_SECONDS:.0f} s:\n"
                                f"{process.log_end()}")
            time.sleep(0.1)

    def run(self, name: str, arguments: list[str],
            environment: Mapping[str, str] | None = None) -> None:
        """Starts a program. Returns when the driver's socket is there, which the first one
        makes."""
        process = ServerProcess(self._programs[name], arguments, self._workdir / f"{name}.log",
                                {"NAMESPACE": self.namespace, **(environment or {})})
        self._processes.append(process)
        self._wait_for_socket(process)


def _end_of(process: ServerProcess) -> str:
    try:
        process.check_alive()
    except KubeError as error:
        return f", {str(error).splitlines()[0]}"
    return ""

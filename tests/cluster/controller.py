"""csi-controller of this build and the sidecars of a CSI driver."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tests.e2e.kube import ControlPlane, KubeError
from tests.e2e.kube.server_process import ServerProcess
from tools.dev import paths
from tools.go.build import build

from .installation import ACCOUNT, NAMESPACE

CAPACITY_SECONDS = 5
"""The provisioner asks for the free capacity this often."""

_SERVE_SECONDS = 30.0
# Under emulation a call takes longer than the sidecars wait by default.
_CALL = "--timeout=60s"
_SIDECARS = {
    "csi-provisioner": (
        _CALL, "--strict-topology", "--extra-create-metadata", "--enable-capacity",
        "--capacity-ownerref-level=-1", f"--capacity-poll-interval={CAPACITY_SECONDS}s"),
    "csi-resizer": (_CALL,),
    "csi-snapshotter": (_CALL, "--extra-create-metadata"),
}
# One for the cluster. It calls no driver.
_SNAPSHOT_CONTROLLER = "snapshot-controller"


class Controller:
    """What a pod of the driver's Deployment runs, and snapshot-controller, as processes of this
    host from `__enter__` to `__exit__`. csi-controller has the rights of its service account, the
    sidecars have all rights.

    Their output is in `workdir`. Raises KubeError.
    """

    def __init__(self, plane: ControlPlane, workdir: Path, progress: Callable[[str], None]) -> None:
        self._plane = plane
        self._workdir = workdir
        self._progress = progress
        self._programs: dict[str, Path] = {}
        self._processes: list[ServerProcess] = []
        self._folder = Path()
        self._socket = Path()

    def __enter__(self) -> Controller:
        self._programs = {name: build(name, paths.CACHE / "go", self._progress)
                          for name in (*_SIDECARS, _SNAPSHOT_CONTROLLER)}
        # The path of a Unix socket must be short.
        self._folder = Path(tempfile.mkdtemp(prefix="lvmd-csi-"))
        self._socket = self._folder / "csi.sock"
        try:
            self.start()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._close()

    def start(self) -> None:
        self._serve()
        kubeconfig = f"--kubeconfig={self._plane.kubeconfig}"
        address = f"--csi-address={self._socket}"
        for name, flags in _SIDECARS.items():
            self._run(self._programs[name], [kubeconfig, address, "--v=4", *flags])
        self._run(self._programs[_SNAPSHOT_CONTROLLER], [kubeconfig, "--v=4"])

    def stop(self) -> None:
        """Ends all processes. Idempotent."""
        while self._processes:
            self._processes.pop().stop()

    def restart(self) -> None:
        """All processes: a sidecar ends when it loses its driver, and kubelet would start it
        again."""
        self.stop()
        self.start()

    def describe(self) -> str:
        """For a failure: which processes have ended, and the end of each log."""
        return "\n".join(f"── {process.name}{_end_of(process)}\n{process.log_end()}"
                         for process in self._processes)

    def _close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def _serve(self) -> None:
        token = self._workdir / f"{ACCOUNT}.token"
        token.touch(mode=0o600)
        token.write_text(self._plane.kubectl("create", "token", ACCOUNT,
                                             f"--namespace={NAMESPACE}"))
        program = paths.INSTALL_TREE / "usr/bin/csi-controller"
        process = self._run(program, [
            f"--csi-socket={self._socket}", f"--kube-server={self._plane.url}",
            f"--kube-token-file={token}", f"--kube-ca-file={self._plane.ca}", "--log-level=debug"])
        deadline = time.monotonic() + _SERVE_SECONDS
        while not self._socket.is_socket():
            process.check_alive()
            if time.monotonic() > deadline:
                raise KubeError(f"csi-controller has no socket after {_SERVE_SECONDS:.0f} s:\n"
                                f"{process.log_end()}")
            time.sleep(0.1)

    def _run(self, program: Path, arguments: list[str]) -> ServerProcess:
        process = ServerProcess(program, arguments, self._workdir / f"{program.name}.log",
                                {"NAMESPACE": NAMESPACE})
        self._processes.append(process)
        return process


def _end_of(process: ServerProcess) -> str:
    try:
        process.check_alive()
    except KubeError as error:
        return f", {str(error).splitlines()[0]}"
    return ""

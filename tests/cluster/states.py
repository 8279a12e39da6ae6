"""The CSI states through which each LogicalVolume has gone."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from tests.e2e.kube import ControlPlane
from tests.e2e.kube.server_process import ServerProcess

_FORM = "{.metadata.name} {.status.csiStatus}{\"\\n\"}"


class States:
    """Watches `status.csiStatus` of all LogicalVolumes from `__enter__` to `__exit__`. `log`: the
    file for what kubectl prints."""

    def __init__(self, plane: ControlPlane, log: Path) -> None:
        self._plane = plane
        self._log = log
        self._process: ServerProcess | None = None

    def __enter__(self) -> States:
        self.watch()
        return self

    def watch(self) -> None:
        """Watches again, after the end of an API server. Not noticed is a state that has begun and
        ended since then."""
        self._stop()
        self._process = ServerProcess(self._plane.kubectl_program, [
            f"--kubeconfig={self._plane.kubeconfig}", "get", "logicalvolumes.topolvm.io", "--watch",
            f"--output=jsonpath={_FORM}"], self._log)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._stop()

    def of(self, name: str) -> list[str]:
        """The states of the object with this name, in order, each as often as it began. The watch
        does not miss one, but the reconciler does not write one that ends while it writes."""
        if self._process is not None:
            self._process.check_alive()
        found: list[str] = []
        for line in self._log.read_text(encoding="utf-8").splitlines():
            owner, _, state = line.partition(" ")
            if owner == name and state and found[-1:] != [state]:
                found.append(state)
        return found

    def _stop(self) -> None:
        if self._process is not None:
            self._process.stop()

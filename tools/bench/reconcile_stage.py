"""The test bed of the reconciler: a Kubernetes API on the host, and in the VM lvmd and the
reconciler, which reaches the API through a relay that counts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

from tests.e2e.daemon_pod import PACKAGING, DaemonPod
from tests.e2e.reconciler_unit import ReconcilerUnit
from tools.dev import paths
from tools.dev.progress import Progress
from tests.e2e.kube import ControlPlane
from tests.e2e.kube.certificates import GUEST_VIEW_OF_HOST
from tools.vm import Machine

from . import create_calls, stage
from .api_connection import ApiConnection
from .bench_vm import bench_vm
from .byte_relay import ByteRelay
from .create_calls import CreateCall
from .samples import BenchError
from .volume_watch import VolumeWatch

NODE = "bench"
DEVICE_CLASS = "ssd"

_READY = "curl --silent --fail --max-time 5 http://127.0.0.1:8080/readyz"
_MEMORY = ("awk '/^Private_Dirty:/ {{dirty = $2}} /^Rss:/ {{rss = $2}} END {{print dirty, rss}}' "
           "/proc/{pid}/smaps_rollup")
# When no request and no event has occurred for this time, all work has been done and reported.
_QUIET_SECONDS = 5.0
_LIMIT_SECONDS = 180.0


class ReconcileStage:
    """The reconciler is installed and stopped. `api` accesses the API server directly."""

    def __init__(self, plane: ControlPlane, machine: Machine, relay: ByteRelay,
                 api: ApiConnection) -> None:
        self.machine = machine
        self.relay = relay
        self.api = api
        self._plane = plane
        self._pod = DaemonPod(plane, NODE)
        self.reconciler = ReconcilerUnit(machine)
        server = f"https://{GUEST_VIEW_OF_HOST}:{relay.port}"
        self.reconciler.install(server, plane.ca, self._token(), NODE)

    def watch(self) -> VolumeWatch:
        return VolumeWatch(self._plane, NODE)

    def start(self) -> None:
        self.reconciler.start()

    def stop(self) -> None:
        """The next start uses a new token, because a token is valid for an hour."""
        self.reconciler.stop()
        self.reconciler.set_token(self._token())

    def settle(self) -> None:
        """Returns when the running reconciler has read all objects and has no work. Raises
        BenchError if that takes too long."""
        deadline = time.monotonic() + _LIMIT_SECONDS
        while self.machine.run(_READY).exit_code != 0:
            if time.monotonic() > deadline:
                raise BenchError(f"lvmd-reconciler is not ready after {_LIMIT_SECONDS:.0f} s")
            time.sleep(0.5)
        last, since = self.relay.counted(), time.monotonic()
        while time.monotonic() - since < _QUIET_SECONDS:
            if time.monotonic() > deadline:
                raise BenchError("lvmd-reconciler sent requests to the API server for "
                                 f"{_LIMIT_SECONDS:.0f} s")
            time.sleep(0.2)
            if (now := self.relay.counted()) != last:
                last, since = now, time.monotonic()

    def memory(self) -> tuple[int, int]:
        """The private dirty memory and RSS of the running reconciler, in kB of 1024 bytes."""
        command = _MEMORY.format(pid=self.reconciler.pid())
        dirty, rss = self.machine.run(command, check=True).output.split()
        return int(dirty), int(rss)

    def create_calls(self, uids: list[str]) -> list[CreateCall]:
        """The CreateLV of each of these objects. Raises BenchError if lvmd has none."""
        found = create_calls.parse(self.machine.run(create_calls.COMMAND, check=True).output)
        lacking = [uid for uid in uids if uid not in found]
        if lacking:
            raise BenchError(f"lvmd's journal has no CreateLV of {lacking[0]}, nor of "
                             f"{len(lacking) - 1} others")
        return [found[uid] for uid in uids]

    def _token(self) -> bytes:
        return self._pod.token().encode()


@contextmanager
def running(progress: Progress) -> Iterator[ReconcileStage]:
    """In the context, all parts run. The logs of the API's programs are in the logs' folder."""
    workdir = paths.LOGS / "bench-kubernetes"
    shutil.rmtree(workdir, ignore_errors=True)
    with (bench_vm(progress) as machine,
          ControlPlane(paths.CACHE / "go", workdir, progress) as plane,
          ByteRelay(urlsplit(plane.url).port or 0) as relay,
          closing(ApiConnection(plane)) as api):
        with progress.step("making the volume group, applying the manifests"):
            plane.apply(PACKAGING)
            stage.make_group(machine)
        with stage.running(machine, stage.OURS):
            made = ReconcileStage(plane, machine, relay, api)
            try:
                yield made
            except Exception as error:
                raise BenchError(f"{error}\nlvmd-reconciler's log ends with:\n"
                                 f"{made.reconciler.log(40)}") from error
            # Before lvmd, because it would start lvmd again through the socket.
            made.reconciler.stop()

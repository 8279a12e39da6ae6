"""An API server that requests its clients to slow down. The ids in brackets are rules of
docs/reconciler.md."""

import threading
import time

from tests.e2e.kube.fault_proxy import FaultProxy
from tests.e2e.kube.faults import Fault, Kind, Request

from .case import MIB, Case

_RETRY_AFTER = 1.0
"""The delay in the proxy's response 429, in seconds. Without it, a retry follows after about half
of this time."""


class _RefusesTheFirstPatch:
    """A policy of the proxy: the first patch of an object gets the response 429. Records the times
    of all patches."""

    def __init__(self, name: str) -> None:
        self._name = f"/{name}"
        self._lock = threading.Lock()
        self.patches: list[float] = []

    def __call__(self, request: Request) -> Fault | None:
        if request.method != "PATCH" or self._name not in request.path:
            return None
        with self._lock:
            self.patches.append(time.monotonic())
            return Fault(Kind.TOO_MANY) if len(self.patches) == 1 else None

    def begins(self, kind: Kind) -> bool:
        return True


class Pause(Case):
    def test_a_pause_that_is_asked_for_is_kept(self) -> None:
        """[R-KUBE-14]"""
        plane, reconciler = self.stage.plane, self.stage.reconciler
        volume = self.volume()
        policy = _RefusesTheFirstPatch(volume.name)
        proxy = self.enterContext(FaultProxy(
            plane.url, plane.ca, plane.server_certificate, plane.server_key, policy))
        self.addCleanup(reconciler.restart)
        self.addCleanup(reconciler.use_server, plane.url_for_guest)
        reconciler.use_server(proxy.url_for_guest)
        reconciler.restart()
        uid = volume.create(self.spec("8Mi"))
        self.wait_for_size(volume, "8Mi")
        self.assert_volume(uid, 8 * MIB)
        refused, again, *_ = policy.patches
        self.assertGreaterEqual(again - refused, _RETRY_AFTER)

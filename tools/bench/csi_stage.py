"""The test bed of the CSI drivers: a cluster of one node, whose driver is lvmd's or TopoLVM's in
turns."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from tests.cluster import topolvm
from tests.cluster.cluster_node import ClusterNode
from tests.cluster.sanity_node import NODE_SOCKET
from tests.cluster.swap_stage import SwapStage
from tests.e2e import csi_controller, daemon_pod, reconciler_unit
from tools.vm import Machine

from . import api_audit, create_calls, csi_calls, kubelet_log, stage
from .api_connection import ApiConnection
from .bench_vm import make_like_a_host
from .claim_watch import ClaimWatch
from .csi_calls import Answered, Call, CsiClient
from .csi_report import PROGRAMS
from .samples import BenchError
from .stage import Memory

_RECONCILER = f"system:serviceaccount:{daemon_pod.NAMESPACE}:{daemon_pod.ACCOUNT}"
_CLOCK_READS = 3


@dataclass(frozen=True)
class Driver:
    label: str
    node_socket: str
    units: tuple[str, ...]
    """Its parts on a node."""


OURS = Driver("lvmd", NODE_SOCKET, ("lvmd.service", reconciler_unit.UNIT))
PEER = Driver("TopoLVM", topolvm.NODE_SOCKET, topolvm.UNITS)


class CsiStage(SwapStage):
    """TopoLVM is the driver at first. The requests of lvmd's parts to the API server are
    audited."""

    logs = "bench-csi"
    audited = (csi_controller.USER, _RECONCILER)

    def _start_machine(self) -> ClusterNode:
        own = super()._start_machine()
        make_like_a_host(own.machine)
        return own

    @property
    def machine(self) -> Machine:
        return self.nodes[0].machine

    def become(self, driver: Driver) -> None:
        """No effect if it is the driver."""
        if driver is OURS:
            self.become_lvmd()
        else:
            self.become_topolvm()

    def api(self) -> ApiConnection:
        return ApiConnection(self.plane)

    def watch(self) -> ClaimWatch:
        return ClaimWatch(self.plane)

    def client(self) -> CsiClient:
        """For the driver's Controller service."""
        return CsiClient(self.controller.socket)

    def call_node(self, driver: Driver, *calls: Call) -> list[Answered]:
        return csi_calls.in_vm(self.machine, driver.node_socket, calls)

    def create_lv_milliseconds(self, volumes: Sequence[str]) -> list[float]:
        """Of the CreateLV of each of these volumes. Raises BenchError if lvmd has logged none."""
        found = create_calls.parse(self.machine.run(create_calls.COMMAND, check=True).output)
        lacking = [volume for volume in volumes if volume not in found]
        if lacking:
            raise BenchError(f"lvmd's journal has no CreateLV of {', '.join(lacking)}")
        return [found[volume].milliseconds for volume in volumes]

    def mounted(self) -> dict[tuple[str, str], float]:
        """What `kubelet_log.parse` finds."""
        return kubelet_log.parse(self.machine.run(kubelet_log.COMMAND, check=True).output)

    def clock_ahead(self) -> float:
        """By how many seconds the VM's clock is ahead of time.monotonic. Of several reads the
        fastest one counts."""
        reads = []
        for _ in range(_CLOCK_READS):
            before = time.monotonic()
            there = float(self.machine.run("date +%s.%N", check=True).output)
            after = time.monotonic()
            reads.append((after - before, there - (before + after) / 2))
        return min(reads)[1]

    def memory(self, driver: Driver) -> dict[str, Memory]:
        """Of each of its units."""
        return {unit: stage.memory_of(self.machine, unit) for unit in driver.units}

    def audited_bytes(self) -> int:
        """The length of the audit log until now."""
        return self.plane.audit_log.stat().st_size

    def requests_since(self, begin: int) -> dict[str, api_audit.Requests]:
        """The requests of PROGRAMS since the audit log had this length."""
        with self.plane.audit_log.open("rb") as log:
            log.seek(begin)
            return api_audit.parse(log.read().decode(), PROGRAMS)

    @contextmanager
    def without_kubelet(self) -> Iterator[None]:
        """In the context, kubelet is stopped. It would remove the folders of pods that it does not
        know."""
        self.node.shell("systemctl stop kubelet.service")
        yield
        self.node.shell("systemctl start kubelet.service")
        self.wait_until_ready()


@contextmanager
def running() -> Iterator[CsiStage]:
    """In the context, all parts run. An error in it becomes a BenchError that describes them."""
    with closing(CsiStage()) as made:
        try:
            yield made
        except Exception as error:
            raise BenchError(f"{error}\n{made.describe()}") from error

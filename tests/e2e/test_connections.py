"""Connections to the API server that fail silently, end, or have another certificate. The ids in
brackets are rules of docs/reconciler.md."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.kube.certificates import make_certificates
from tests.e2e.kube.fault_proxy import FaultProxy
from tests.e2e.kube.faults import Faults
from tests.e2e.kube.tcp_relay import TcpRelay

from .case import MIB, Case
from .logical_volume import GROUP, LEGACY_GROUP

# A silent watch, then the first write on a silent connection, and some time for the work.
_SILENCE_SECONDS = 90 + 30 + 10
# Keepalive of the watch, then the first write is not acknowledged.
_DEAD_PEER_SECONDS = 60 + 20 + 10
_READY_SECONDS = 10.0


def port_of(url: str) -> int:
    return urlsplit(url).port or 443


class Connections(Case):
    def go_by(self, relay: TcpRelay) -> None:
        plane, reconciler = self.stage.plane, self.stage.reconciler
        self.addCleanup(reconciler.restart)
        self.addCleanup(reconciler.use_server, plane.url_for_guest)
        reconciler.use_server(relay.url_for_guest)
        reconciler.restart()

    def make_one(self, suffix: str, limit: float) -> None:
        """An object becomes a volume within this number of seconds."""
        volume = self.volume(suffix)
        began = time.monotonic()
        uid = volume.create(self.spec("8Mi"))
        self.wait_for_size(volume, "8Mi", limit)
        self.assertLess(time.monotonic() - began, limit)
        self.assert_volume(uid, 8 * MIB)

    def test_connections_that_a_load_balancer_forgot_are_not_used_again(self) -> None:
        """[R-KUBE-7, R-KUBE-15]"""
        relay = self.enterContext(TcpRelay(port_of(self.stage.plane.url)))
        self.go_by(relay)
        self.make_one("-before", 60)
        relay.go_silent()
        self.make_one("-after", _SILENCE_SECONDS)

    def test_a_peer_that_answers_no_packet_is_given_up(self) -> None:
        """[R-KUBE-15]"""
        machine = self.stage.machine
        self.make_one("-before", 60)
        api_port = port_of(self.stage.plane.url)
        ports = machine.run("ss --no-header --numeric --tcp state established "
                            f"dport = :{api_port} | awk '{{print $3}}' | sed 's/.*://'",
                            check=True).output.split()
        self.assertGreaterEqual(len(ports), 3, "watches of both groups, and writes")
        device = machine.run("ip -o route get 10.0.2.2 | sed 's/.* dev //; s/ .*//'",
                             check=True).output.strip()
        self.addCleanup(machine.run, f"tc qdisc del dev {device} ingress", check=True)
        machine.run(f"tc qdisc add dev {device} ingress", check=True)
        for port in ports:
            machine.run(f"tc filter add dev {device} ingress protocol ip flower ip_proto tcp "
                        f"src_port {api_port} dst_port {port} action drop", check=True)
        self.make_one("-after", _DEAD_PEER_SECONDS)

    def test_readiness_is_back_with_the_watch(self) -> None:
        """[R-SERVE-3]"""
        relay = self.enterContext(TcpRelay(port_of(self.stage.plane.url)))
        self.go_by(relay)
        self.make_one("", 60)
        self.eventually("ready", self.is_ready, lambda: "")
        # No object changes from here on. Bookmarks arrive once a minute.
        failed = self.failed_watches()
        relay.cut()
        began = time.monotonic()
        self.eventually("the watches of both groups have failed", lambda: all(
            now > then for now, then in zip(self.failed_watches(), failed)), lambda: "")
        self.eventually("ready again", self.is_ready, lambda: self.stage.reconciler.log(20))
        self.assertLess(time.monotonic() - began, _READY_SECONDS)

    def failed_watches(self) -> list[int]:
        log = self.stage.reconciler.log()
        return [log.count(f"{group}: watch failed") for group in (GROUP, LEGACY_GROUP)]

    def is_ready(self) -> bool:
        return self.stage.machine.run(
            "curl --silent --fail --max-time 5 http://127.0.0.1:8080/readyz").exit_code == 0

    def test_an_authority_that_was_replaced(self) -> None:
        """[R-KUBE-11]"""
        plane, reconciler = self.stage.plane, self.stage.reconciler
        other = make_certificates(Path(self.enterContext(tempfile.TemporaryDirectory())))
        before, after = (self.enterContext(FaultProxy(plane.url, plane.ca, certificate, key, Faults(0, {})))
                         for certificate, key in ((plane.server_certificate, plane.server_key),
                                                  (other.server, other.server_key)))
        relay = self.enterContext(TcpRelay(port_of(before.url)))
        self.go_by(relay)
        self.make_one("-before", 60)
        relay.upstream = port_of(after.url)
        relay.cut()
        self.eventually("the new certificate is refused",
                        lambda: "SSL peer certificate" in reconciler.log(20),
                        lambda: reconciler.log(20))
        self.addCleanup(reconciler.set_authority, plane.ca)
        reconciler.set_authority(other.ca)
        self.make_one("-after", 90)

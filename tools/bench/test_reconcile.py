"""The figures of `./dev bench reconcile`, from invented texts and times."""

import json
import socket
import threading
import unittest
from collections import Counter

from . import api_requests, create_calls, made_up, reconcile, reconcile_report
from .byte_relay import ByteRelay, Traffic
from .create_calls import CreateCall
from .samples import BenchError
from .sightings import Sighting, Sightings

METRICS = """\
# TYPE apiserver_request_total counter
apiserver_request_total{code="200",group="topolvm.io",resource="logicalvolumes",scope="cluster",\
subresource="",verb="LIST",version="v1"} 3
apiserver_request_total{code="200",group="topolvm.cybozu.com",resource="logicalvolumes",\
scope="cluster",subresource="",verb="LIST",version="v1"} 1
apiserver_request_total{code="200",group="topolvm.io",resource="logicalvolumes",scope="resource",\
subresource="status",verb="PATCH",version="v1"} 1.2e+03
apiserver_request_total{code="409",group="topolvm.io",resource="logicalvolumes",scope="resource",\
subresource="status",verb="PATCH",version="v1"} 2
apiserver_request_total{code="200",group="topolvm.io",resource="logicalvolumes",scope="cluster",\
subresource="",verb="WATCH",version="v1"} 9
apiserver_request_total{code="200",group="",resource="nodes",scope="cluster",subresource="",\
verb="LIST",version="v1"} 5
apiserver_request_total{code="200",group="",resource="nodes",scope="resource",subresource="",\
verb="GET",version="v1"} 1
apiserver_request_total{code="201",group="",resource="configmaps",scope="resource",\
subresource="",verb="POST",version="v1"} 7
apiserver_request_terminations_total{code="200",resource="logicalvolumes",verb="LIST"} 4
"""


class ApiRequests(unittest.TestCase):
    def test_what_the_reconciler_asks_for_in_both_groups(self) -> None:
        self.assertEqual(api_requests.parse(METRICS), {
            "LIST logicalvolumes": 4, "PATCH logicalvolumes/status": 1202, "GET nodes": 1})

    def test_the_writes_among_them(self) -> None:
        requests = Counter({"LIST logicalvolumes": 4, "PATCH logicalvolumes": 2,
                            "PATCH logicalvolumes/status": 1, "POST events": 1, "GET nodes": 1})
        self.assertEqual(api_requests.writes(requests), 4)
        self.assertEqual(api_requests.writes(requests, "logicalvolumes"), 3)

    def test_metrics_of_something_else_are_an_error(self) -> None:
        with self.assertRaises(BenchError):
            api_requests.parse("go_goroutines 8\n")


def entry(message: str, volume: str, end: int, duration: int) -> str:
    return json.dumps({"MESSAGE": message, "LVMD_LV": volume, "LVMD_DURATION_USEC": str(duration),
                       "_SOURCE_REALTIME_TIMESTAMP": str(end),
                       "__REALTIME_TIMESTAMP": str(end + 5)})


class CreateCalls(unittest.TestCase):
    def test_each_by_its_volume(self) -> None:
        text = "\n".join([entry("CreateLV vg0/a: OK", "a", 5000, 2000),
                          entry("RemoveLV vg0/a: OK", "a", 9000, 100),
                          entry("CreateLVSnapshot vg0/s: OK", "s", 9000, 100)])
        self.assertEqual(create_calls.parse(text), {"a": CreateCall(begin=3000, end=5000)})
        self.assertEqual(create_calls.parse(text)["a"].milliseconds, 2.0)

    def test_the_journals_own_time_where_there_is_no_other(self) -> None:
        line = json.loads(entry("CreateLV vg0/a: OK", "a", 5000, 2000))
        del line["_SOURCE_REALTIME_TIMESTAMP"]
        self.assertEqual(create_calls.parse(json.dumps(line))["a"].end, 5005)

    def test_what_is_no_entry_is_an_error_that_shows_it(self) -> None:
        for line in ("Failed to sync", "[]", '{"MESSAGE": null}', '{"MESSAGE": "CreateLV x: OK"}'):
            with self.subTest(line), self.assertRaisesRegex(BenchError, "journal"):
                create_calls.parse(line)

    def test_waiting_for_each_other_counts_once(self) -> None:
        """Three at a time, one after another; then one that begins later."""
        calls = [CreateCall(0, 1000), CreateCall(100, 2000), CreateCall(200, 3000),
                 CreateCall(5000, 6000)]
        self.assertEqual(create_calls.busy_milliseconds(calls), 4.0)
        self.assertEqual(create_calls.busy_milliseconds(reversed(calls)), 4.0)
        self.assertEqual(create_calls.busy_milliseconds([]), 0.0)


def event(kind: str, name: str = "a", **status: str) -> bytes:
    found = {"metadata": {"name": name}, **({"status": status} if status else {})}
    return json.dumps({"type": kind, "object": found}).encode()


class Watched(unittest.TestCase):
    def setUp(self) -> None:
        self.sightings = Sightings()

    def test_a_volume_from_its_creation_to_its_end(self) -> None:
        for when, line in enumerate((event("ADDED"), event("MODIFIED"),
                                     event("MODIFIED", volumeID="v"),
                                     event("MODIFIED", volumeID="v", message="in use"),
                                     event("DELETED", volumeID="v"))):
            self.sightings.take(line, float(when))
        self.assertEqual(self.sightings.of("a"), Sighting(written=1.0, ready=2.0, gone=4.0))

    def test_what_is_wrong_is_kept_for_the_message(self) -> None:
        self.sightings.take(event("MODIFIED", message="no space"), 1.0)
        self.assertEqual(self.sightings.of("a"), Sighting(written=1.0, message="no space"))

    def test_nothing_is_known_of_others(self) -> None:
        self.sightings.take(event("BOOKMARK"), 1.0)
        self.sightings.take(event("ADDED", "b", volumeID="v"), 2.0)
        self.assertEqual(self.sightings.of("a"), Sighting())
        self.assertEqual(self.sightings.of("b"), Sighting(ready=2.0))

    def test_an_error_and_what_is_no_event(self) -> None:
        for line in (b'{"type": "ERROR", "object": {"code": 410}}', event("ERROR"), b"{", b"[]",
                     b'{"type": "ADDED", "object": {}}'):
            with self.subTest(line), self.assertRaisesRegex(BenchError, "watch"):
                self.sightings.take(line, 1.0)


class Figures(unittest.TestCase):
    def test_what_is_beyond_createlv(self) -> None:
        calls = [CreateCall(0, 20_000), CreateCall(0, 30_000), CreateCall(0, 25_000)]
        figure = reconcile_report.latency([50.0, 80.0, 75.0], calls)
        self.assertEqual((figure["ms"], figure["median_ms"], figure["p99_ms"]),
                         ([30.0, 50.0, 50.0], 50.0, 50.0))
        self.assertEqual(figure["median_create_ms"], 25.0)

    def test_one_in_a_hundred_may_be_larger_than_the_p99(self) -> None:
        self.assertEqual(reconcile_report.percentile([float(n) for n in range(100)], 99), 98.0)
        self.assertEqual(reconcile_report.percentile([3.0, 1.0, 2.0], 99), 3.0)

    def test_at_once_beside_the_smaller_sum(self) -> None:
        calls = [CreateCall(0, 10_000), CreateCall(0, 20_000)]
        for alone, ratio in ((5.0, 2.2), (30.0, 1.1)):
            figure = reconcile_report.at_once(22.0, calls, [alone])
            self.assertEqual((figure["busy_ms"], figure["ratio"]), (20.0, ratio))

    def test_starts_are_compared_with_as_many_own_crs(self) -> None:
        taken = [made_up.start(0, 0), made_up.start(100, 0), made_up.start(100, 5000),
                 made_up.start(1000, 5000)]
        taken[2]["received_bytes"] *= 2
        figure = reconcile_report.starts(taken)
        self.assertEqual((figure["own"], figure["foreign"]), (100, 5000))
        self.assertEqual(figure["bytes_ratio"], round(250 / 130, 4))
        self.assertEqual(figure["requests_ratio"], 1.0)
        with self.assertRaises(BenchError):
            reconcile_report.starts([made_up.start(100, 5000)])

    def test_the_largest_memory_counts(self) -> None:
        figure = reconcile_report.memory(100, 0, [(5000, 20_000), (6000, 19_000)])
        self.assertEqual((figure["private_dirty_kb"], figure["rss_kb"]), (6000, 20_000))

    def test_a_new_cr_needs_two_writes_and_no_other_needs_any(self) -> None:
        needed = {"PATCH logicalvolumes": 1, "PATCH logicalvolumes/status": 1, "PATCH nodes": 1}
        for unchanged, changed, redundant in (
                ({"LIST logicalvolumes": 3}, [needed], 0),
                ({"PATCH nodes": 1}, [needed], 1),
                ({}, [needed, {**needed, "PATCH logicalvolumes/status": 4}], 3)):
            figure = reconcile_report.restart(1000, 0, unchanged, [5.0], changed)
            self.assertEqual(figure["redundant_writes"], redundant)
        with self.assertRaisesRegex(BenchError, "too few"):
            reconcile_report.restart(1000, 0, {}, [5.0], [{"PATCH logicalvolumes": 1}])

    def test_the_slowest_first_write_counts(self) -> None:
        self.assertEqual(made_up.reconcile_json()[reconcile_report.RESTART]["slowest_ms"], 1100.0)

    def test_lines_for_each_figure(self) -> None:
        rows = reconcile_report.rows(made_up.reconcile_json())
        self.assertEqual([name for name, _ in rows if name], list(reconcile_report.FIGURES))
        self.assertIn(["", "130.0 kB, 3 requests with 100 own and 10,000 foreign CRs"], rows)

    def test_what_has_not_been_measured_has_none(self) -> None:
        self.assertEqual(reconcile_report.rows({"runs": [made_up.RUN]}), [["", "measured"]])

    def test_starts_with_no_foreign_crs_and_with_more_and_more(self) -> None:
        self.assertEqual(reconcile.foreign_steps(10_000), [0, 2500, 5000, 10_000])
        self.assertEqual(reconcile.foreign_steps(0), [0])


class Relay(unittest.TestCase):
    def test_bytes_are_passed_on_and_counted_both_ways(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=self.answer, args=(server,), daemon=True).start()
            with ByteRelay(server.getsockname()[1]) as relay:
                with socket.create_connection(("127.0.0.1", relay.port), timeout=10) as client:
                    client.sendall(b"ping")
                    client.shutdown(socket.SHUT_WR)
                    answer = b"".join(iter(lambda: client.recv(100), b""))
                self.assertEqual(answer, b"ping" * 3)
                self.assertEqual(relay.counted(), Traffic(connections=1, sent=4, received=12))

    def test_a_target_that_is_not_there_closes_the_connection(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        with (ByteRelay(port) as relay,
              socket.create_connection(("127.0.0.1", relay.port), timeout=10) as client):
            self.assertEqual(client.recv(1), b"")
            self.assertEqual(relay.counted(), Traffic())

    def test_an_end_that_leaves_takes_the_other_along(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server, \
                ByteRelay(server.getsockname()[1]) as relay:
            client = socket.create_connection(("127.0.0.1", relay.port), timeout=10)
            taken, _ = server.accept()
            with taken:
                taken.settimeout(10)
                client.close()
                self.assertEqual(taken.recv(1), b"")

    def test_traffic_of_a_while(self) -> None:
        self.assertEqual(Traffic(3, 50, 70) - Traffic(2, 10, 30), Traffic(1, 40, 40))

    @staticmethod
    def answer(server: socket.socket) -> None:
        """The arrivals, three times."""
        taken, _ = server.accept()
        with taken:
            received = b"".join(iter(lambda: taken.recv(100), b""))
            taken.sendall(received * 3)


if __name__ == "__main__":
    unittest.main()

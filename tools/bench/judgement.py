"""The goals for lvmd's speed and size, and whether a run of the benches meets them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import csi_report, load_report, reconcile_report, report, transfer_report
from .report import megabytes, milliseconds, table

Stored = Mapping[str, Any]

# The numbers of volumes that have goals: the name, the lowest and the highest number.
FEW, MANY, HUGE = ("~12", 1, 100), ("~1,010", 1000, 2000), ("~10,000", 9000, 20_000)
SIZES = (FEW, MANY, HUGE)

# For each of SIZES: the allowed factor relative to the LVM library alone,
FLOOR_TIMES = {
    **dict.fromkeys(report.CHANGES, (0.85, 0.80, 1.0)),
    **dict.fromkeys(("CreateLV thick", "ResizeLV", "RemoveLV thick"), (0.65, 0.65, 1.0)),
}
# and for few and for many: the required factor relative to TopoLVM's lvmd.
PEER_TIMES = {**dict.fromkeys(report.CHANGES, (5.0, 4.0)),
              **dict.fromkeys(report.READS, (100.0, 100.0))}
EMPTY_TIMES = 1.2
SAME_BYTES_TIMES = 1.5
PARALLEL_TIMES = 1.2
SUSTAINED_TIMES = 1.0
LAST_HUNDRED_TIMES = 2.5
PRIVATE_MB = 20.0
GROWTH_PERCENT = 2.0
IDLE_PERCENT = 0.05
# For the reconciler: beside the time of CreateLV, and with at least this number of CRs.
MEDIAN_MS, P99_MS = 100.0, 250.0
AT_ONCE_TIMES = 1.05
OWN, FOREIGN, RESTARTED = 100, 10_000, 1000
RECONCILER_PRIVATE_MB, RECONCILER_RSS_MB = 8.0, 32.0
# A resource version, or a TLS record, can be slightly longer.
FOREIGN_BYTES_TIMES, FOREIGN_REQUESTS_TIMES = 1.05, 1.0
FIRST_WRITE_SECONDS = 2.0
# For the CSI driver: beside the median of CreateLV, mkfs and mount by hand, and TopoLVM's driver.
CREATIONS = 100
CREATE_TIMES, CLAIM_TIMES = 3.0, 1.5
BY_HAND_TIMES = 1.2
# "Some minutes".
IDLE_SECONDS = 120
# For transfers of at least so many bytes: relative to restic alone, and to the first backup.
TRANSFER_TIMES = {transfer_report.BACKUP: 1.15, transfer_report.RESTORE: 1.2}
AGAIN_TIMES = 0.2
TRANSFER_BYTES = 1_000_000_000
_LIST = "GetLVList thick"
_NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Verdict:
    target: str
    wanted: str
    measured: str
    short: str
    """The shortfall; empty if the goal is met."""

    @property
    def met(self) -> bool:
        return not self.short

    @property
    def outcome(self) -> str:
        if self.measured == _NOT_MEASURED:
            return "open"
        return f"short by {self.short}" if self.short else "met"


def judge(peer: Stored | None, load: Stored | None, reconcile: Stored | None,
          csi: Stored | None, transfer: Stored | None) -> list[Verdict]:
    """Every goal, in the order of docs/performance.md. A goal without a measurement is not met."""
    return [*_of_calls(peer), *_of_memory(peer), *_of_load(load), *_of_reconcile(reconcile),
            *_of_csi(csi), *_of_transfer(transfer)]


def judgement_table(verdicts: list[Verdict]) -> str:
    rows = [["target", "wanted", "measured", ""]]
    rows += [[each.target, each.wanted, each.measured, each.outcome] for each in verdicts]
    met = sum(each.met for each in verdicts)
    return table(f"{met} of {len(verdicts)} targets met", rows)


def at_most(target: str, value: float, limit: float, unit: str) -> Verdict:
    short = "" if value <= limit else f"{(value / limit - 1) * 100:.1f} %"
    return Verdict(target, f"≤ {_number(limit)}{unit}", f"{_number(value)}{unit}", short)


def at_least(target: str, value: float, limit: float, unit: str) -> Verdict:
    short = "" if value >= limit else f"{(1 - value / limit) * 100:.1f} %"
    return Verdict(target, f"≥ {_number(limit)}{unit}", f"{_number(value)}{unit}", short)


def _missing(target: str) -> Verdict:
    return Verdict(target, "", _NOT_MEASURED, "all")


def _of_calls(peer: Stored | None) -> Iterator[Verdict]:
    for size, (about, lowest, highest) in enumerate(SIZES):
        entries = {entry["call"]: entry for entry in (peer["calls"] if peer else ())
                   if lowest <= entry["volumes"] <= highest}
        same = next((entry["p50_ms"] for entry in (peer["same_bytes"] if peer else ())
                     if lowest <= entry["volumes"] <= highest), None)
        has_long_list = SIZES[size] != FEW
        # A long list takes longer than an empty call.
        short_reads = [call for call in report.READS if not (call == _LIST and has_long_list)]
        for judged, calls in (
                (_beside_library, report.CHANGES),
                (_beside_peer, report.CALLS if SIZES[size] != HUGE else ()),
                (_beside_empty, short_reads)):
            for call in calls:
                yield judged(f"{call} at {about}", entries.get(call), size)
        if has_long_list:
            yield _beside_same_bytes(f"{_LIST} at {about}", entries.get(_LIST), same)


def _beside_library(call: str, entry: Stored | None, size: int) -> Verdict:
    target = f"{call}, beside the LVM library"
    if entry is None:
        return _missing(target)
    return at_most(target, entry["ours_p50_ms"] / entry["floor_p50_ms"],
                   FLOOR_TIMES[entry["call"]][size], " ×")


def _beside_peer(call: str, entry: Stored | None, size: int) -> Verdict:
    target = f"{call}, faster than TopoLVM"
    if entry is None:
        return _missing(target)
    return at_least(target, entry["ratio"], PEER_TIMES[entry["call"]][size], " ×")


def _beside_empty(call: str, entry: Stored | None, size: int) -> Verdict:
    del size
    target = f"{call}, beside an empty RPC"
    if entry is None:
        return _missing(target)
    return at_most(target, entry["ours_p50_ms"] / entry["floor_p50_ms"], EMPTY_TIMES, " ×")


def _beside_same_bytes(call: str, entry: Stored | None, same: float | None) -> Verdict:
    target = f"{call}, beside the same bytes from memory"
    if entry is None or same is None:
        return _missing(target)
    return at_most(target, entry["ours_p50_ms"] / same, SAME_BYTES_TIMES, " ×")


def _of_memory(peer: Stored | None) -> Iterator[Verdict]:
    target = "PSS at ~1,010, below TopoLVM's"
    found = [entry for entry in (peer["memory"] if peer else ())
             if MANY[1] <= entry["volumes"] <= MANY[2]]
    if not found:
        yield _missing(target)
        return
    ours, theirs = (megabytes(found[0][key]) for key in ("ours_pss_kb", "peer_pss_kb"))
    yield at_most(target, ours, theirs, " MB")


def _limited(bound: Callable[..., Verdict], key: str, limit: float, unit: str,
             convert: Callable[[float], float] = float) -> Callable[[str, Stored], Verdict]:
    return lambda target, figure: bound(target, convert(figure[key]), limit, unit)


def _of_load(load: Stored | None) -> Iterator[Verdict]:
    idle = "ten idle minutes, 100 volumes"
    for target, name, judged in (
            ("two groups written in parallel", load_report.PARALLEL,
             _limited(at_least, "ratio", PARALLEL_TIMES, " ×")),
            ("sustained changes, beside the LVM library", load_report.SUSTAINED,
             _limited(at_least, "ratio", SUSTAINED_TIMES, " ×")),
            ("1,000 creates: last hundred beside the first", load_report.CREATES,
             _limited(at_most, "ratio", LAST_HUNDRED_TIMES, " ×")),
            ("private dirty memory at ~1,010", load_report.CALLS,
             _limited(at_most, "largest_kb", PRIVATE_MB, " MB", megabytes)),
            ("memory over 10,000 calls, second half beside the first", load_report.CALLS,
             _limited(at_most, "growth", GROWTH_PERCENT, " %", lambda share: share * 100)),
            (f"{idle}: LVM commands", load_report.IDLE, _no_lvm_command),
            (f"{idle}: forks", load_report.IDLE, _no_fork),
            (f"{idle}: processor", load_report.IDLE,
             _limited(at_most, "processor_percent", IDLE_PERCENT, " %"))):
        figure = (load or {}).get(name)
        yield _missing(target) if figure is None else judged(target, figure)


def _of_reconcile(stored: Stored | None) -> Iterator[Verdict]:
    many_foreign = "start with 10,000 foreign CRs beside none"
    for target, name, enough, judged in (
            ("CR created to volumeID, beyond CreateLV: median", reconcile_report.LATENCY,
             lambda figure: True, _limited(at_most, "median_ms", MEDIAN_MS, " ms")),
            ("CR created to volumeID, beyond CreateLV: p99", reconcile_report.LATENCY,
             # With fewer values, the largest would be the p99.
             lambda figure: len(figure["ms"]) >= OWN,
             _limited(at_most, "p99_ms", P99_MS, " ms")),
            ("100 CRs at once, beside the sum of their CreateLV", reconcile_report.AT_ONCE,
             lambda figure: figure["count"] >= OWN,
             _limited(at_most, "ratio", AT_ONCE_TIMES, " ×")),
            ("10,000 CRs, 100 own: private dirty memory", reconcile_report.MEMORY, _is_large,
             _limited(at_most, "private_dirty_kb", RECONCILER_PRIVATE_MB, " MB", megabytes)),
            ("10,000 CRs, 100 own: RSS", reconcile_report.MEMORY, _is_large,
             _limited(at_most, "rss_kb", RECONCILER_RSS_MB, " MB", megabytes)),
            (f"{many_foreign}: bytes", reconcile_report.STARTS, _is_large,
             _limited(at_most, "bytes_ratio", FOREIGN_BYTES_TIMES, " ×")),
            (f"{many_foreign}: requests", reconcile_report.STARTS, _is_large,
             _limited(at_most, "requests_ratio", FOREIGN_REQUESTS_TIMES, " ×")),
            ("10,000 CRs, a minute idle: requests beside the watches", reconcile_report.IDLE,
             _is_large,
             lambda target, figure: _none(target, reconcile_report.request_count(figure))),
            ("restart with 1,000 own CRs: first write", reconcile_report.RESTART, _is_restart,
             _limited(at_most, "slowest_ms", FIRST_WRITE_SECONDS, " s", lambda ms: ms / 1000)),
            ("restart with 1,000 own CRs: redundant writes", reconcile_report.RESTART, _is_restart,
             lambda target, figure: _none(target, figure["redundant_writes"]))):
        figure = (stored or {}).get(name)
        if figure is None or not enough(figure):
            yield _missing(target)
        else:
            yield judged(target, figure)


def _of_csi(stored: Stored | None) -> Iterator[Verdict]:
    for target, name, enough, judged in (
            ("CreateVolume, beyond CreateLV: median", csi_report.CREATE, lambda figure: True,
             _limited(at_most, "more_median_ms", MEDIAN_MS, " ms")),
            ("CreateVolume, beyond CreateLV: p99", csi_report.CREATE,
             # With fewer values, the largest would be the p99.
             lambda figure: len(figure["ours_ms"]) >= CREATIONS,
             _limited(at_most, "more_p99_ms", P99_MS, " ms")),
            ("CreateVolume, faster than TopoLVM", csi_report.CREATE, lambda figure: True,
             _limited(at_least, "ratio", CREATE_TIMES, " ×")),
            ("stage and publish, beside mkfs and mount by hand", csi_report.MOUNT,
             lambda figure: True, _limited(at_most, "ratio", BY_HAND_TIMES, " ×")),
            ("claim to running pod, faster than TopoLVM", csi_report.CLAIM, lambda figure: True,
             _limited(at_least, "ratio", CLAIM_TIMES, " ×")),
            ("CSI on a node, below TopoLVM's: PSS", csi_report.MEMORY, lambda figure: True,
             lambda target, figure: at_most(target, megabytes(figure["ours_kb"]),
                                            megabytes(figure["peer_kb"]), " MB")),
            *((f"idle CSI driver: requests of {program} beside the watches", csi_report.IDLE,
               lambda figure: figure["seconds"] >= IDLE_SECONDS, _no_request_of(program))
              for program in csi_report.PROGRAMS)):
        figure = (stored or {}).get(name)
        if figure is None or not enough(figure):
            yield _missing(target)
        else:
            yield judged(target, figure)


def _no_request_of(program: str) -> Callable[[str, Stored], Verdict]:
    return lambda target, figure: _none(target, csi_report.idle_requests(figure, program))


def _of_transfer(stored: Stored | None) -> Iterator[Verdict]:
    for kind in transfer_report.KINDS:
        figure = (stored or {}).get(kind)
        if figure is not None and figure["bytes"] < TRANSFER_BYTES:
            figure = None
        for step in (transfer_report.BACKUP, transfer_report.RESTORE):
            target = f"{kind}: {step}, beside restic alone"
            yield (_missing(target) if figure is None else
                   at_most(target, figure[step]["ratio"], TRANSFER_TIMES[step], " ×"))
        target = f"{kind}: {transfer_report.AGAIN} of 1 % changed, beside the first"
        yield (_missing(target) if figure is None else
               at_most(target, figure["of_first"], AGAIN_TIMES, " ×"))


def _is_large(figure: Stored) -> bool:
    return bool(figure["own"] >= OWN and figure["foreign"] >= FOREIGN)


def _is_restart(figure: Stored) -> bool:
    return bool(figure["own"] >= RESTARTED)


def _no_lvm_command(target: str, idle: Stored) -> Verdict:
    some = idle["lvm_commands"]
    return Verdict(target, "none", "some" if some else "none", "some" if some else "")


def _no_fork(target: str, idle: Stored) -> Verdict:
    return _none(target, idle["forks"])


def _none(target: str, count: int) -> Verdict:
    return Verdict(target, "none", str(count), str(count) if count else "")


def _number(value: float) -> str:
    """Enough digits to distinguish a value from its limit."""
    return milliseconds(value) if abs(value) >= 0.2 else f"{value:.3f}"

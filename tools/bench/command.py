"""`./dev bench`: measurements. Each is a module in tools/bench with `run(progress, output, options)
-> int`."""

from __future__ import annotations

import argparse
import importlib
import textwrap
from dataclasses import replace
from pathlib import Path

from tools.dev import packages, process
from tools.dev.errors import DevError
from tools.dev.paths import BUILD
from tools.dev.progress import Progress

from .options import Options

_ALL, _REPORT = "all", "report"
# Name, module, description.
_BENCHES = {
    _ALL: ("everything", "peer, load, reconcile, csi and transfer, then report: 2.5 hours or more"),
    "floor": ("floor", "the lower limits of the machine: lvm2_run alone, an empty RPC"),
    "peer": ("peer", "lvmd and TopoLVM's lvmd in one VM, and the floor for comparison"),
    "load": ("load", "lvmd: two groups at once, sustained changes, a thousand creates, memory, idle"),
    "reconcile": ("reconcile", "the reconciler: time to a volume, 10,000 CRs, a restart, idle"),
    "csi": ("csi", "claims, pods and calls with lvmd's CSI driver and TopoLVM's, in one cluster"),
    "transfer": ("transfer", "backup and restore of 1 GB, beside restic alone"),
}
_REPORT_TEXT = "no measurement: judges and draws the stored numbers"
# TopoLVM's lvmd is measured in two halves.
_FEWEST_CALLS = 2
_CALLS, _CREATIONS, _TURNS = 30, 100, 2
_FEWEST_AGAINST = 40
_FEWEST_VOLUMES, _MOST_VOLUMES = 12, 10_000
# The largest number of CRs whose volumes fit on the VM's disk.
_MOST_OWN = 1100
_FEWEST_OWN = 10
_MOST_FOREIGN = 50_000
# The size that leaves space for a snapshot, a restored copy and two repositories of it.
_FEWEST_MEGABYTES, _MOST_MEGABYTES = 10, 1500


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    texts = {name: text for name, (_, text) in _BENCHES.items()} | {_REPORT: _REPORT_TEXT}
    parser = commands.add_parser(
        "bench",
        help="measure: " + ", ".join(texts),
        description=textwrap.fill(
            "Measures in the test VM; prints tables, stores them as build/bench/NAME.json, "
            "lists the goals that are met, and draws plots."),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"  {name:9} {text}" for name, text in texts.items()),
    )
    parser.add_argument("name", choices=list(texts), nargs="?", default=_ALL,
                        help=f"the measurement (default: {_ALL})")
    parser.add_argument("--calls", type=_calls, metavar="N",
                        help=f"the number of calls of each kind (default: {_CALLS}); for reconcile, "
                        f"of CRs created one after another, and for csi, of CreateVolume calls "
                        f"(default: {_CREATIONS}); for transfer, of transfers of each kind "
                        f"(default: {_TURNS})")
    parser.add_argument("--against", metavar="COMMIT",
                        help="for peer: compare with an older commit of this repository instead of "
                        "TopoLVM's lvmd; exit code 1 if a call is slower by more than 5 %% beyond the "
                        f"noise. At least {_FEWEST_AGAINST} calls, the first number of --volumes")
    parser.add_argument("--volumes", type=_volumes, nargs="+", default=[12, 1010, 10_000],
                        metavar="N",
                        help="the number of volumes in the group; several numbers are measured one "
                        "after another (default: 12 1010 10000). At 10,000, three calls are made")
    parser.add_argument("--activate", action="store_true",
                        help="also activate the volumes that are added to the first 12")
    parser.add_argument("--own", type=_own, default=1000, metavar="N",
                        help="for reconcile: the number of CRs of the node at the restart (default: "
                        "1000); before it, at most a hundred of them")
    parser.add_argument("--foreign", type=_foreign, default=10_000, metavar="N",
                        help="for reconcile: the largest number of CRs of other nodes (default: "
                        "10000)")
    parser.add_argument("--megabytes", type=_megabytes, default=1000, metavar="N",
                        help="for transfer: the MB that are backed up and restored (default: 1000)")
    parser.add_argument("--write", action="store_true",
                        help=f"with {_REPORT}: also fill the tables of docs/performance.md")
    parser.add_argument("--from", type=Path, dest="folder", metavar="FOLDER",
                        help=f"with {_REPORT}: the numbers (default: build/bench)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    output = BUILD / "bench"
    if arguments.name == _REPORT:
        return _report(progress, arguments.folder or output, arguments.write)
    if arguments.write or arguments.folder:
        raise DevError(f"bench: --write and --from are options of {_REPORT}")
    if arguments.against and arguments.name != "peer":
        raise DevError("bench: --against is an option of peer")
    process.end_normally_on_sigterm()
    plots = ("bench",) if arguments.name == _ALL else ()
    packages.ensure("base", "build", "vm", "e2e", *plots)
    bench = importlib.import_module(f"tools.bench.{_BENCHES[arguments.name][0]}")
    output.mkdir(parents=True, exist_ok=True)
    options = Options(
        calls=arguments.calls or _CALLS, volumes=tuple(arguments.volumes),
        activate=arguments.activate, creations=arguments.calls or _CREATIONS, own=arguments.own,
        foreign=arguments.foreign, turns=arguments.calls or _TURNS, megabytes=arguments.megabytes)
    if arguments.against:
        against = importlib.import_module("tools.bench.against")
        options = replace(options, calls=max(options.calls, _FEWEST_AGAINST))
        return int(against.run(progress, output, options, arguments.against))
    done = int(bench.run(progress, output, options))
    if done != 0 or arguments.name != _ALL:
        return done
    return _report(progress, output, write=False)


def _report(progress: Progress, folder: Path, write: bool) -> int:
    packages.ensure("base", "bench")
    results = importlib.import_module("tools.bench.results")
    return int(results.show(progress, folder, write))


def _calls(text: str) -> int:
    if not text.isdecimal() or int(text) < _FEWEST_CALLS:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no number of calls: at least {_FEWEST_CALLS}")
    return int(text)


def _volumes(text: str) -> int:
    return _between(text, "volumes", _FEWEST_VOLUMES, _MOST_VOLUMES)


def _own(text: str) -> int:
    return _between(text, "CRs of one node", _FEWEST_OWN, _MOST_OWN)


def _foreign(text: str) -> int:
    return _between(text, "CRs of other nodes", 0, _MOST_FOREIGN)


def _megabytes(text: str) -> int:
    return _between(text, "MB", _FEWEST_MEGABYTES, _MOST_MEGABYTES)


def _between(text: str, what: str, fewest: int, most: int) -> int:
    if not text.isdecimal() or not fewest <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of {what}: {fewest} to {most}")
    return int(text)

"""`./dev bench`: measurements, each a module in tools/bench with
`run(progress, output, options) -> int`."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import replace
from pathlib import Path

from tools.dev import packages
from tools.dev.errors import DevError
from tools.dev.paths import BUILD
from tools.dev.progress import Progress

from .options import Options

_ALL, _REPORT = "all", "report"
# Name, module, what it is.
_BENCHES = {
    _ALL: ("everything", "peer, load, reconcile and transfer, then report: two hours without KVM"),
    "floor": ("floor", "what the machine can do at best: bare lvm2_run, an empty RPC"),
    "peer": ("peer", "our lvmd and TopoLVM's in one VM, and the floor to compare with"),
    "load": ("load", "ours alone: two groups at once, a thousand creates, memory, ten idle minutes"),
    "reconcile": ("reconcile", "the reconciler: time to a volume, 10,000 CRs, a restart, idle"),
    "transfer": ("transfer", "backup and restore of 1 GB, beside restic alone"),
}
_REPORT_TEXT = "no measurement: judges and draws what the last ones left"
# TopoLVM's lvmd is measured in two halves.
_FEWEST_CALLS = 2
_CALLS, _CREATIONS, _TURNS = 10, 100, 3
_FEWEST_AGAINST = 40
# What the VM's group begins with, and what fits on its disk beside what is measured.
_FEWEST_VOLUMES = 12
_MOST_VOLUMES = 1100
_FEWEST_OWN = 10
_MOST_FOREIGN = 50_000
# What a snapshot, a restored copy and two repositories of it have room for.
_FEWEST_MEGABYTES, _MOST_MEGABYTES = 10, 1500


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    texts = {name: text for name, (_, text) in _BENCHES.items()} | {_REPORT: _REPORT_TEXT}
    parser = commands.add_parser(
        "bench",
        help="measure: " + ", ".join(texts),
        description="Measures in the test VM; prints tables, stores them as build/bench/NAME.json, "
        "says which targets are met and draws plots beside them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"  {name:9} {text}" for name, text in texts.items()),
    )
    parser.add_argument("name", choices=list(texts), nargs="?", default=_ALL,
                        help=f"which one (default: {_ALL})")
    parser.add_argument("--calls", type=_calls, metavar="N",
                        help=f"how often each call is made (default: {_CALLS}); of reconcile, how "
                        f"many CRs are made one after the other (default: {_CREATIONS}); of transfer, "
                        f"how often each is made (default: {_TURNS})")
    parser.add_argument("--against", metavar="COMMIT",
                        help="of peer: instead of TopoLVM's lvmd, that of an older commit of this "
                        "repository; exit code 1 when a call is slower by more than 5 %% beyond the "
                        f"noise. At least {_FEWEST_AGAINST} calls, the first number of --volumes")
    parser.add_argument("--volumes", type=_volumes, nargs="+", default=[12, 1010], metavar="N",
                        help="how many volumes the group has; several numbers are measured one "
                        "after the other (default: 12 1010)")
    parser.add_argument("--activate", action="store_true",
                        help="activate the volumes that are added to the first 12, too")
    parser.add_argument("--own", type=_own, default=1000, metavar="N",
                        help="of reconcile: how many CRs the node has at the restart (default: "
                        "1000); at most a hundred of them before")
    parser.add_argument("--foreign", type=_foreign, default=10_000, metavar="N",
                        help="of reconcile: how many CRs other nodes have at the most (default: "
                        "10000)")
    parser.add_argument("--megabytes", type=_megabytes, default=1000, metavar="N",
                        help="of transfer: how much is backed up and restored (default: 1000)")
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
        raise DevError(f"bench: --write and --from go with {_REPORT}")
    if arguments.against and arguments.name != "peer":
        raise DevError("bench: --against goes with peer")
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
    return _between(text, "CRs of one node", _FEWEST_OWN, _MOST_VOLUMES)


def _foreign(text: str) -> int:
    return _between(text, "CRs of other nodes", 0, _MOST_FOREIGN)


def _megabytes(text: str) -> int:
    return _between(text, "MB", _FEWEST_MEGABYTES, _MOST_MEGABYTES)


def _between(text: str, what: str, fewest: int, most: int) -> int:
    if not text.isdecimal() or not fewest <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of {what}: {fewest} to {most}")
    return int(text)

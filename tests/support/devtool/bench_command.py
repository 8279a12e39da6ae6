"""`./dev bench`: measurements, each a module in tests/bench with `run(progress, output) -> int`."""

from __future__ import annotations

import argparse
import importlib

from . import packages
from .paths import BUILD
from .progress import Progress

_BENCHES = {
    "floor": "what the machine can do at best: bare lvm2_run, an empty RPC",
    "peer": "our lvmd and TopoLVM's in one VM",
}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure: " + ", ".join(_BENCHES),
        description="Measures in the test VM, prints a table and stores it as build/bench/NAME.json.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"  {name:6} {text}" for name, text in _BENCHES.items()),
    )
    parser.add_argument("name", choices=list(_BENCHES), nargs="?", default="peer",
                        help="which one (default: peer)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    packages.ensure("base", "build", "vm", "e2e")
    bench = importlib.import_module(f"tests.bench.{arguments.name}")
    output = BUILD / "bench"
    output.mkdir(parents=True, exist_ok=True)
    return int(bench.run(progress, output))

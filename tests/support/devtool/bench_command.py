"""`./dev bench`: measurements, each a module in tests/bench with
`run(progress, output, calls) -> int`."""

from __future__ import annotations

import argparse
import importlib

from . import packages
from .paths import BUILD
from .progress import Progress

_BENCHES = {
    "floor": "what the machine can do at best: bare lvm2_run, an empty RPC",
    "peer": "our lvmd and TopoLVM's in one VM; the floor too, to compare with",
}
# TopoLVM's lvmd is measured in two halves.
_FEWEST_CALLS = 2


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure: " + ", ".join(_BENCHES),
        description="Measures in the test VM, prints a table and stores it as "
        "build/bench/NAME.json.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"  {name:6} {text}" for name, text in _BENCHES.items()),
    )
    parser.add_argument("name", choices=list(_BENCHES), nargs="?", default="peer",
                        help="which one (default: peer, which has all)")
    parser.add_argument("--calls", type=_calls, default=10, metavar="N",
                        help="how often each call is made (default: 10)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    packages.ensure("base", "build", "vm", "e2e")
    bench = importlib.import_module(f"tests.bench.{arguments.name}")
    output = BUILD / "bench"
    output.mkdir(parents=True, exist_ok=True)
    return int(bench.run(progress, output, arguments.calls))


def _calls(text: str) -> int:
    if not text.isdecimal() or int(text) < _FEWEST_CALLS:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no number of calls: at least {_FEWEST_CALLS}")
    return int(text)

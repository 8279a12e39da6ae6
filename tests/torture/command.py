"""`./dev torture`: random requests beside faults, in the test VM."""

from __future__ import annotations

import argparse
import random
import textwrap
from pathlib import Path

from tools.dev import packages
from tools.dev.errors import DevError
from tools.dev.paths import BUILD
from tools.dev.progress import Progress
from tools.dev.vm_session import installed_vm
from tools.vm import AgentError, CommandFailed, QemuError

from . import run as torture

_MINUTES = 10.0


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    kinds = "\n".join(f"  {name:17} {fault.how}" + (f" (off: {fault.off})" if fault.off else "")
                      for name, fault in torture.ALL.items())
    parser = commands.add_parser(
        "torture",
        help="random requests beside faults, in the test VM; nothing may be lost",
        description=textwrap.fill(
            "Runs rounds: a client creates, writes, snapshots, grows and removes volumes, "
            "beside one kind of fault; then the actual state must agree with the responses. Prints the "
            "effects of each kind of fault. The exit code is 0 only if nothing was lost, leaked, wrong "
            "or stuck."),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"faults:\n{kinds}",
    )
    parser.add_argument("--minutes", type=float, default=_MINUTES, metavar="N",
                        help=f"begin no round after N minutes (default: {_MINUTES:.0f})")
    parser.add_argument("--rounds", type=int, metavar="N", help="run at most N rounds")
    parser.add_argument("--seed", metavar="S", help="repeat the requests and faults of another run")
    parser.add_argument("--faults", default="", metavar="LIST",
                        help="kinds of faults, by name or prefix, separated by commas (default: all "
                        "that are not off)")
    parser.add_argument("--json", type=Path, metavar="FILE",
                        help="the file for the result (default: build/torture/result.json)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    try:
        faults = torture.chosen(arguments.faults)
    except torture.UnknownFault as error:
        raise DevError(f"torture: {error}") from None
    packages.ensure("base", "build", "vm", "e2e")
    seed = arguments.seed or str(random.randrange(1 << 32))
    path = arguments.json or BUILD / "torture" / "result.json"
    options = torture.Options(seed, arguments.minutes, faults, path, arguments.rounds)
    progress(f"torture with --seed {seed}")
    try:
        with installed_vm(progress) as machine:
            tally = torture.run(machine, options, progress)
    except (AgentError, CommandFailed, QemuError) as error:
        raise DevError(f"torture with --seed {seed}: {error}") from error
    print(tally.table(), flush=True)
    return 1 if tally.bad else 0

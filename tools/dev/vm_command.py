"""`./dev vm` and `./dev vm run`: interactive use of the test VM."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from .errors import DevError
from .progress import Progress
from .vm_session import installed_vm


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "vm",
        help="open a shell in the test VM, with this build installed",
        description="Restores the test VM from its snapshot, installs this build in it and opens a "
        "root shell. All changes in the VM are lost when it ends.",
    )
    parser.set_defaults(run=shell)
    actions = parser.add_subparsers(metavar="run")
    action = actions.add_parser(
        "run",
        help="run one command in the VM",
        usage="./dev vm run [-h] [--share DIR] -- COMMAND…",
        description="Runs COMMAND as root in the restored VM and ends with its exit code. A single "
        "argument is run by bash, several are run without a shell. Its output goes to stdout.",
    )
    action.add_argument("--share", type=Path, metavar="DIR",
                        help="a folder of the host, readable in the VM at /mnt")
    action.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND…")
    action.set_defaults(run=run)


def shell(arguments: argparse.Namespace, progress: Progress) -> int:
    with installed_vm(progress) as machine:
        progress("a root shell in the VM; leave it with exit")
        return machine.interactive_shell()


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        raise DevError("vm run needs a command, for example: ./dev vm run -- lvs")
    share = arguments.share
    if share is not None and not share.is_dir():
        raise DevError(f"vm run: --share {share} is not a folder")
    with installed_vm(progress, share.resolve() if share else None) as machine:
        progress(f"in the VM: {shlex.join(command)}")
        done = machine.run(command[0] if len(command) == 1 else command, timeout=None,
                           on_output=write_through)
        return done.exit_code


def write_through(data: bytes) -> None:
    """Copies output of the VM to stdout as it arrives."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

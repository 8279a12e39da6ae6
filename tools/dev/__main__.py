"""Entry point: `python3 -m tools.dev`, called by `./dev`."""

from __future__ import annotations

import argparse
import sys

from tests.torture import command as torture_command
from tools.bench import command as bench_command

from . import (
    demo_command, evidence_command, fresh_command, image_command, lint_command, tests_command,
    vm_command,
)
from .build import build
from .errors import DevError
from .paths import ROOT
from .progress import Progress

_DESCRIPTION = """\
The command for developers of lvmd. Each subcommand installs and builds what it needs, and reuses
the result at the next call. `./dev SUBCOMMAND --help` describes a subcommand.
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev", description=_DESCRIPTION)
    commands = parser.add_subparsers(metavar="SUBCOMMAND", required=True)
    commands.add_parser("setup", help="install the missing Debian packages with apt")
    compile_ = commands.add_parser(
        "build", help="compile everything, tests included",
        description="Configures and compiles with g++ into build/gcc. Warnings are errors.")
    compile_.set_defaults(run=_build)
    for module in (
        demo_command, tests_command, torture_command, bench_command, image_command, vm_command,
        lint_command, evidence_command, fresh_command,
    ):
        module.add_parser(commands)
    return parser


def _build(arguments: argparse.Namespace, progress: Progress) -> int:
    progress(f"built in {build(progress).relative_to(ROOT)}")
    return 0


def main() -> int:
    arguments = _parser().parse_args()
    progress = Progress()
    try:
        return int(arguments.run(arguments, progress))
    except DevError as error:
        sys.stdout.flush()
        print(f"dev: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("dev: interrupted", file=sys.stderr)
        return 130


sys.exit(main())

"""`./dev build`."""

from __future__ import annotations

import argparse

from . import build
from .paths import ROOT
from .progress import Progress


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "build",
        help="compile everything, tests included",
        description="Configures and compiles with g++, warnings being errors, into build/gcc.",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    directory = build.build(progress)
    progress(f"built in {directory.relative_to(ROOT)}")
    return 0

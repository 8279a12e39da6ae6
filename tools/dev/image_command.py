"""`./dev image` builds the container images of lvmd-reconciler and csi-controller and the lists of
their packages."""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.image import PROGRAMS, ImageError, build_image

from . import build
from .errors import DevError
from .paths import BUILD
from .progress import Progress


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "image",
        help="make the container images of lvmd-reconciler and csi-controller",
        description="Builds lvmd-reconciler and csi-controller and packs each with its libraries "
        "as an OCI archive, with its SPDX list of contents beside it. Needs no registry, no daemon "
        "and no root.",
    )
    parser.add_argument("--output", type=Path, metavar="DIR", default=BUILD / "image",
                        help="the folder for the images; default: build/image")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    tree = build.install_tree(progress)
    for program in PROGRAMS:
        try:
            with progress.step(f"packing the image of {program}"):
                image = build_image(tree, program, arguments.output)
        except ImageError as error:
            raise DevError(f"the image of {program} could not be made: {error}") from error
        for label, value in (
            ("image", image.archive), ("contents", image.sbom), ("name", image.name),
            ("digest", image.digest),
            ("size", f"{image.size / 1e6:.1f} MB, compressed "
                     f"{image.archive.stat().st_size / 1e6:.1f} MB"),
        ):
            print(f"{label:<9} {value}", flush=True)
    return 0

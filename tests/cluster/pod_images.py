"""The images of the driver's pods, under the names that the manifests have."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.kube import ControlPlane
from tools.dev import paths
from tools.go.build import build
from tools.image import PROGRAMS, build_image, debian, oci
from tools.image.tree import File, Tree

from . import stage


def names_in(plane: ControlPlane, folder: Path) -> set[str]:
    """The images of a kustomization."""
    shown = plane.kubectl("kustomize", folder)
    return set(re.findall(r"(?m)^ *(?:- )?image: (\S+)$", shown))


def pack(names: set[str], output: Path) -> None:
    """Makes an archive of each image in the folder `output`: those of `./dev image` from this build,
    and those of the sidecars from their programs. The last part of an image's name is the name of
    its program."""
    for name in sorted(names):
        program = name.rpartition("/")[2].partition(":")[0]
        stage.say(f"packing the image {name}")
        if program in PROGRAMS:
            made = build_image(paths.INSTALL_TREE, program, output)
            assert made.name == name, f"the manifests have {name} instead of {made.name}"
        else:
            (output / f"{program}.oci.tar").write_bytes(_of_sidecar(program, name))


def _of_sidecar(program: str, name: str) -> bytes:
    """As the project's own image, it has one static program and no user."""
    tree = Tree()
    tree.add(f"/{program}", File(build(program, paths.CACHE / "go", stage.say).read_bytes(), 0o755))
    archive, _ = oci.archive(tree.tar(time=0), oci.Description(
        name, debian.described("libc6").architecture, time=0,
        config={"Entrypoint": [f"/{program}"]}))
    return archive

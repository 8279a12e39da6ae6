"""A restored test VM with this build installed. Its errors are DevErrors."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import vm
from tools.go import build as go_tools
from tools.vm import cluster

from . import build, packages
from .errors import DevError
from .paths import CACHE
from .progress import Progress

# Other programs of the VM, with their folders. restic is in the folder where lvmd expects it.
_PROGRAMS = {"grpcurl": "usr/local/bin", "restic": "usr/bin"}
_ERRORS = (vm.AgentError, vm.BuildError, vm.QemuError, vm.CommandFailed)


@contextmanager
def installed_vm(progress: Progress, share: Path | None = None) -> Iterator[vm.Machine]:
    """A machine restored from the snapshot. Makes the build and the snapshot if necessary.

    grpcurl and restic are on its PATH, and `share` is readable at /mnt.
    """
    tree = install_tree(progress)
    saved = snapshot(progress)
    try:
        with vm.Machine(saved, build_tree=tree, share=share, progress=progress) as machine:
            yield machine
    except _ERRORS as error:
        raise DevError(f"the test VM: {error}") from error


def snapshot(progress: Progress, node: bool = False) -> vm.Snapshot:
    """The saved VM, or with `node` the saved node of a cluster. Makes it if there is no current
    one."""
    packages.ensure("vm")
    variant = cluster.variant(go_program("kubelet", progress)) if node else None
    try:
        with progress.step("looking for the node of a cluster" if node else
                           "looking for the test VM"):
            return vm.ensure_snapshot(CACHE / "vm", progress, variant)
    except _ERRORS as error:
        raise DevError(f"the test VM could not be made: {error}") from error


def go_program(name: str, progress: Progress) -> Path:
    """The path of a pinned Go program. Builds the program if necessary."""
    packages.ensure("e2e")
    try:
        return go_tools.build(name, CACHE / "go", progress)
    except go_tools.GoToolsError as error:
        raise DevError(str(error)) from error


def prepare_programs(progress: Progress) -> None:
    """Builds the other programs of `install_tree`."""
    for name in _PROGRAMS:
        go_program(name, progress)


def install_tree(progress: Progress) -> Path:
    """The tree that `meson install` makes, with the programs that a host gets from other
    sources."""
    tree = build.install_tree(progress)
    for name, place in _PROGRAMS.items():
        folder = tree / place
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(go_program(name, progress), folder)
    return tree

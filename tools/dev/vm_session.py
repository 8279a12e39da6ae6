"""A restored test VM with this build installed, with its errors told as `./dev` tells errors."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import vm
from tools.go import build as go_tools

from . import build, packages
from .errors import DevError
from .paths import CACHE
from .progress import Progress

# In the VM, beside this build: a program and the folder it is in. restic is where lvmd looks for it.
_PROGRAMS = {"grpcurl": "usr/local/bin", "restic": "usr/bin"}
_ERRORS = (vm.AgentError, vm.BuildError, vm.QemuError, vm.CommandFailed)


@contextmanager
def installed_vm(progress: Progress, share: Path | None = None) -> Iterator[vm.Machine]:
    """A machine restored from the snapshot; both the build and the snapshot are made when needed.

    grpcurl and restic are on its PATH, and `share` readable at /mnt.
    """
    tree = install_tree(progress)
    saved = snapshot(progress)
    try:
        with vm.Machine(saved, build_tree=tree, share=share, progress=progress) as machine:
            yield machine
    except _ERRORS as error:
        raise DevError(f"the test VM: {error}") from error


def snapshot(progress: Progress) -> vm.Snapshot:
    """The saved VM, made when there is none of now."""
    packages.ensure("vm")
    try:
        with progress.step("looking for the test VM"):
            return vm.ensure_snapshot(CACHE / "vm", progress)
    except _ERRORS as error:
        raise DevError(f"the test VM could not be made: {error}") from error


def go_program(name: str, progress: Progress) -> Path:
    """The path of a pinned Go program, built when there is none yet."""
    packages.ensure("e2e")
    try:
        return go_tools.build(name, CACHE / "go", progress)
    except go_tools.GoToolsError as error:
        raise DevError(str(error)) from error


def prepare_programs(progress: Progress) -> None:
    """Builds what `install_tree` puts beside the project."""
    for name in _PROGRAMS:
        go_program(name, progress)


def install_tree(progress: Progress) -> Path:
    """The tree that `meson install` makes, with what a host has from elsewhere in it."""
    tree = build.install_tree(progress)
    for name, place in _PROGRAMS.items():
        folder = tree / place
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(go_program(name, progress), folder)
    return tree

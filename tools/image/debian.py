"""Debian's information about this host's files: the package of a file, and its version."""

from __future__ import annotations

import functools
import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import ImageError


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    architecture: str
    source: str
    """The name of the source package."""


def owners(paths: Sequence[Path]) -> dict[Path, str]:
    """The packages of files. Raises ImageError if a file belongs to no package."""
    # Packages use /lib or /usr/lib, which are the same folder.
    names = {path: (str(path.resolve()), str(path.resolve()).removeprefix("/usr")) for path in paths}
    # Not all of these files exist, which is an error for dpkg-query.
    listed = _done(["dpkg-query", "--search", *(name for both in names.values() for name in both)])
    found = {}
    for line in listed.stdout.splitlines():
        package, _, path = line.partition(": ")
        found[path] = package.split(",")[0].split(":")[0]
    owned = {}
    for path, both in names.items():
        package = found.get(both[0]) or found.get(both[1])
        if package is None:
            raise ImageError(f"no Debian package has {path}, and all in the image has to be from one")
        owned[path] = package
    return owned


def described(name: str) -> Package:
    """An installed package by its name. Raises ImageError if it is not installed."""
    fields = "${Version}\t${Architecture}\t${source:Package}\n"
    found = run(["dpkg-query", "--show", f"--showformat={fields}", name])
    if not found:
        raise ImageError(f"the Debian package {name} is not installed: run ./dev setup")
    return Package(name, *found.splitlines()[0].split("\t"))


def files(name: str) -> list[Path]:
    """The files of an installed package."""
    listed = run(["dpkg-query", "--listfiles", name])
    if listed is None:
        raise ImageError(f"the Debian package {name} is not installed: run ./dev setup")
    return [Path(line) for line in listed.splitlines() if Path(line).is_file()]


@functools.cache
def codename() -> str:
    """The code name of the release, such as `bookworm`."""
    return platform.freedesktop_os_release().get("VERSION_CODENAME", "")


def run(command: Sequence[str | Path]) -> str | None:
    """The command's output; None if it fails."""
    done = _done(command)
    return done.stdout if done.returncode == 0 else None


def _done(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"})

"""A minimal Debian root directory, made by mmdebstrap and kept as a tar archive in the cache."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from . import host_network, process
from .errors import DevError
from .progress import Progress

SUITE = "bookworm"
_INCLUDE = "ca-certificates,git"


def archive(cache: Path, progress: Progress) -> Path:
    """The root's tar archive, made when there is none for this mmdebstrap and list of packages.

    Holds apt, git and the CA certificates besides Debian's essential packages. The work is done
    under another name, so a broken one is never taken for complete.
    """
    version = subprocess.run(
        ["mmdebstrap", "--version"], check=True, capture_output=True, text=True
    ).stdout
    sources = host_network.debian_sources(SUITE)
    key = hashlib.sha256(f"{version}{SUITE}{_INCLUDE}{sources}".encode()).hexdigest()[:12]
    path = cache / "fresh" / f"{SUITE}-{key}.tar"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"unfinished-{os.getpid()}.tar")
    source_list = path.with_name(f"unfinished-{os.getpid()}.list")
    options = path.with_name(f"unfinished-{os.getpid()}.conf")
    try:
        options.write_text(host_network.apt_options(), encoding="utf-8")
        command = [
            "mmdebstrap", "--variant=apt", f"--include={_INCLUDE}", f"--aptopt={options}",
            SUITE, str(unfinished),
        ]
        if sources:
            source_list.write_text(sources, encoding="utf-8")
            command.append(str(source_list))
        process.logged(
            "making a minimal Debian root", command, progress, log_name="fresh-root",
        )
        unfinished.rename(path)
    finally:
        for leftover in (unfinished, source_list, options):
            leftover.unlink(missing_ok=True)
    return path


def unpack(tar: Path, target: Path) -> None:
    target.mkdir(parents=True)
    subprocess.run(["tar", "-xpf", tar, "-C", target, "--numeric-owner"], check=True)


def remove(target: Path) -> None:
    """Deletes the root at `target`; refuses while something is mounted in it."""
    mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    if any(line.split()[4].startswith(f"{target}/") for line in mounts.splitlines()):
        raise DevError(f"something is still mounted below {target}: unmount it, then delete it")
    subprocess.run(["rm", "-rf", "--one-file-system", target], check=True)

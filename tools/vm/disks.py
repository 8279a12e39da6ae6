"""Makes disk images: empty qcow2 disks, overlays, and raw ext4 disks with the files of a
directory."""

import subprocess
from pathlib import Path

from .entry import BuildError

MKE2FS = ("/sbin/mke2fs", "-q", "-t", "ext4", "-F")


def _checked(command: list[str], purpose: str) -> None:
    try:
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError:
        raise BuildError(
            f"cannot {purpose}: {command[0]} is not installed (packages e2fsprogs, qemu-utils)"
        ) from None
    except subprocess.CalledProcessError as error:
        raise BuildError(f"cannot {purpose}: {error.stderr.strip()}") from None


def make_empty(path: Path, size: int) -> None:
    """A qcow2 disk of `size` bytes that reads as zeros."""
    _checked(
        ["qemu-img", "create", "-q", "-f", "qcow2", str(path), str(size)],
        f"make the disk {path.name}",
    )


def make_overlay(path: Path, base: Path) -> None:
    """A qcow2 overlay of `base`, which stays unchanged. The overlay has a relative path of
    `base`."""
    relative = base.resolve().relative_to(path.resolve().parent.parent)
    _checked(
        [
            "qemu-img", "create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", f"../{relative}",
            str(path),
        ],
        f"make a disk upon {base.name}",
    )


def make_filled(path: Path, size: int, tree: Path | None) -> None:
    """A raw disk of `size` bytes with an ext4 that contains the files of the directory `tree`."""
    with path.open("wb") as file:
        file.truncate(size)
    # Without a journal, because the disk is read-only; -m 0 leaves no space unused.
    filling = ["-d", str(tree)] if tree else []
    _checked(
        [*MKE2FS, "-m", "0", "-O", "^has_journal", *filling, str(path)],
        f"put {tree} on a disk of {size >> 20} MiB",
    )

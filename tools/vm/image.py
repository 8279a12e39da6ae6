"""Builds the VM's Debian root with mmdebstrap, as a qcow2 disk, and its kernel and initrd.

Downloads packages from the host's apt sources; on a host without Debian sources, from mmdebstrap's
default. As root it uses mmdebstrap's root mode, which also works in a chroot; otherwise a user
namespace (`uidmap`).
"""

import os
import secrets
import shlex
import subprocess
from pathlib import Path

from . import host_apt
from .entry import BuildError, digest, entry
from .progress import Report
from .variant import Variant

SUITE = "bookworm"
HERE = Path(__file__).parent
PACKAGES = HERE / "packages.txt"
UPLOADS = {
    HERE / "guest/agent.py": "/usr/local/sbin/vm-agent",
    HERE / "guest/vm-agent.service": "/etc/systemd/system/vm-agent.service",
    HERE / "guest/10-vm.network": "/etc/systemd/network/10-vm.network",
    HERE / "guest/customize.sh": "/customize.sh",  # runs after the uploads; removes itself
}
# An initrd for this machine alone is made and unpacked much faster than a general one.
INITRD = """
mkdir -p "$1/etc/initramfs-tools/conf.d" "$1/usr/share/initramfs-tools/modules.d"
echo MODULES=list >"$1/etc/initramfs-tools/conf.d/vm"
printf 'virtio_pci\\nvirtio_blk\\next4\\n' >"$1/usr/share/initramfs-tools/modules.d/vm"
"""
RECIPE = (
    "--variant=minbase", "--format=null", "--dpkgopt=force-unsafe-io",
    "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*",
    "--dpkgopt=path-exclude=/usr/share/locale/*", "--essential-hook=" + INITRD,
    '--customize-hook=sh "$1/customize.sh" "$1"',
)
PRODUCTS = ("kernel", "initrd", "root.qcow2")


def image_key(variant: Variant) -> str:
    """Depends on all inputs of the image, except the source of the downloads."""
    uploads = [part for source, target in UPLOADS.items() for part in (source, target)]
    return digest(SUITE, " ".join(RECIPE), " ".join(packages(variant)), *uploads)


def ensure_image(cache: Path, report: Report, variant: Variant) -> Path:
    """A directory with `kernel`, `initrd`, `root.qcow2` and the file of `image_id`."""
    return entry(cache, variant.kind("image"), image_key(variant),
                 lambda directory: _build(directory, report, packages(variant)))


def image_id(image: Path) -> str:
    """Identifies this image. Another image with the same inputs has another layout of its disk."""
    return (image / "id").read_text()


def packages(variant: Variant) -> list[str]:
    lines = (line.split("#")[0].strip() for line in PACKAGES.read_text().splitlines())
    return [*(line for line in lines if line), *variant.packages]


def _command(directory: Path, settings: Path, included: list[str], from_stdin: bool) -> list[str]:
    uploads = [
        f"--customize-hook=upload {shlex.quote(str(source))} {target}"
        for source, target in UPLOADS.items()
    ]
    downloads = [
        f"--customize-hook=download /vm-out/{name} {shlex.quote(str(directory / name))}"
        for name in PRODUCTS
    ]
    mode = "root" if os.geteuid() == 0 else "unshare"
    return [
        *("mmdebstrap", f"--mode={mode}", f"--aptopt={settings}", *uploads, *RECIPE, *downloads),
        *("--include=" + ",".join(included), SUITE, "-", *(["-"] if from_stdin else [])),
    ]


def _enclosed(command: list[str]) -> list[str]:
    """The command in separate namespaces, if the host allows it: when it ends, all its processes
    and mounts end too."""
    if os.geteuid() == 0:
        # Mounts can't be made private in a chroot that is not a mount point.
        for propagation in ("private", "unchanged"):
            enclosure = ["unshare", "--mount", "--propagation", propagation]
            enclosure += ["--pid", "--fork", "--kill-child", "--mount-proc"]
            if subprocess.run([*enclosure, "true"], capture_output=True).returncode == 0:
                command = [*enclosure, *command]
                break
    return ["setpriv", "--pdeathsig", "KILL", *command]


def _build(directory: Path, report: Report, included: list[str]) -> None:
    report("building the Debian root (packages are downloaded; about two minutes)")
    settings = directory / "apt.conf"
    settings.write_text(host_apt.settings())
    sources = host_apt.sources(SUITE)
    # In a user namespace another user id makes the root. It may have no access to this directory.
    environment = os.environ | ({"TMPDIR": str(directory)} if os.geteuid() == 0 else {})
    process = subprocess.Popen(
        _enclosed(_command(directory, settings, included, bool(sources))), stdin=subprocess.PIPE,
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        errors="replace",
    )
    try:
        lines = _follow(process, sources, report)
    finally:
        process.kill()
        process.wait()
    if process.returncode != 0:
        raise BuildError(
            f"mmdebstrap failed with exit code {process.returncode}; its last lines:\n  "
            + "\n  ".join(lines[-25:])
        )
    settings.unlink()
    (directory / "id").write_text(secrets.token_hex(16))
    for name in PRODUCTS:
        if not (directory / name).is_file():
            raise BuildError(f"mmdebstrap ended well but left no {name} in {directory}")


def _follow(process: subprocess.Popen[str], sources: str, report: Report) -> list[str]:
    """Reports the steps of mmdebstrap until it ends. Returns its output."""
    assert process.stdin and process.stderr
    with process.stdin:
        process.stdin.write(sources)
    lines: list[str] = []
    for line in process.stderr:
        lines.append(line.rstrip())
        if line.startswith("I: ") and line.endswith("...\n"):
            report(f"Debian root: {line[3:-4]}")
    process.wait()
    return lines

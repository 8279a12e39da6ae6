"""Tests whether QEMU can use KVM on this host. It is not enough that /dev/kvm exists: on some hosts
a kernel hangs under KVM.

The test boots the VM's kernel under KVM up to its first process. That takes a second where KVM
works, and PROBE_SECONDS where it does not. The result is cached until the host, QEMU or the kernel
changes.
"""

import os
import tempfile
import time
from pathlib import Path

from .entry import digest, entry
from .hardware import processor
from .progress import Report
from .qemu import Qemu, QemuError, version

PROBE_SECONDS = 8.0
# The kernel prints it after it has started its processors and drivers and unpacked the initrd.
SIGN_OF_LIFE = "Run /init as init process"


def choose_accelerator(cache: Path, image: Path, report: Report) -> str:
    """`kvm` or `tcg` (emulation)."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return "tcg"
    boot = Path("/proc/sys/kernel/random/boot_id").read_text()
    key = digest(boot, version(), image.name, Path(__file__))
    probe = entry(cache, "accelerator", key, lambda place: _probe(place, image, report))
    return (probe / "name").read_text()


def _probe(place: Path, image: Path, report: Report) -> None:
    report("probing KVM")
    works = _kvm_boots(image)
    report("KVM works" if works else "a kernel does not start under KVM here: emulating")
    (place / "name").write_text("kvm" if works else "tcg")


def _kvm_boots(image: Path) -> bool:
    arguments = "-nodefaults -display none -no-reboot -m 1024 -smp 2".split()
    arguments += processor("kvm")
    arguments += ["-kernel", str(image / "kernel"), "-initrd", str(image / "initrd")]
    arguments += ["-append", "console=ttyS0 loglevel=7 panic=-1"]
    with tempfile.TemporaryDirectory() as scratch:
        try:
            qemu = Qemu(arguments, Path(scratch) / "console", Path(scratch))
        except QemuError:
            return False  # KVM does not work at all
        try:
            deadline = time.monotonic() + PROBE_SECONDS
            while time.monotonic() < deadline:
                if SIGN_OF_LIFE in qemu.console_text():
                    return True
                time.sleep(0.1)
            return False
        finally:
            qemu.kill()

"""The VM's hardware, as QEMU's command line.

All disks are virtio and known in the guest by their serial (`/dev/disk/by-id/virtio-<serial>`):
    root           /dev/vda
    data0..data3   /dev/vdb../dev/vde, 8 GiB each
    data4, data5   /dev/vdf, /dev/vdg, 4 GiB each
    build, share   /dev/vdh, /dev/vdi, read-only ext4 whose content differs from run to run
A saved VM continues only on the hardware that it was saved on, so nothing but files and forwarded
ports differs from run to run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

GIB = 1024**3
DATA_DISKS = {f"data{number}": size * GIB for number, size in enumerate((8, 8, 8, 8, 4, 4))}
EXCHANGE_DISKS = {"build": GIB, "share": GIB}
AGENT_PORT = "lvmd.test.agent"
# no_timer_check: on a busy host an emulated timer comes late; the kernel would take it for absent.
KERNEL_ARGUMENTS = (
    "console=ttyS0 root=/dev/vda rw quiet panic=-1 mitigations=off no_timer_check "
    "systemd.show_status=0"
)
# QEMU finds code that it has translated by its address. Where each start of a program has other
# addresses it translates the loader and the C library again: a fork and exec takes 25 ms, not 7.
EMULATED_KERNEL_ARGUMENTS = f"{KERNEL_ARGUMENTS} norandmaps"


@dataclass(frozen=True)
class Media:
    """The files a machine is made of. `disks`: the qcow2 file of each serial but the last two."""

    kernel: Path
    initrd: Path
    disks: Mapping[str, Path]
    build: Path
    share: Path


def processor(accelerator: str) -> list[str]:
    if accelerator == "kvm":
        return "-accel kvm -cpu host".split()
    return "-accel tcg,thread=multi -cpu max".split()


def option_value(path: Path) -> str:
    """A path as part of a QEMU option, where a comma ends the value."""
    return str(path).replace(",", ",,")


def _disk(serial: str, path: Path, options: str) -> list[str]:
    drive = f"if=none,id={serial},cache=unsafe,{options},file={option_value(path)}"
    return ["-drive", drive, "-device", f"virtio-blk-pci,drive={serial},serial={serial}"]


def arguments(
    accelerator: str, media: Media, *, discard_writes: bool,
    forward_ports: Mapping[int, int] | None = None,
) -> list[str]:
    """The machine. With `discard_writes`, what is written to disks goes to a temporary file and the
    files stay as they are. `forward_ports` maps TCP ports of the host's loopback to ports of the
    guest.

    The network is QEMU's user network, in which the guest reaches the host's loopback as 10.0.2.2.
    (`restrict=on` would cut that off too.) The guest has neither a gateway nor a name server, so it
    reaches nothing else.
    """
    words = "-nodefaults -display none -no-reboot -machine pc -m 3072 -smp 2".split()
    words += processor(accelerator)
    words += ["-kernel", str(media.kernel), "-initrd", str(media.initrd)]
    emulated = accelerator != "kvm"
    words += ["-append", EMULATED_KERNEL_ARGUMENTS if emulated else KERNEL_ARGUMENTS]
    writes = "format=qcow2,snapshot=" + ("on" if discard_writes else "off")
    for serial in ("root", *DATA_DISKS):
        words += _disk(serial, media.disks[serial], writes)
    words += _disk("build", media.build, "format=raw,readonly=on")
    words += _disk("share", media.share, "format=raw,readonly=on")
    words += ["-netdev", "user,id=net,ipv6=off" + _forwards(forward_ports or {})]
    words += "-device virtio-net-pci,netdev=net".split()
    words += "-object rng-builtin,id=rng -device virtio-rng-pci,rng=rng".split()
    words += "-device virtio-serial-pci -device".split()
    return [*words, f"virtserialport,chardev=agent,name={AGENT_PORT}"]


def _forwards(ports: Mapping[int, int]) -> str:
    return "".join(f",hostfwd=tcp:127.0.0.1:{host}-:{guest}" for host, guest in ports.items())

"""The VM's hardware, as QEMU's command line.

All disks are virtio; the guest finds them by their serial (`/dev/disk/by-id/virtio-<serial>`):
    root           /dev/vda
    data0..data3   /dev/vdb../dev/vde, 8 GiB each
    data4, data5   /dev/vdf, /dev/vdg, 4 GiB each
    build, share   /dev/vdh, /dev/vdi, read-only ext4 whose content differs from run to run
A saved VM continues only on the hardware that it was saved on, so only files and forwarded ports
differ from run to run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

GIB = 1024**3
PROCESSORS = 2
DATA_DISKS = {f"data{number}": size * GIB for number, size in enumerate((8, 8, 8, 8, 4, 4))}
EXCHANGE_DISKS = {"build": GIB, "share": GIB}
AGENT_PORT = "lvmd.test.agent"
# no_timer_check: on a busy host an emulated timer is late, and the kernel would ignore it as
# absent.
KERNEL_ARGUMENTS = (
    "console=ttyS0 root=/dev/vda rw quiet panic=-1 mitigations=off no_timer_check "
    "systemd.show_status=0"
)
# QEMU caches translated code by its address. With random addresses it translates the loader and the
# C library again at each start of a program: a fork and exec takes 25 ms instead of 7.
EMULATED_KERNEL_ARGUMENTS = f"{KERNEL_ARGUMENTS} norandmaps"


@dataclass(frozen=True)
class Media:
    """The files of a machine. `disks`: the qcow2 file of each serial except the last two."""

    kernel: Path
    initrd: Path
    disks: Mapping[str, Path]
    build: Path
    share: Path


def processor(accelerator: str) -> list[str]:
    if accelerator == "kvm":
        return "-accel kvm -cpu host".split()
    # With the feature erms, the kernel clears and copies pages by one instruction, which QEMU
    # emulates byte by byte. To clear a page then takes 2.5 times as long.
    return "-accel tcg,thread=multi -cpu max,-erms".split()


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
    """The command line of the machine. With `discard_writes`, writes to disks go to a temporary
    file and the disks' files stay unchanged. `forward_ports` maps TCP ports of the host's loopback
    to ports of the guest.

    The network is QEMU's user network, in which the guest reaches the host's loopback as 10.0.2.2.
    (`restrict=on` would prevent that too.) The guest has neither a gateway nor a name server, so it
    reaches nothing else.
    """
    words = f"-nodefaults -display none -no-reboot -machine pc -m 3072 -smp {PROCESSORS}".split()
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

"""QEMU: the machine's hardware as a command line, and a running QEMU with its two channels.

All writable disks are qcow2 on virtio, known in the guest by their serial
(`/dev/disk/by-id/virtio-<serial>`):
    root           /dev/vda
    data0..data3   /dev/vdb../dev/vde, 8 GiB each
    data4, data5   /dev/vdf, /dev/vdg, 4 GiB each
    build, share   /dev/vdh, /dev/vdi, read-only ext4 whose content differs from run to run
"""

import json
import os
import socket
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GIB = 1024**3
PROGRAM = "qemu-system-x86_64"
DATA_DISKS = {f"data{number}": size * GIB for number, size in enumerate((8, 8, 8, 8, 4, 4))}
EXCHANGE_DISKS = {"build": GIB, "share": GIB}
# no_timer_check: on a busy host an emulated timer comes late; the kernel would take it for absent.
KERNEL_ARGUMENTS = (
    "console=ttyS0 root=/dev/vda rw quiet panic=-1 mitigations=off no_timer_check "
    "systemd.show_status=0"
)
AGENT_PORT = "lvmd.test.agent"


class QemuError(Exception):
    """QEMU could not be started, or ended by itself."""


@dataclass(frozen=True)
class Media:
    """The files a machine is made of. `disks`: the qcow2 file of each serial but the last two."""

    kernel: Path
    initrd: Path
    disks: Mapping[str, Path]
    build: Path
    share: Path


def version() -> str:
    try:
        return subprocess.run(
            [PROGRAM, "--version"], capture_output=True, text=True, check=True
        ).stdout
    except FileNotFoundError:
        raise QemuError(
            f"{PROGRAM} is not installed; install the package qemu-system-x86"
        ) from None


def accelerator_arguments(accelerator: str) -> list[str]:
    if accelerator == "kvm":
        return ["-accel", "kvm", "-cpu", "host"]
    return ["-accel", "tcg,thread=multi", "-cpu", "max"]


def _value(path: Path) -> str:
    """A path as part of a QEMU option, where a comma ends the value."""
    return str(path).replace(",", ",,")


def _disk(serial: str, options: str) -> list[str]:
    return [
        "-drive",
        f"if=none,id={serial},cache=unsafe,{options}",
        "-device",
        f"virtio-blk-pci,drive={serial},serial={serial}",
    ]


def machine_arguments(
    accelerator: str,
    media: Media,
    *,
    discard_writes: bool,
    forward_ports: Mapping[int, int] | None = None,
) -> list[str]:
    """The machine. With `discard_writes`, what is written to disks goes to a temporary file and the
    files stay as they are. `forward_ports` maps TCP ports of the host's loopback to ports of the
    guest.

    The network is QEMU's user network, in which the guest reaches the host's loopback as 10.0.2.2.
    (`restrict=on` would cut that off too.) The guest has neither a gateway nor a name server, so it
    reaches nothing else.
    """
    arguments = [
        "-nodefaults",
        "-display",
        "none",
        "-no-reboot",
        "-machine",
        "pc",
        *accelerator_arguments(accelerator),
        "-m",
        "3072",
        "-smp",
        "2",
        "-kernel",
        str(media.kernel),
        "-initrd",
        str(media.initrd),
        "-append",
        KERNEL_ARGUMENTS,
    ]
    for serial in ("root", *DATA_DISKS):
        snapshot = "on" if discard_writes else "off"
        arguments += _disk(
            serial, f"format=qcow2,snapshot={snapshot},file={_value(media.disks[serial])}"
        )
    for serial, path in (("build", media.build), ("share", media.share)):
        arguments += _disk(serial, f"format=raw,readonly=on,file={_value(path)}")
    forwards = "".join(
        f",hostfwd=tcp:127.0.0.1:{host}-:{guest}" for host, guest in (forward_ports or {}).items()
    )
    return arguments + [
        "-netdev",
        f"user,id=net,ipv6=off{forwards}",
        "-device",
        "virtio-net-pci,netdev=net",
        "-object",
        "rng-builtin,id=rng",
        "-device",
        "virtio-rng-pci,rng=rng",
        "-device",
        "virtio-serial-pci",
        "-device",
        f"virtserialport,chardev=agent,name={AGENT_PORT}",
    ]


class Qemu:
    """A running QEMU. `agent` is the host's end of the guest's agent port; the monitor is spoken by
    `execute`.

    QEMU dies with the thread that started it, so keep that thread for as long as the machine is
    needed.
    """

    def __init__(self, arguments: list[str], console: Path, scratch: Path) -> None:
        """The serial console goes to the file `console`, temporary disks into `scratch`."""
        self._console = console.open("w+b")
        self._errors = tempfile.TemporaryFile()
        self.agent, agent_end = socket.socketpair()
        self._monitor, monitor_end = socket.socketpair()
        command = [
            "setpriv",
            "--pdeathsig",
            "KILL",
            PROGRAM,
            *arguments,
            "-chardev",
            f"socket,id=agent,fd={agent_end.fileno()}",
            "-chardev",
            f"socket,id=monitor,fd={monitor_end.fileno()}",
            "-mon",
            "chardev=monitor,mode=control",
            "-chardev",
            f"file,id=console,append=on,path={_value(console)}",
            "-serial",
            "chardev:console",
        ]
        with agent_end, monitor_end:
            # A session of its own: Ctrl-C in the terminal is for us, who then end QEMU in order.
            self._process = subprocess.Popen(
                command,
                pass_fds=(agent_end.fileno(), monitor_end.fileno()),
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=self._errors,
                stderr=self._errors,
                env=os.environ | {"TMPDIR": str(scratch)},
            )
        self._replies = self._monitor.makefile("r", encoding="utf-8")
        try:
            self._monitor.settimeout(60)
            self._reply()
            self.execute("qmp_capabilities")
        except BaseException:
            self.kill()
            raise

    def _reply(self) -> dict[str, Any]:
        try:
            line = self._replies.readline()
        except TimeoutError:
            raise QemuError(f"QEMU does not answer on its monitor\n{self.diagnosis()}") from None
        except ConnectionResetError:
            line = ""
        if not line:
            raise QemuError(f"QEMU has ended\n{self.diagnosis()}")
        return json.loads(line)

    def execute(self, command: str, **arguments: Any) -> Any:
        """One monitor command; its return value."""
        message = {"execute": command} | ({"arguments": arguments} if arguments else {})
        try:
            self._monitor.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            raise QemuError(f"QEMU has ended\n{self.diagnosis()}") from None
        while True:
            reply = self._reply()
            if "error" in reply:
                raise QemuError(f"QEMU refused {command}: {reply['error']['desc']}")
            if "return" in reply:
                return reply["return"]

    def diagnosis(self) -> str:
        """What QEMU and the guest's console said last."""
        self._errors.seek(0)
        errors = self._errors.read().decode(errors="replace").strip() or "(nothing)"
        console = self.console_text()[-2000:] or "(nothing)"
        return f"QEMU said: {errors}\nthe guest's console ends with:\n{console}"

    def console_text(self) -> str:
        self._console.seek(0)
        return self._console.read().decode(errors="replace")

    def quit(self) -> None:
        """Ends QEMU without asking the guest. Safe to call again."""
        if self._process.poll() is None:
            try:
                self.execute("quit")
                self._process.wait(timeout=20)
            except (QemuError, subprocess.TimeoutExpired):
                pass  # it is killed below
        self.kill()

    def kill(self) -> None:
        """Ends QEMU at once and closes the channels. Safe to call again."""
        self._process.kill()
        self._process.wait()
        for channel in (self.agent, self._replies, self._monitor, self._console, self._errors):
            channel.close()

"""A QEMU process, its monitor and its console."""

import json
import os
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from .hardware import option_value

PROGRAM = "qemu-system-x86_64"


class QemuError(Exception):
    """QEMU could not be started, or ended unexpectedly."""


def version() -> str:
    try:
        return subprocess.run(
            [PROGRAM, "--version"], capture_output=True, text=True, check=True
        ).stdout
    except FileNotFoundError:
        raise QemuError(
            f"{PROGRAM} is not installed; install the package qemu-system-x86"
        ) from None


class Qemu:
    """A QEMU process. `agent` is the host's end of the guest's agent port. `execute` runs commands
    of the monitor.

    QEMU ends with the thread that started it, so that thread must run as long as the machine is
    needed.
    """

    def __init__(self, arguments: list[str], console: Path, scratch: Path) -> None:
        """Writes the serial console to the file `console`, and temporary disks into `scratch`."""
        self._console = console.open("w+b")
        self._errors = tempfile.TemporaryFile()
        self.agent, agent_end = socket.socketpair()
        self._monitor, monitor_end = socket.socketpair()
        command = [
            "setpriv", "--pdeathsig", "KILL", PROGRAM, *arguments, "-chardev",
            f"socket,id=agent,fd={agent_end.fileno()}", "-chardev",
            f"socket,id=monitor,fd={monitor_end.fileno()}", "-mon", "chardev=monitor,mode=control",
            "-chardev", f"file,id=console,append=on,path={option_value(console)}", "-serial",
            "chardev:console",
        ]
        with agent_end, monitor_end:
            # A separate session: Ctrl-C in the terminal reaches only this process, which then ends
# QEMU.
            self._process = subprocess.Popen(
                command, pass_fds=(agent_end.fileno(), monitor_end.fileno()),
                start_new_session=True, stdin=subprocess.DEVNULL, stdout=self._errors,
                stderr=self._errors, env=os.environ | {"TMPDIR": str(scratch)},
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
        """Runs one monitor command. Returns its result."""
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
        """The last output of QEMU and of the guest's console."""
        self._errors.seek(0)
        errors = self._errors.read().decode(errors="replace").strip() or "(nothing)"
        console = self.console_text()[-2000:] or "(nothing)"
        return f"QEMU said: {errors}\nthe guest's console ends with:\n{console}"

    def console_text(self) -> str:
        self._console.seek(0)
        return self._console.read().decode(errors="replace")

    def quit(self) -> None:
        """Ends QEMU without a shutdown of the guest. Idempotent."""
        if self._process.poll() is None:
            try:
                self.execute("quit")
                self._process.wait(timeout=20)
            except (QemuError, subprocess.TimeoutExpired):
                pass  # it is killed below
        self.kill()

    def kill(self) -> None:
        """Ends QEMU at once and closes the channels. Idempotent."""
        self._process.kill()
        self._process.wait()
        for channel in (self.agent, self._replies, self._monitor, self._console, self._errors):
            channel.close()

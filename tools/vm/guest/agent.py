#!/usr/bin/python3
"""Runs commands of the host in the test VM, over a virtio-serial port.

A frame in either direction is one byte of kind, four bytes of length (big endian), and the payload.
Output is sent in frames, so no output can be mistaken for the end of a command.

    host to guest   s  sync: JSON {nonce, time_ns}; sets the clock, answered by S with the nonce
                    r  run: JSON {argv, timeout, terminal: null or {term, rows, columns}}
                    i  input for the running command        e  end of its input
                    w  new terminal size: JSON {rows, columns}
    guest to host   H  hello, once when the agent starts     S  answer to s
                    o  output (stdout and stderr in order)   x  exit: JSON {exit_code, timed_out}

One command runs at a time. A command that exceeds its time limit gets SIGTERM, and SIGKILL two
seconds later. Its end is reported even if it can't be killed (a process in the kernel's D state),
so the agent stays usable.
"""

import fcntl
import glob
import json
import os
import select
import signal
import struct
import subprocess
import termios
import time
from typing import Any

PORT_NAME = "lvmd.test.agent"
HEADER = struct.Struct(">cI")
CHUNK = 65536
GRACE_SECONDS = 2.0
EXIT_TIMED_OUT = 124
EXIT_CANNOT_START = 127
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "USER": "root",
    "LOGNAME": "root",
    "SHELL": "/bin/bash",
    "LANG": "C.UTF-8",
}


class Port:
    """Reads and writes complete frames. While the host is not connected, reads wait."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = os.read(self.fd, size - len(data))
            if not part:  # a virtio port returns EOF while its other side is closed
                time.sleep(0.05)
            data += part
        return data

    def receive(self) -> tuple[bytes, bytes]:
        kind, size = HEADER.unpack(self._read(HEADER.size))
        return kind, self._read(size)

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        data = HEADER.pack(kind, len(payload)) + payload
        while data:
            data = data[os.write(self.fd, data) :]


def set_size(fd: int, size: dict[str, int]) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", size["rows"], size["columns"], 0, 0))


class Command:
    """One running command: its process and the descriptors of its output and input."""

    def __init__(self, argv: list[str], terminal: dict[str, Any] | None) -> None:
        self.pending = b""
        self.input_ended = False
        if terminal:
            self.output, inside = os.openpty()
            self.input = os.dup(self.output)
            set_size(inside, terminal)
            streams = {"stdin": inside, "stdout": inside, "stderr": inside}
            environment = ENVIRONMENT | {"TERM": terminal["term"]}
            in_child = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        else:
            self.output, inside = os.pipe()
            input_read, self.input = os.pipe()
            streams = {"stdin": input_read, "stdout": inside, "stderr": inside}
            environment = ENVIRONMENT | {"TERM": "dumb"}
            in_child = None
        self.terminal = bool(terminal)
        os.set_blocking(self.output, False)
        os.set_blocking(self.input, False)
        try:
            self.process = subprocess.Popen(
                argv,
                **streams,
                env=environment,
                cwd=ENVIRONMENT["HOME"],
                start_new_session=True,
                preexec_fn=in_child,
            )
        except OSError:
            os.close(self.output)
            os.close(self.input)
            raise
        finally:
            for fd in set(streams.values()):
                os.close(fd)
        self.exited = os.pidfd_open(self.process.pid)

    def feed(self, data: bytes) -> None:
        """Writes the input that the command accepts now. The rest stays pending."""
        self.pending += data
        if self.input < 0:
            self.pending = b""
            return
        try:
            while self.pending:
                self.pending = self.pending[os.write(self.input, self.pending[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # the command closed its input: the rest is dropped
            self.pending = b""
        if self.input_ended and not self.terminal:
            os.close(self.input)
            self.input = -1

    def read(self) -> bytes | None:
        """The available output; b"" at its end, None if there is none yet."""
        try:
            return os.read(self.output, CHUNK)
        except BlockingIOError:
            return None
        except OSError:  # a terminal whose other side is closed
            return b""

    def kill(self, number: int) -> None:
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass  # it ended meanwhile

    def close(self) -> None:
        for fd in (self.output, self.input, self.exited):
            if fd >= 0:
                os.close(fd)


def forward_host_frame(port: Port, command: Command) -> None:
    kind, payload = port.receive()
    if kind == b"i":
        command.feed(payload)
    elif kind == b"e":
        command.input_ended = True
        command.feed(b"")
    elif kind == b"w" and command.terminal:
        set_size(command.input, json.loads(payload))


def follow(port: Port, command: Command, timeout: float | None) -> bool:
    """Transfers output and input until the command has ended. True if it exceeded its limit."""
    deadline = None if timeout is None else time.monotonic() + timeout
    signals = [signal.SIGTERM, signal.SIGKILL]
    timed_out = False
    output_open = True
    while True:
        wait = None if deadline is None else max(0.0, deadline - time.monotonic())
        reading = [port.fd, command.exited] + ([command.output] if output_open else [])
        readable, writable, _ = select.select(
            reading, [command.input] if command.pending else [], [], wait
        )
        if command.output in readable:
            data = command.read()
            if data:
                port.send(b"o", data)
            elif data == b"":
                output_open = False
        if writable:
            command.feed(b"")
        if port.fd in readable:
            forward_host_frame(port, command)
        if command.exited in readable:
            # All output before the exit is in the pipe by now. A process that still has the pipe
            # open continues after the command.
            while output_open and (data := command.read()):
                port.send(b"o", data)
            return timed_out
        if deadline is not None and time.monotonic() >= deadline:
            timed_out = True
            if not signals:
                return True
            command.kill(signals.pop(0))
            deadline += GRACE_SECONDS


def run(port: Port, request: dict[str, Any]) -> None:
    try:
        command = Command(request["argv"], request["terminal"])
    except OSError as error:
        port.send(
            b"o", f"cannot start {request['argv'][0]!r} in the VM: {error.strerror}\n".encode()
        )
        port.send(b"x", json.dumps({"exit_code": EXIT_CANNOT_START, "timed_out": False}).encode())
        return
    timed_out = follow(port, command, request["timeout"])
    status = command.process.poll()
    command.close()
    if timed_out or status is None:
        code = EXIT_TIMED_OUT
    else:
        code = status if status >= 0 else 128 - status
    port.send(b"x", json.dumps({"exit_code": code, "timed_out": timed_out}).encode())


def sync(port: Port, request: dict[str, Any]) -> None:
    time.clock_settime_ns(time.CLOCK_REALTIME, request["time_ns"])
    port.send(b"S", request["nonce"].encode())


def serve(port: Port) -> None:
    """Serves the host. Does not return."""
    port.send(b"H")
    while True:
        kind, payload = port.receive()
        if kind == b"s":
            sync(port, json.loads(payload))
        elif kind == b"r":
            run(port, json.loads(payload))
        # Drops input for a command that has ended meanwhile.


def find_port() -> str:
    """Waits for the port by its name in sysfs, because udev's link to it is sometimes missing."""
    while True:
        for name in glob.glob("/sys/class/virtio-ports/*/name"):
            with open(name, encoding="ascii") as file:
                if file.read().strip() == PORT_NAME:
                    device = "/dev/" + os.path.basename(os.path.dirname(name))
                    if os.path.exists(device):
                        return device
        time.sleep(0.1)


if __name__ == "__main__":
    serve(Port(os.open(find_port(), os.O_RDWR | os.O_CLOEXEC)))

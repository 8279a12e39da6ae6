"""The host's side of the agent: runs commands in the VM. guest/agent.py describes the frames."""

import json
import os
import secrets
import select
import socket
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

HEADER = struct.Struct(">cI")
CHUNK = 65536
# The agent ends a command at its time limit. If it does not answer for this much longer, it is
# lost.
ANSWER_SECONDS = 60.0


class AgentError(Exception):
    """The agent in the VM does not answer. The state of the command is unknown."""


@dataclass(frozen=True)
class Completed:
    """The result of a command in the VM. The exit code is 128 + N after signal N, and 124 after the
    time limit."""

    exit_code: int
    data: bytes
    timed_out: bool = False

    @property
    def output(self) -> str:
        """stdout and stderr, in the order of the writes."""
        return self.data.decode(errors="replace")


class Terminal:
    """A terminal of the host for a command in the VM: its input and its size."""

    def __init__(self, input_fd: int) -> None:
        self.input_fd = input_fd

    def size(self) -> dict[str, int]:
        size = os.get_terminal_size(self.input_fd)
        return {"rows": size.lines, "columns": size.columns}

    def read(self) -> bytes:
        typed = os.read(self.input_fd, CHUNK)
        if not typed:
            raise AgentError("the terminal was closed while a command of the VM used it")
        return typed

    def description(self) -> dict[str, Any]:
        return {"term": os.environ.get("TERM", "dumb")} | self.size()


def _frame(kind: bytes, payload: bytes = b"") -> bytes:
    return HEADER.pack(kind, len(payload)) + payload


def _json_frame(kind: bytes, content: dict[str, Any]) -> bytes:
    return _frame(kind, json.dumps(content).encode())


class Agent:
    """One command at a time. After an AgentError or an interruption every further call fails."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._channel.setblocking(False)
        self._received = bytearray()
        # Input for a command that has ended is still sent, because a frame must be complete. The
        # guest drops it.
        self._outgoing = bytearray()
        self._usable = True

    def wait_for_start(self, timeout: float) -> None:
        """Waits until the agent of a booting VM has sent its first frame."""
        self._exchange(b"", b"H", time.monotonic() + timeout)

    def sync(self, timeout: float) -> None:
        """Sets the guest's clock to the host's. Also checks that the agent answers."""
        nonce = secrets.token_hex(16)
        request = _json_frame(b"s", {"nonce": nonce, "time_ns": time.time_ns()})
        if self._exchange(request, b"S", time.monotonic() + timeout) != nonce.encode():
            raise AgentError("the VM's agent answered something else than it was asked")

    def run(
        self, argv: list[str], *, timeout: float | None, data: bytes = b"",
        on_output: Callable[[bytes], None] | None = None, terminal: Terminal | None = None,
    ) -> Completed:
        """Runs argv with `data` on its stdin, or with a terminal. Without `timeout`, there is no
        time limit."""
        request = {
            "argv": argv,
            "timeout": timeout,
            "terminal": terminal.description() if terminal else None,
        }
        self._claim()
        self._outgoing += _json_frame(b"r", request)
        if not terminal:
            for start in range(0, len(data), CHUNK):
                self._outgoing += _frame(b"i", data[start : start + CHUNK])
            self._outgoing += _frame(b"e")
        deadline = None if timeout is None else time.monotonic() + timeout + ANSWER_SECONDS
        output = bytearray()
        for kind, payload in self._frames(deadline, terminal):
            if kind == b"o":
                output += payload
                if on_output:
                    on_output(payload)
            elif kind == b"x":
                self._usable = True
                end = json.loads(payload)
                return Completed(end["exit_code"], bytes(output), end["timed_out"])
            elif kind == b"H":
                raise AgentError("the VM's agent was restarted")
        raise AssertionError("unreachable: frames end only by an exception")

    def _claim(self) -> None:
        if not self._usable:
            raise AgentError("an earlier command in this VM was cut off; use a newly restored VM")
        self._usable = False

    def _exchange(self, request: bytes, answer: bytes, deadline: float) -> bytes:
        self._claim()
        self._outgoing += request
        for kind, payload in self._frames(deadline, None):
            if kind == answer:
                self._usable = True
                return payload
        raise AssertionError("unreachable: frames end only by an exception")

    def _frames(
        self, deadline: float | None, terminal: Terminal | None
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yields the frames that arrive, and meanwhile sends pending frames and the terminal's
        input."""
        size = terminal.size() if terminal else None
        while True:
            while (frame := self._take_frame()) is not None:
                yield frame
            reading: list[Any] = [self._channel] + ([terminal.input_fd] if terminal else [])
            wait = (
                0.5
                if terminal
                else None if deadline is None else max(0.0, deadline - time.monotonic())
            )
            readable, writable, _ = select.select(
                reading, [self._channel] if self._outgoing else [], [], wait
            )
            if writable:
                self._send()
            if self._channel in readable:
                self._receive()
            if terminal:
                if terminal.input_fd in readable:
                    self._outgoing += _frame(b"i", terminal.read())
                if (now := terminal.size()) != size:
                    size = now
                    self._outgoing += _json_frame(b"w", size)
            if deadline is not None and time.monotonic() > deadline:
                raise AgentError("the VM's agent does not answer in time")

    def _send(self) -> None:
        try:
            del self._outgoing[: self._channel.send(self._outgoing[:CHUNK])]
        except OSError as error:
            raise AgentError(f"the VM has ended ({error.strerror})") from None

    def _receive(self) -> None:
        try:
            data = self._channel.recv(CHUNK)
        except OSError as error:
            raise AgentError(f"the VM has ended ({error.strerror})") from None
        if not data:
            raise AgentError("the VM has ended")
        self._received += data

    def _take_frame(self) -> tuple[bytes, bytes] | None:
        if len(self._received) < HEADER.size:
            return None
        kind, size = HEADER.unpack_from(self._received)
        end = HEADER.size + size
        if len(self._received) < end:
            return None
        payload = bytes(self._received[HEADER.size : end])
        del self._received[:end]
        return kind, payload

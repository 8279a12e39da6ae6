"""Calls of a CSI driver by bench-csi, which times them, on this host or in the VM."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tools.dev import paths
from tools.vm import Machine

from .programs import FOLDER
from .samples import BenchError

Call = tuple[str, dict[str, Any]]
"""A method such as "Node/NodeStageVolume", and its request with protobuf's JSON."""

_PROGRAM = f"{FOLDER}/bench-csi"
# The first call waits for the connection.
_FIRST: Call = ("Identity/Probe", {})
_SECONDS = 600


@dataclass(frozen=True)
class Answered:
    milliseconds: float
    response: dict[str, Any]


class CsiClient:
    """Calls the driver at a socket of this host, from `__enter__` to `__exit__`. Raises
    BenchError."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def __enter__(self) -> CsiClient:
        self._process = subprocess.Popen(
            [f"{paths.INSTALL_TREE}{_PROGRAM}", f"--socket={self._socket}"], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.call(*_FIRST)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._process.communicate()

    def call(self, method: str, request: dict[str, Any]) -> Answered:
        """Returns when the driver has answered. Raises BenchError if the answer is an error."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(_line((method, request)) + "\n")
        self._process.stdin.flush()
        return answered(method, self._process.stdout.readline())


def in_vm(machine: Machine, socket: str, calls: Sequence[Call]) -> list[Answered]:
    """Calls the driver at a socket of the VM, one call after the other, over one connection. Raises
    BenchError if an answer is an error."""
    every = [_FIRST, *calls]
    done = machine.run([_PROGRAM, f"--socket={socket}"], timeout=_SECONDS,
                       data="".join(_line(call) + "\n" for call in every).encode())
    lines = done.output.splitlines()
    if done.exit_code != 0 or len(lines) != len(every):
        raise BenchError(f"bench-csi ended with {done.exit_code}: {done.output}")
    return [answered(method, line)
            for (method, _), line in zip(every, lines, strict=True)][1:]


def _line(call: Call) -> str:
    return json.dumps({"method": call[0], "request": call[1]})


def answered(method: str, line: str) -> Answered:
    """Parses a line of bench-csi."""
    try:
        answer = json.loads(line)
        if answer["code"] != 0:
            raise BenchError(f"{method} failed with {answer['code']}: {answer['message']}")
        return Answered(float(answer["ms"]), answer["response"])
    except (ValueError, KeyError, TypeError) as error:
        raise BenchError(f"{method}: no answer of bench-csi: {line!r}") from error

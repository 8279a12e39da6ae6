"""Calls of lvmd's services in the test VM, with grpcurl and reflection, as by hand.

A request is passed on standard input, so that its content is in no argument, environment or file.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from typing import Any

from tools.vm import Machine

SOCKET = "/run/topolvm/lvmd.sock"
# grpcurl's exit code is 64 plus the code.
_CODES = ("OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
          "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
          "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
          "UNAUTHENTICATED")
_FIRST_CODE = 64
# The time in which grpcurl must end after the deadline of the call.
_MORE_SECONDS = 60


@dataclass(frozen=True)
class Answer:
    """`messages`: one for a call, each one for a stream, with every field by its name in the proto
    file."""

    code: str
    message: str
    messages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.code == "OK"

    @property
    def response(self) -> dict[str, Any]:
        return self.messages[-1]

    def __str__(self) -> str:
        return self.code if self.ok else f"{self.code}: {self.message}"


class CallError(Exception):
    """grpcurl could not make the call. The text is its output."""


def call(machine: Machine, method: str, request: dict[str, Any], seconds: int = 120,
         socket: str = SOCKET) -> Answer:
    """Calls `method` ("lvmd.v1.MountService/Mount"), a stream up to its end. `seconds` is the
    deadline of the call. Raises CallError."""
    words = ["grpcurl", "-plaintext", "-emit-defaults", "-format-error", "-max-time", str(seconds),
             "-d", "@", f"unix://{socket}", method]
    done = machine.run(shlex.join(words), timeout=seconds + _MORE_SECONDS,
                       data=json.dumps(request).encode())
    return answer(done.exit_code, done.output)


def answer(exit_code: int, output: str) -> Answer:
    """Parses grpcurl's output and exit code. Raises CallError."""
    number = exit_code - _FIRST_CODE
    if exit_code != 0 and not 0 < number < len(_CODES):
        raise CallError(f"grpcurl ended with {exit_code}: {output.strip()}")
    try:
        documents = _documents(output)
    except ValueError as error:
        raise CallError(f"grpcurl has printed no JSON: {output.strip()}") from error
    if exit_code == 0:
        return Answer("OK", "", documents)
    status = documents.pop() if documents and "code" in documents[-1] else {}
    return Answer(_CODES[number], str(status.get("message", output.strip())), documents)


def _documents(text: str) -> list[dict[str, Any]]:
    """Parses a sequence of JSON objects."""
    found = []
    decoder = json.JSONDecoder()
    text = text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:].lstrip()
    return found

"""The messages and services of docs/protocol.md and those of protos/lvmd.proto, to be compared."""

from __future__ import annotations

import re

Field = tuple[str, int, str, str]
"""Message, number, name, type; a reserved number has neither name nor type."""


def document_fields(text: str) -> set[Field]:
    """The table with the header `| id | message | no. | field | type | meaning |`."""
    fields: set[Field] = set()
    message = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if re.fullmatch(r"P-MSG-\d+", cells[0]):
            message = cells[1] or message
            if cells[2]:
                fields.add((message, int(cells[2]), cells[3], cells[4]))
    return fields


def proto_fields(text: str) -> set[Field]:
    fields: set[Field] = set()
    for message, body in re.findall(r"(?m)^message (\w+) \{(.*?)\}$", _code(text), re.DOTALL):
        for type_, name, number in re.findall(r"((?:repeated )?\w+) (\w+) = (\d+);", body):
            fields.add((message, int(number), name, type_))
        fields |= {(message, int(number), "", "")
                   for number in re.findall(r"reserved (\d+);", body)}
    return fields


def document_methods(text: str) -> set[str]:
    """What the rules P-WIRE-3 and P-WIRE-4 list: `Call(Request) → Response`, unary or a stream."""
    found = set()
    for rule in re.findall(r"(?m)^\| P-WIRE-[34] \| `proto\.(.*)\|$", text):
        service = rule.split("`")[0]
        for call, request, stream, response in re.findall(
                r"`(\w+)\((\w+)\) → (stream )?(\w+)`", rule):
            found.add(f"{service}.{call}({request}) {stream}{response}")
    return found


def proto_methods(text: str) -> set[str]:
    found = set()
    for service, body in re.findall(r"(?m)^service (\w+) \{(.*?)^\}", _code(text), re.DOTALL):
        for call, request, stream, response in re.findall(
                r"rpc (\w+)\((\w+)\) returns \((stream )?(\w+)\)", body):
            found.add(f"{service}.{call}({request}) {stream}{response}")
    return found


def package(text: str) -> str:
    found = re.findall(r"(?m)^package ([\w.]+);", _code(text))
    return found[0] if found else ""


def _code(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)

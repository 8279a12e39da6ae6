"""The messages and services of docs/protocol.md, to be compared with those of protos/lvmd.proto."""

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


def document_methods(text: str) -> set[str]:
    """What the rules P-WIRE-3 and P-WIRE-4 list: `Call(Request) → Response`, unary or a stream."""
    found = set()
    for rule in re.findall(r"(?m)^\| P-WIRE-[34] \| `proto\.(.*)\|$", text):
        service = rule.split("`")[0]
        for call, request, stream, response in re.findall(
                r"`(\w+)\((\w+)\) → (stream )?(\w+)`", rule):
            found.add(f"{service}.{call}({request}) {stream}{response}")
    return found

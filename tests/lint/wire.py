"""The fields of protos/lvmd.proto without a rule, and the services of docs/protocol.md."""

from __future__ import annotations

import re



def fields_without_rule(text: str) -> list[str]:
    """The fields, reserved numbers and empty messages without the comment of a rule P-MSG on the
    line before."""
    found, comment = [], ""
    for line in text.splitlines():
        if line.lstrip().startswith("//"):
            comment += line
            continue
        if re.search(r" = \d+;|reserved \d+;|message \w+ \{\}", line) and not re.match(
                r" *// P-MSG-\d+: ", comment):
            found.append(line.strip())
        comment = ""
    return found


def document_methods(text: str) -> set[str]:
    """The calls of the rules P-WIRE-3 and P-WIRE-4: `Call(Request) → Response`, unary or a
    stream."""
    found = set()
    for rule in re.findall(r"(?m)^\| P-WIRE-[34] \| `proto\.(.*)\|$", text):
        service = rule.split("`")[0]
        for call, request, stream, response in re.findall(
                r"`(\w+)\((\w+)\) → (stream )?(\w+)`", rule):
            found.add(f"{service}.{call}({request}) {stream}{response}")
    return found

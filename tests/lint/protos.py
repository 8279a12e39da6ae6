"""The contents of a .proto file: its calls, fields and enum values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKENS = re.compile(
    r"(?P<scope>message|enum|service|oneof) (?P<title>\w+) \{|(?P<open>\{)|(?P<close>\})"
    r"|rpc (?P<call>\w+)\((?P<request>[\w. ]+)\) returns \((?P<response>[\w. ]+)\)"
    r"|reserved (?P<reserved>\d+);"
    r"|(?P<type>(?:(?:repeated|optional) )?(?:map<[^>]*>|[\w.]+)) (?P<name>\w+) = (?P<number>\d+)"
    r"|(?P<value>\w+) = (?P<constant>\d+);")


@dataclass
class Proto:
    package: str = ""
    calls: set[tuple[str, str, str]] = field(default_factory=set)
    """`Service.Call`, request, response; a stream begins with `stream `."""
    fields: set[tuple[str, int, str, str]] = field(default_factory=set)
    """Message, number, name, type; a reserved number has neither name nor type."""
    values: set[tuple[str, int, str]] = field(default_factory=set)
    """Enum, number, name."""


def read(text: str) -> Proto:
    text = re.sub(r"//[^\n]*", "", text)
    package = re.findall(r"(?m)^package ([\w.]+);", text)
    proto = Proto(package[0] if package else "")
    scopes: list[str] = []
    for token in _TOKENS.finditer(text):
        # A oneof does not change the names of its fields.
        scope = ".".join(name for name in scopes if name)
        if token["scope"]:
            scopes.append("" if token["scope"] == "oneof" else token["title"])
        elif token["open"]:
            scopes.append("")
        elif token["close"]:
            scopes.pop()
        elif token["call"]:
            proto.calls.add((f"{scope}.{token['call']}", token["request"], token["response"]))
        elif token["reserved"]:
            proto.fields.add((scope, int(token["reserved"]), "", ""))
        elif token["name"] and scope:
            proto.fields.add((scope, int(token["number"]), token["name"], token["type"]))
        elif token["value"]:
            proto.values.add((scope, int(token["constant"]), token["value"]))
    return proto

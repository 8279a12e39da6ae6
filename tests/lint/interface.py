"""Reads from the tree the names that clients use, and the list of them in interface.txt.

A line of the list names one of these: a call, a field or enum value of the protocols, a flag of
lvmd, lvmd-reconciler or csi-controller, a field of a CRD, a metric or a label of metrics, a key of
lvmd.yaml, a rule. Names may be added, but not removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from . import protos, rules
from .tree import CPP, ROOT, files

LIST = ROOT / "tests/lint/interface.txt"
_PROGRAMS = {"lvmd": "lvmd", "reconciler": "lvmd-reconciler", "csi": "csi-controller"}
_METRIC = r'"((?:lvmd|topolvm|controller_runtime)_[a-z_]+)"'
_FLAG = re.compile(r'(?:add_subcommand\(\s*"|"(?=--\w))([\w-]+)"')
_LABEL = re.compile(r'\.name = "([a-z_]+)", \.value|\{\{?"([a-z_]+)", |(\w+)=\\"')
_YAML_KEY = re.compile(
    r'(?:\b(?:text|required_text|boolean|number|whole_number|words|items|mapping|mappings)\('
    r'|\bread_\w+\(\*?\w+, )"([a-z][a-z-]*)"')


def read(root: Path = ROOT) -> set[str]:
    tree = files(root)
    found = set(_rules(root))
    for file in tree:
        if file.suffix == ".proto" and file.parts[0] == "protos":
            found |= set(_protos((root / file).read_text(encoding="utf-8")))
        elif file.suffix == ".yaml" and file.parts[0] == "packaging":
            found |= set(crd_fields((root / file).read_text(encoding="utf-8")))
        elif file.suffix in CPP and file.parts[0] in _PROGRAMS:
            text = (root / file).read_text(encoding="utf-8")
            program = _PROGRAMS[file.parts[0]]
            if "<CLI/CLI.hpp>" in text:
                found |= {f"flag {program} {name}" for name in _FLAG.findall(text)}
            if "prometheus" in text:
                found |= set(metrics(text, program))
            if file.parent == Path("lvmd/config"):
                found |= {f"lvmd.yaml {key}" for key in _YAML_KEY.findall(text)}
    return found


def missing(found: set[str]) -> list[str]:
    return [line for line in _recorded() if line not in found]


def unrecorded(found: set[str]) -> list[str]:
    return sorted(found - set(_recorded()))


def accept() -> None:
    """Adds the names that are new in the tree to the list. Removes none."""
    LIST.write_text("".join(f"{line}\n" for line in sorted(read() | set(_recorded()))),
                    encoding="utf-8")


def _recorded() -> list[str]:
    return LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []


def _rules(root: Path) -> Iterator[str]:
    return (f"rule {rule.id}" for rule in rules.read(root) if rule.in_force)


def _protos(text: str) -> Iterator[str]:
    proto = protos.read(text)
    if proto.package not in ("proto", "lvmd.v1", "csi.v1", "pluginregistration"):
        return
    for call, request, response in proto.calls:
        yield f"call {proto.package}.{call}({request}) {response}"
    for message, number, name, kind in proto.fields:
        yield f"field {proto.package}.{message} {number} {name or 'reserved'} {kind}".rstrip()
    for enum, number, name in proto.values:
        yield f"enum {proto.package}.{enum} {number} {name}"


def crd_fields(text: str) -> Iterator[str]:
    """Each field with its type, from the indentation of the CRD's schema."""
    if "kind: CustomResourceDefinition" not in text:
        return
    name = ""
    path: list[tuple[int, str]] = []
    for indent, key, value in re.findall(r"(?m)^( *)([\w.-]+):(?: (.*))?$", text):
        path = [entry for entry in path if entry[0] < len(indent)]
        keys = [entry[1] for entry in path]
        if key == "name" and keys == ["metadata"]:
            name = value
        field = ".".join(k for before, k in zip(keys, [*keys[1:], key]) if before == "properties")
        if keys[-1:] == ["properties"]:
            yield f"crd {name} {field}"
        elif key == "type" and "properties" in keys[-3:-1]:
            yield f"crd {name} {field}{'[]' * (keys[-1] == 'items')} {value}"
        path.append((len(indent), key))


def metrics(text: str, program: str) -> Iterator[str]:
    for kind, name in re.findall(rf"Build(\w+)\(\)\s*\.Name\(\s*{_METRIC}", text):
        yield f"metric {name} {kind.lower()}"
    for kind, name in re.findall(rf"\b([Gg]auge|[Cc]ounter)(?:s \w+\{{|\()\s*{_METRIC}", text):
        yield f"metric {name} {kind.lower()}"
    for name, kind in re.findall(rf"\.name = {_METRIC},.*?MetricType::(\w+)", text, re.DOTALL):
        yield f"metric {name} {kind.lower()}"
    for name, kind in re.findall(r"# TYPE (\w+) (\w+)", text):
        yield f"metric {name} {kind}"
    for label in map("".join, _LABEL.findall(text)):
        if not re.fullmatch(_METRIC, f'"{label}"'):
            yield f"metric-label {program} {label}"

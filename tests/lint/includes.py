"""Finds every #include that the table of modules does not allow."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from . import libraries
from .modules import Module, Table

_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
# A host plugs these modules together. It may include only one header of each.
HOSTS = ("lvmd/server", "lvmd/supervisor")
PLUGGED = ("lvmd/volumes", "lvmd/mounts", "lvmd/transfers")
_OURS = ("lvmd/", "csi/", "reconciler/", "tests/")


def violations(table: Table, root: Path, files: Iterable[Path]) -> list[str]:
    """One line per forbidden include in `files` (relative to `root`). Ignores files outside of all
    modules of the table."""
    found = []
    for file in files:
        module = table.module_of(file)
        if module is None:
            continue
        text = (root / file).read_text(encoding="utf-8")
        for match in _INCLUDE.finditer(text):
            reason = _forbidden(table, module, match[1])
            if reason:
                line = text.count("\n", 0, match.start(1)) + 1
                found.append(f"{file}:{line}: {module.folder} includes {match[1]}: {reason}")
    return found


def _forbidden(table: Table, module: Module, header: str) -> str:
    # Generated headers of protos/lvmd/ belong to no module: they count as their library.
    if header.startswith(_OURS) and not header.endswith(".pb.h"):
        other = table.module_of(Path(header))
        if other is None:
            return "that is in no module of the table"
        if other is not module and other.folder not in module.modules:
            return f"the table does not let it use {other.folder}"
        return ""
    library = libraries.of_header(header)
    if library is None:
        return "of no library in tests/lint/libraries.py (own headers: from the repository's root)"
    if library and library not in module.libraries:
        return f"the table does not let it use {library}"
    return ""


def host_violations(root: Path, files: Iterable[Path]) -> list[str]:
    """Of each module that is plugged into it, a host includes only `module.hpp`, in one file. The
    rule applies to a folder of PLUGGED that has a module.hpp."""
    files = list(files)
    plugged = tuple(f"{folder}/" for folder in PLUGGED if any(
        file.name == "module.hpp" and str(file).startswith(f"{folder}/") for file in files))
    found = []
    for host in HOSTS:
        users = set()
        for file in (file for file in files if str(file).startswith(f"{host}/")):
            for header in _INCLUDE.findall((root / file).read_text(encoding="utf-8")):
                if not header.startswith(plugged or ("//",)):
                    continue
                users.add(str(file))
                if Path(header).name != "module.hpp":
                    found.append(f"{file} includes {header}: {host} may include only its module.hpp")
        if len(users) > 1:
            found.append(f"{host}: more than one file includes plugged modules: "
                         f"{', '.join(sorted(users))}")
    return found

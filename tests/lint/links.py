"""Finds every shared library of an installed program that the table of modules does not allow."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from . import libraries
from .modules import Table


_APPS = {"lvmd-reconciler": "reconciler/app", "csi-controller": "csi/app"}


def module_of_program(table: Table, name: str) -> str | None:
    """`lvmd` is the supervisor, `lvmd-reconciler` is reconciler/app, `csi-controller` is csi/app;
    `lvmd-worker` is the module below lvmd/ whose folder is called worker; a hyphen is an underscore in
    the folder's name."""
    if name in _APPS:
        return _APPS[name]
    last = "supervisor" if name == "lvmd" else name.removeprefix("lvmd-").replace("-", "_")
    return next((folder for folder in table.modules
                 if folder.startswith("lvmd/") and folder.endswith(f"/{last}")), None)


def programs(tree: Path) -> list[Path]:
    """The installed programs of the project, without those of the tests."""
    folders = (tree / "usr/bin", tree / "usr/sbin", tree / "usr/lib/lvmd")
    return sorted(
        path for folder in folders if folder.is_dir() for path in folder.iterdir()
        if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"
    )


def violations(table: Table, program: Path) -> list[str]:
    """One line for each shared object that the program itself needs and its module may not use."""
    folder = module_of_program(table, program.name)
    if folder is None:
        return [f"{program.name}: the table has no module of it"]
    allowed = table.modules[folder].libraries | table.reached(folder)
    found = []
    for soname in needed(program):
        library = libraries.of_object(soname)
        if library is None:
            found.append(f"{program.name} links {soname}: not in tests/lint/libraries.py")
        elif library and library not in allowed:
            found.append(f"{program.name} links {soname}: "
                         f"the table does not let {folder} use {library}")
    return found


def needed(program: Path) -> list[str]:
    listed = subprocess.run(
        ["readelf", "--dynamic", "--wide", program], check=True, capture_output=True, text=True
    ).stdout
    return re.findall(r"\(NEEDED\)\s+Shared library: \[([^\]]+)\]", listed)

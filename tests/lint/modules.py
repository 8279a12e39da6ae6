"""The table of modules in docs/modules.md, which lists what each module may use.

Its header is `| module | may use | …`. The first cell names a module by its folder, in backticks.
The second lists modules (in backticks) and libraries, separated by commas. The standard library,
libc and the kernel's headers are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from . import libraries


class TableError(Exception):
    """The table is invalid. The text names the place."""


@dataclass(frozen=True)
class Module:
    folder: str
    modules: frozenset[str]
    libraries: frozenset[str]


@dataclass(frozen=True)
class Table:
    modules: dict[str, Module]

    def module_of(self, file: PurePath) -> Module | None:
        """The module of a file: the deepest folder above the file that is in the table."""
        for folder in file.parents:
            if str(folder) in self.modules:
                return self.modules[str(folder)]
        return None

    def reached(self, folder: str) -> set[str]:
        """The modules and libraries that a module may use, directly or through another module."""
        found: set[str] = set()
        todo = [folder]
        while todo:
            module = self.modules[todo.pop()]
            todo += module.modules - found
            found |= module.modules | module.libraries
        return found


def read(document: Path) -> Table:
    return parse(document.read_text(encoding="utf-8"))


def parse(text: str) -> Table:
    rows = list(_rows(text))
    if not rows:
        raise TableError("no table with the header `| module | may use |`")
    folders = {_folder(cells[0]) for cells in rows}
    modules = {}
    for cells in rows:
        folder = _folder(cells[0])
        if folder in modules:
            raise TableError(f"module {folder} has two rows")
        words = [word.strip() for word in cells[1].split(",") if word.strip()]
        used = {word.strip("`") for word in words if word.startswith("`")}
        linked = {word for word in words if not word.startswith("`")}
        for name in used - folders:
            raise TableError(f"module {folder} may use {name}, which has no row")
        for name in linked:
            if libraries.by_name(name) is None:
                raise TableError(f"module {folder} may use {name}, which tests/lint/libraries.py "
                                 "does not have")
        modules[folder] = Module(folder, frozenset(used), frozenset(linked))
    return Table(modules)


def _rows(text: str) -> Iterable[list[str]]:
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells[:2] == ["module", "may use"]:
            inside = True
        elif inside and not re.fullmatch(r"[-: ]+", cells[0]):
            yield cells


def _folder(cell: str) -> str:
    match = re.fullmatch(r"`([\w/]+)`", cell)
    if match is None:
        raise TableError(f"'{cell}' is not a module: write its folder in backticks")
    return match[1]

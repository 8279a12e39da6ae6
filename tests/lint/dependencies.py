"""Finds links in a meson.build that the table of modules does not allow.

The table is the only list of allowed dependencies. A meson.build names those that the linker needs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from .libraries import LIBRARIES
from .modules import Table

_LIBRARIES = {library.meson: library.name for library in LIBRARIES}
_DECLARED = re.compile(r"^(\w+) = declare_dependency(\(.*\)$|\((?s:.*?)^\))", re.MULTILINE)
_LIST = re.compile(r"^(\w+_deps?) \+?= (\[[^\]]*\].*)", re.MULTILINE)
_USES = re.compile(r"dependencies:\s*(\[[^\]]*\][^,)]*|[^,)]+)")


@dataclass
class Build:
    """The declarations of the meson.build files of a tree, by the names of variables."""

    folders: dict[str, set[str]] = field(default_factory=dict)
    """The `dependencies:` of all targets of a folder."""
    owners: dict[str, str] = field(default_factory=dict)
    """The folder that declares a dependency."""
    brings: dict[str, set[str]] = field(default_factory=dict)
    """The parts of a dependency, or of a list of dependencies."""

    def reached(self, folder: str) -> set[str]:
        """The folders and libraries that the targets of a folder link, directly or not."""
        seen: set[str] = set()
        todo = set(self.folders[folder])
        while todo:
            variable = todo.pop()
            seen.add(variable)
            todo |= self.brings.get(variable, set()) - seen
        return ({self.owners[name] for name in seen if name in self.owners} - {folder}
                | {_LIBRARIES[name] for name in seen if name in _LIBRARIES})


def read(texts: dict[str, str]) -> Build:
    """Reads the text of the meson.build of each folder."""
    build = Build()
    for folder, text in texts.items():
        text = re.sub(r"#.*", "", text)
        build.folders[folder] = _used(text)
        for name, block in _DECLARED.findall(text):
            build.owners[name] = folder
            build.brings[name] = _used(block)
        for name, value in _LIST.findall(text):
            build.brings.setdefault(name, set()).update(_variables(value))
    return build


def findings(table: Table, build: Build) -> list[str]:
    known = table.modules.keys() | _LIBRARIES.values()
    return [f"{folder}/meson.build links {name}: the table does not let it use that"
            for folder in table.modules if folder in build.folders
            for name in sorted(build.reached(folder) & known - table.reached(folder))]


def meson_files(root: Path, files: list[Path]) -> dict[str, str]:
    return {str(file.parent): (root / file).read_text(encoding="utf-8") for file in files
            if file.name == "meson.build"}


def _used(text: str) -> set[str]:
    return {name for use in _USES.findall(text) for name in _variables(use)}


def _variables(text: str) -> set[str]:
    return set(re.findall(r"\b\w+_deps?\b", text))

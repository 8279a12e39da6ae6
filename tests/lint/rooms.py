"""The table of rooms in docs/architecture.md: which room may use what.

Its header is `| room | may use | …`. The first cell names a room by its folder, in backticks; the
second lists rooms (in backticks) and libraries, separated by commas. The standard library, libc and
the kernel's headers need no mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from . import libraries


class TableError(Exception):
    """The table cannot be read; the text says where."""


@dataclass(frozen=True)
class Room:
    folder: str
    rooms: frozenset[str]
    libraries: frozenset[str]


@dataclass(frozen=True)
class Table:
    rooms: dict[str, Room]

    def room_of(self, file: PurePath) -> Room | None:
        """The room in which a file lies: the deepest folder of the table above it."""
        for folder in file.parents:
            if str(folder) in self.rooms:
                return self.rooms[str(folder)]
        return None

    def linkable(self, folder: str) -> set[str]:
        """The libraries that a program made of this room may link: its own and those of every room
        that it may use, directly or not."""
        found: set[str] = set()
        seen: set[str] = set()
        todo = [folder]
        while todo:
            room = self.rooms[todo.pop()]
            if room.folder not in seen:
                seen.add(room.folder)
                found |= room.libraries
                todo += room.rooms
        return found


def read(document: Path) -> Table:
    return parse(document.read_text(encoding="utf-8"))


def parse(text: str) -> Table:
    rows = list(_rows(text))
    if not rows:
        raise TableError("no table with the header `| room | may use |`")
    folders = {_folder(cells[0]) for cells in rows}
    rooms = {}
    for cells in rows:
        folder = _folder(cells[0])
        if folder in rooms:
            raise TableError(f"room {folder} has two rows")
        words = [word.strip() for word in cells[1].split(",") if word.strip()]
        used = {word.strip("`") for word in words if word.startswith("`")}
        linked = {word for word in words if not word.startswith("`")}
        for name in used - folders:
            raise TableError(f"room {folder} may use {name}, which has no row")
        for name in linked:
            if libraries.by_name(name) is None:
                raise TableError(f"room {folder} may use {name}, which tests/lint/libraries.py "
                                 "does not know")
        rooms[folder] = Room(folder, frozenset(used), frozenset(linked))
    return Table(rooms)


def _rows(text: str) -> Iterable[list[str]]:
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells[:2] == ["room", "may use"]:
            inside = True
        elif inside and not re.fullmatch(r"[-: ]+", cells[0]):
            yield cells


def _folder(cell: str) -> str:
    match = re.fullmatch(r"`([\w/]+)`", cell)
    if match is None:
        raise TableError(f"'{cell}' is no room: write its folder in backticks")
    return match[1]

"""Which #include breaks the table of rooms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from . import libraries
from .rooms import Room, Table

_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
_OURS = ("lvmd/", "reconciler/", "tests/")


def violations(table: Table, root: Path, files: Iterable[Path]) -> list[str]:
    """One line per forbidden include in `files` (relative to `root`); files outside every room of
    the table are not looked at."""
    found = []
    for file in files:
        room = table.room_of(file)
        if room is None:
            continue
        text = (root / file).read_text(encoding="utf-8")
        for match in _INCLUDE.finditer(text):
            reason = _forbidden(table, room, match[1])
            if reason:
                line = text.count("\n", 0, match.start(1)) + 1
                found.append(f"{file}:{line}: {room.folder} includes {match[1]}: {reason}")
    return found


def _forbidden(table: Table, room: Room, header: str) -> str:
    # What protoc makes of protos/lvmd/ is no room: it counts as its library.
    if header.startswith(_OURS) and not header.endswith(".pb.h"):
        other = table.room_of(Path(header))
        if other is None:
            return "that is in no room of the table"
        if other is not room and other.folder not in room.rooms:
            return f"the table does not let it use {other.folder}"
        return ""
    library = libraries.of_header(header)
    if library is None:
        return "of no library in tests/lint/libraries.py (own headers: from the repository's root)"
    if library and library not in room.libraries:
        return f"the table does not let it use {library}"
    return ""

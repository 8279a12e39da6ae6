#!/usr/bin/python3
"""Reads the log of dm-log-writes, and replays it onto another disk up to an entry.

Also runs alone in the test VM: `write_log.py list LOG` prints a line of JSON for each entry,
`write_log.py apply LOG TARGET FIRST END` writes the entries from FIRST to the one before END onto
TARGET. The format is in the kernel's Documentation/admin-guide/device-mapper/log-writes.rst: a
superblock in the first sector; then for each entry a sector with its header, and its data.
"""

import json
import os
import struct
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass

FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
_MAGIC = 0x6A736677736872
_SUPER = struct.Struct("<QQQI")
_ENTRY = struct.Struct("<QQQQ")


class NotALog(Exception):
    """The disk has no log of dm-log-writes, or an incomplete one."""


@dataclass(frozen=True)
class Entry:
    number: int
    flags: int
    target: int
    """Bytes from the beginning of the target."""
    size: int
    place: int
    """The offset of its data in the log, in bytes."""
    mark: str

    @property
    def is_durable(self) -> bool:
        """True if all entries before it have reached the disk permanently."""
        return bool(self.flags & (FLUSH | FUA))


def entries(log: int) -> Iterator[Entry]:
    """All entries of an open log."""
    magic, version, count, sector = _SUPER.unpack(_read(log, 0, _SUPER.size))
    if magic != _MAGIC or version != 1:
        raise NotALog(f"magic {magic:#x}, version {version}")
    place = sector
    for number in range(count):
        header = _read(log, place, sector)
        first, length, flags, data_length = _ENTRY.unpack_from(header)
        mark = header[_ENTRY.size:_ENTRY.size + data_length] if flags & MARK else b""
        place += sector
        yield Entry(number, flags, first * sector, length * sector, place, mark.decode().rstrip("\0"))
        if not flags & DISCARD:
            place += length * sector


def apply(log: int, target: int, first: int, end: int) -> None:
    """A discard changes nothing, because a disk may ignore it."""
    for entry in entries(log):
        if first <= entry.number < end and entry.size and not entry.flags & (DISCARD | MARK):
            os.pwrite(target, _read(log, entry.place, entry.size), entry.target)
    os.fsync(target)


def _read(log: int, place: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = os.pread(log, size - len(data), place + len(data))
        if not part:
            raise NotALog(f"it ends at {place + len(data)}")
        data += part
    return data


def main() -> None:
    verb, log = sys.argv[1], os.open(sys.argv[2], os.O_RDONLY)
    if verb == "list":
        for entry in entries(log):
            print(json.dumps(asdict(entry)))
    else:
        target = os.open(sys.argv[3], os.O_WRONLY)
        apply(log, target, int(sys.argv[4]), int(sys.argv[5]))


if __name__ == "__main__":
    main()

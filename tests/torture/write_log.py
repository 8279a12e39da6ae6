#!/usr/bin/python3
"""What dm-log-writes wrote down, and writing it again onto another disk up to some entry.

Runs in the test VM too, alone: `write_log.py list LOG` prints a line of JSON for each entry,
`write_log.py apply LOG TARGET FIRST END` writes the entries from FIRST, without END, onto TARGET.
The format is that of the kernel's Documentation/admin-guide/device-mapper/log-writes.rst: a
superblock in the first sector; then each entry's header in a sector of its own, and its data.
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
    """The disk has no log of dm-log-writes on it, or one that ends too early."""


@dataclass(frozen=True)
class Entry:
    number: int
    flags: int
    target: int
    """Bytes from the target's beginning."""
    size: int
    place: int
    """Where in the log its data begins, in bytes."""
    mark: str

    @property
    def is_durable(self) -> bool:
        """Whether all that is before it has reached the disk for good."""
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
    """A discard changes nothing: a disk is free to ignore it."""
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

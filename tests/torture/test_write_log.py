"""The log of dm-log-writes is read in the kernel's format."""

from __future__ import annotations

import os
import struct
import tempfile
import unittest

from . import write_log

_SECTOR = 512


def entry(sector: int, data: bytes, flags: int = 0, mark: bytes = b"") -> bytes:
    header = struct.pack("<QQQQ", sector, len(data) // _SECTOR, flags, len(mark)) + mark
    return header.ljust(_SECTOR, b"\0") + (b"" if flags & write_log.DISCARD else data)


def log_of(*parts: bytes, magic: int = 0x6A736677736872) -> bytes:
    return struct.pack("<QQQI", magic, 1, len(parts), _SECTOR).ljust(_SECTOR, b"\0") + b"".join(parts)


class WriteLog(unittest.TestCase):
    def setUp(self) -> None:
        self.log = self.enterContext(tempfile.TemporaryFile())
        self.target = self.enterContext(tempfile.TemporaryFile())
        self.log.write(log_of(
            entry(2, b"a" * _SECTOR), entry(0, b"", write_log.MARK, b"done"),
            entry(2, b"b" * _SECTOR, write_log.FUA), entry(0, b"z" * 1024, write_log.DISCARD),
            entry(0, b"c" * _SECTOR)))
        self.log.flush()

    def test_entries(self) -> None:
        found = list(write_log.entries(self.log.fileno()))
        self.assertEqual([one.mark for one in found], ["", "done", "", "", ""])
        self.assertEqual([one.target for one in found], [1024, 0, 1024, 0, 0])
        self.assertEqual([one.is_durable for one in found], [False, False, True, False, False])

    def test_what_is_applied(self) -> None:
        for end, expected in ((2, b"a"), (3, b"b"), (4, b"b")):
            write_log.apply(self.log.fileno(), self.target.fileno(), 0, end)
            self.assertEqual(os.pread(self.target.fileno(), 2 * _SECTOR, _SECTOR),
                             b"\0" * _SECTOR + expected * _SECTOR)
        write_log.apply(self.log.fileno(), self.target.fileno(), 4, 5)
        self.assertEqual(os.pread(self.target.fileno(), 1, 0), b"c")

    def test_another_disk_is_refused(self) -> None:
        os.pwrite(self.log.fileno(), log_of(magic=7), 0)
        with self.assertRaises(write_log.NotALog):
            list(write_log.entries(self.log.fileno()))


if __name__ == "__main__":
    unittest.main()

"""The search finds every kind of leak, so a search without findings is reliable."""

from __future__ import annotations

import base64
import tempfile
import unittest
from pathlib import Path

from . import search

SECRET = b"correct horse battery"


class Search(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.wanted = search.forms([SECRET])

    def process(self, pid: int, cmdline: bytes = b"", environ: bytes = b"",
                unit: str = "lvmd") -> None:
        process = self.folder / str(pid)
        process.mkdir()
        for name, content in (("cmdline", cmdline), ("environ", environ), ("comm", b"restic\n"),
                              ("cgroup", f"0::/system.slice/{unit}.service\n".encode())):
            (process / name).write_bytes(content)

    def processes(self, *without: str) -> list[str]:
        return list(search.in_processes(self.wanted, self.folder, without))

    def files(self) -> list[str]:
        return list(search.in_files(self.wanted, self.folder))

    def test_in_an_argument_and_in_an_environment(self) -> None:
        self.process(3_000_000, cmdline=b"restic\0-r\0rest:http://u:" + SECRET + b"@host\0")
        self.process(3_000_001, environ=b"A=1\0RESTIC_PASSWORD=" + SECRET + b"\0")
        self.process(3_000_002, cmdline=b"restic\0", environ=b"A=1\0")
        self.assertEqual(self.processes(), ["cmdline of 3000000 (restic)",
                                            "environ of 3000001 (restic)"])

    def test_a_store_may_have_its_own(self) -> None:
        self.process(3_000_000, environ=SECRET, unit="store-s3")
        self.process(3_000_001, environ=SECRET, unit="store-s3x")
        self.assertEqual(len(self.processes("store-s3")), 1)

    def test_in_a_file_also_over_the_edge_of_what_is_read_at_once(self) -> None:
        (self.folder / "a").mkdir()
        (self.folder / "a" / "b").write_bytes(b"x" + SECRET)
        (self.folder / "core").write_bytes(bytes(search._PIECE - 5) + SECRET)
        (self.folder / "innocent").write_bytes(bytes(search._PIECE) + SECRET[:-1])
        self.assertEqual(self.files(), [f"file {self.folder}/core", f"file {self.folder}/a/b"])

    def test_in_base64_wherever_it_begins(self) -> None:
        for before in range(6):
            for behind in range(4):
                coded = base64.b64encode(b"[" * before + SECRET + b"]" * behind)
                (self.folder / "file").write_bytes(coded)
                self.assertEqual(len(self.files()), 1, (before, behind))

    def test_other_words_are_no_secret(self) -> None:
        (self.folder / "file").write_bytes(b"correct horse" + base64.b64encode(b"correct horse"))
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main()

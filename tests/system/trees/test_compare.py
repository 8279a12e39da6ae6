"""Two trees with any single difference are distinguished."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from tools.dev import paths

from . import compare
from .compare import Entry, differences, listed, walk

MIB = 1 << 20
FILE = Entry("file", 0o644, 1, 2, 3, 4, "abc", attributes={"user.a": b"1"}, allocated=4096,
             islands=1)


class Entries(unittest.TestCase):
    def test_a_difference_in_any_field_is_told_with_both_values(self) -> None:
        changes = {"kind": "folder", "mode": 0o755, "uid": 9, "gid": 9, "mtime_ns": 4, "size": 5,
                   "content": "xyz", "target": b"t", "device": (1, 3),
                   "attributes": {"user.a": b"2"}, "names": frozenset((b"a", b"b")),
                   "allocated": 64 * MIB}
        told = {field.name for field in dataclasses.fields(Entry)} - {"islands"}
        self.assertEqual(changes.keys(), told)
        for name, value in changes.items():
            with self.subTest(name):
                found = differences({b"f": FILE}, {b"f": dataclasses.replace(FILE, **{name: value})})
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith("'f': "))
        self.assertEqual(differences({b"f": FILE}, {b"f": FILE}), [])

    def test_a_name_that_is_missing_or_too_much(self) -> None:
        self.assertEqual(differences({b"a": FILE, b"b": FILE}, {b"b": FILE, b"c": FILE}),
                         ["'a': missing", "'c': too much"])

    def test_an_attribute_more_or_less_is_a_difference(self) -> None:
        none = dataclasses.replace(FILE, attributes={})
        self.assertEqual(differences({b"f": none}, {b"f": FILE}),
                         ["'f': attribute user.a is b'1', not None"])
        self.assertEqual(len(differences({b"f": FILE}, {b"f": none})), 1)

    def test_a_hole_may_be_smaller_by_its_edges_and_no_more(self) -> None:
        sparse = dataclasses.replace(FILE, size=4096 * MIB, allocated=MIB, islands=2)
        for allocated, same in ((MIB, True), (49 * MIB, True), (50 * MIB, False),
                                (4096 * MIB, False), (0, True)):
            with self.subTest(allocated):
                other = dataclasses.replace(sparse, allocated=allocated, islands=9)
                self.assertEqual(differences({b"f": sparse}, {b"f": other}) == [], same)


class Trees(unittest.TestCase):
    def setUp(self) -> None:
        paths.CACHE.mkdir(exist_ok=True)  # /tmp may be on a file system without attributes
        folder = self.enterContext(tempfile.TemporaryDirectory(dir=paths.CACHE))
        self.left, self.right = Path(folder, "left"), Path(folder, "right")
        for root in (self.left, self.right):
            self._make(root)

    @staticmethod
    def _make(root: Path) -> None:
        (root / "folder").mkdir(parents=True)
        (root / "folder" / "file").write_bytes(b"content")
        os.link(root / "folder" / "file", root / "same")
        (root / "other").write_bytes(b"content")
        (root / "symlink").symlink_to("folder/file")
        os.setxattr(root / "other", "user.a", b"1")
        os.mkfifo(root / "fifo")
        (root / "name\n\udcff").touch()
        for path in (root / "folder", root / "other", root / "folder" / "file", root / "symlink",
                     root / "fifo", root / "name\n\udcff", root):
            os.utime(path, ns=(7, 1_000_000_007), follow_symlinks=False)

    def differs(self, change: Callable[[Path], object], *parts: str) -> None:
        """Applies `change` to the right tree. Expects one line about it, with all of `parts`."""
        change(self.right)
        times = [line for line in differences(walk(self.left), walk(self.right))
                 if "mtime_ns" not in line]
        self.assertEqual(len(times), 1, times)
        for part in parts:
            self.assertIn(part, times[0])

    def test_equal_trees_are_the_same(self) -> None:
        self.assertEqual(differences(walk(self.left), walk(self.right)), [])
        self.assertEqual(len(walk(self.left)), 8)

    def test_another_content_of_the_same_size(self) -> None:
        self.differs(lambda root: (root / "other").write_bytes(b"Content"), "'other'", "content")

    def test_another_mode(self) -> None:
        self.differs(lambda root: (root / "other").chmod(0o4755), "mode", "4755")

    def test_another_mode_of_the_root(self) -> None:
        self.differs(lambda root: root.chmod(0o700), "'.'", "mode")

    def test_another_target(self) -> None:
        def change(root: Path) -> None:
            (root / "symlink").unlink()
            (root / "symlink").symlink_to("folder/FILE")

        self.differs(change, "'symlink'", "target")

    def test_another_attribute(self) -> None:
        self.differs(lambda root: os.setxattr(root / "other", "user.a", b"2"), "user.a")

    def test_another_kind(self) -> None:
        def change(root: Path) -> None:
            (root / "fifo").unlink()
            (root / "fifo").mkdir()

        self.differs(change, "a folder, not a fifo")

    def test_a_nanosecond(self) -> None:
        os.utime(self.right / "symlink", ns=(7, 1_000_000_008), follow_symlinks=False)
        self.assertEqual(differences(walk(self.left), walk(self.right)),
                         ["'symlink': mtime_ns is 1000000008, not 1000000007"])

    def test_a_copy_in_place_of_a_hard_link(self) -> None:
        (self.right / "same").unlink()
        (self.right / "same").write_bytes(b"content")
        os.utime(self.right / "same", ns=(7, 1_000_000_007))
        os.utime(self.right, ns=(7, 1_000_000_007))
        found = differences(walk(self.left), walk(self.right))
        self.assertEqual(len(found), 2, found)
        self.assertTrue(all("names is that of none" in line for line in found))

    def test_kinds_can_be_left_out(self) -> None:
        (self.right / "fifo").unlink()
        os.utime(self.right, ns=(7, 1_000_000_007))
        self.assertEqual(differences(walk(self.left, ("fifo",)), walk(self.right, ("fifo",))), [])

    def test_the_folder_of_mke2fs_is_nobodys(self) -> None:
        (self.right / "lost+found").mkdir()
        os.utime(self.right, ns=(7, 1_000_000_007))
        self.assertEqual(differences(walk(self.left), walk(self.right)), [])

    def test_a_hole_has_the_content_of_written_zeros_and_a_moved_byte_is_another(self) -> None:
        def written(path: Path, place: int, whole: bool) -> Entry:
            with path.open("wb") as file:
                file.truncate(3 * MIB)
                if whole:
                    file.write(bytes(3 * MIB))
                file.seek(place)
                file.write(b"x")
            return walk(path.parent)[path.name.encode()]

        hole = written(self.left / "other", 2 * MIB, whole=False)
        zeros = written(self.right / "other", 2 * MIB, whole=True)
        self.assertEqual(hole.content, zeros.content)
        self.assertLess(hole.allocated, zeros.allocated)
        moved = written(self.right / "other", 2 * MIB + 1, whole=False)
        self.assertNotEqual(hole.content, moved.content)

    def test_islands_close_to_each_other_have_the_content_of_one(self) -> None:
        for root, between in ((self.left, None), (self.right, bytes(24 << 10))):
            with (root / "other").open("wb") as file:
                file.write(b"x" * 4096)
                if between is None:
                    file.seek(28 << 10)
                else:
                    file.write(between)
                file.write(b"y" * 4096)
        left, right = (walk(root)[b"other"] for root in (self.left, self.right))
        self.assertEqual((left.content, left.size), (right.content, right.size))

    def test_lists_are_the_same_when_the_trees_are(self) -> None:
        self.assertEqual(listed(walk(self.left)), listed(walk(self.right)))
        self.assertEqual(len(listed(walk(self.left))), 8)
        os.setxattr(self.right / "other", "user.a", b"2")
        left, right = listed(walk(self.left)), listed(walk(self.right))
        [other] = [line for line in right if line not in left]
        self.assertRegex(other, "^'other' kind='file' .*user.a")

    def test_the_program_tells_by_its_exit_code(self) -> None:
        def run() -> subprocess.CompletedProcess[str]:
            return subprocess.run([sys.executable, compare.__file__, self.left, self.right],
                                  capture_output=True, text=True, check=False)

        self.assertEqual((run().returncode, run().stdout), (0, "the same: 8 names\n"))
        (self.right / "same").unlink()
        self.assertEqual(run().returncode, 1)
        self.assertIn("'same': missing", run().stdout)


if __name__ == "__main__":
    unittest.main()

"""Cached directories are complete or absent."""

import tempfile
import unittest
from pathlib import Path

from .entry import digest, entry


class EntryTest(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.cache = Path(directory.name) / "cache"

    def test_built_once_per_key(self) -> None:
        built: list[Path] = []
        for key in ("a", "a", "b", "a"):
            entry(self.cache, "kind", key, built.append)
        self.assertEqual(len(built), 2)

    def test_a_failed_build_leaves_nothing(self) -> None:
        def fail(directory: Path) -> None:
            (directory / "half").touch()
            raise RuntimeError("as the test wants it")

        with self.assertRaises(RuntimeError):
            entry(self.cache, "kind", "a", fail)
        self.assertEqual([path.name for path in self.cache.iterdir()], ["kind.lock"])

    def test_what_a_killed_builder_left_is_removed(self) -> None:
        entry(self.cache, "kind", "a", lambda directory: None)
        (self.cache / "kind.partial-killed").mkdir()
        place = entry(self.cache, "kind", "b", lambda directory: (directory / "whole").touch())
        self.assertTrue((place / "whole").exists())
        self.assertFalse((self.cache / "kind.partial-killed").exists())

    def test_only_those_used_last_are_kept(self) -> None:
        for key in ("a", "b", "a", "c"):
            entry(self.cache, "kind", key, lambda directory: None)
        self.assertEqual({path.name for path in self.cache.glob("kind-*")}, {"kind-a", "kind-c"})

    def test_the_digest_tells_parts_apart(self) -> None:
        self.assertNotEqual(digest("ab", "c"), digest("a", "bc"))


if __name__ == "__main__":
    unittest.main()

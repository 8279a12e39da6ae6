"""The files of a variant of the VM, and what its snapshot depends on."""

import stat
import tempfile
import unittest
from pathlib import Path

from .entry import digest
from .variant import Variant


class VariantTest(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = Path(directory.name)
        self.program = self.folder / "program"
        self.program.write_text("one")
        self.program.chmod(0o755)

    def key(self, **changes: object) -> str:
        fields = {"name": "more", "files": {"/usr/bin/program": self.program}, **changes}
        return digest(*Variant(**fields).parts())  # type: ignore[arg-type]

    def test_entries_of_a_variant_are_not_those_of_the_plain_vm(self) -> None:
        self.assertEqual(Variant().kind("image"), "image")
        self.assertFalse(Variant(name="more").kind("image").startswith("image-"))

    def test_files_get_their_place_and_keep_their_mode(self) -> None:
        tree = self.folder / "tree"
        Variant(files={"/usr/bin/program": self.program}).copy_files(tree)
        placed = tree / "usr/bin/program"
        self.assertEqual(placed.read_text(), "one")
        self.assertEqual(stat.S_IMODE(placed.stat().st_mode), 0o755)

    def test_the_key_changes_with_content_mode_place_and_preparation(self) -> None:
        keys = [self.key(), self.key(preparation="true"),
                self.key(files={"/usr/bin/other": self.program})]
        self.program.write_text("two")
        keys.append(self.key())
        self.program.chmod(0o700)
        keys.append(self.key())
        self.assertEqual(len(set(keys)), len(keys))
        self.assertEqual(self.key(), keys[-1])


if __name__ == "__main__":
    unittest.main()

"""The test case of this suite."""

import unittest
from collections.abc import Sequence


class Check(unittest.TestCase):
    def assert_none(self, found: Sequence[str], hint: str = "") -> None:
        """Fails if there are findings. Lists each on its own line, then the hint."""
        if found:
            self.fail("\n".join([f"{len(found)} found:", *found, hint]).rstrip())

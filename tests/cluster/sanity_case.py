"""A run of csi-sanity against lvmd's Node service and a csi-controller in the VM."""

from __future__ import annotations

import unittest

from . import sanity
from .sanity_node import sanity_node


class SanityCase(unittest.TestCase):
    driver: sanity.Driver

    @classmethod
    def setUpClass(cls) -> None:
        cls.driver = cls.enterClassContext(sanity_node())

    def check(self, volumes: sanity.Volumes, least: int) -> None:
        """All tests pass. At least `least` run, and of those that do not, each has one of the words
        `skipped` or LEFT_OUT in its name."""
        specs = self.driver.test(volumes, str(volumes))
        if failed := [f"{spec.name}\n{spec.problem}" for spec in specs if spec.problem]:
            self.fail("\n\n".join([*failed, self.driver.logs()]))
        self.assertGreaterEqual(sum(spec.ran for spec in specs), least)
        left_out = (*sanity.LEFT_OUT, *volumes.skipped)
        self.assertEqual([spec.name for spec in specs if not spec.ran and
                          not any(words in spec.name for words in left_out)], [])

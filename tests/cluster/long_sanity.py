"""The conformance tests of csi-test, as in test_sanity.py, with thick and with raw block
volumes."""

from __future__ import annotations

from .sanity import BLOCK, THICK
from .sanity_case import SanityCase


class Sanity(SanityCase):
    def test_thick(self) -> None:
        self.check(THICK, 55)

    def test_block(self) -> None:
        self.check(BLOCK, 60)

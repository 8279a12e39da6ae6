"""The conformance tests of csi-test, in the VM, against lvmd's Node service and a csi-controller
there, with thin volumes. They check the rules of docs/csi.md and section 17 of docs/protocol.md.
long_sanity.py runs them with the other volumes."""

from __future__ import annotations

from .sanity import THIN
from .sanity_case import SanityCase


class Sanity(SanityCase):
    def test_thin(self) -> None:
        self.check(THIN, 75)

"""protos/csi.proto has the messages of the CSI specification that the sidecars are built with."""

from __future__ import annotations

import unittest

from tools.dev.paths import CACHE, ROOT
from tools.go.build import module_folder

from . import csi_messages

_SPECIFICATION = "github.com/container-storage-interface/spec"
_SERVICES = ("csi.v1.Identity", "csi.v1.Controller", "csi.v1.Node")


class CsiMessages(unittest.TestCase):
    def test_every_message_is_that_of_the_specification(self) -> None:
        folder = module_folder("kubernetes", _SPECIFICATION, CACHE / "go")
        theirs = csi_messages.read(folder / "csi.proto")
        ours = csi_messages.read(ROOT / "protos/csi.proto")
        self.assertLessEqual(set(_SERVICES), set(ours))
        for name, parts in ours.items():
            with self.subTest(name):
                if name in _SERVICES:  # a call that is missing is UNIMPLEMENTED
                    self.assertLessEqual(parts, theirs[name])
                else:
                    self.assertEqual(parts, theirs.get(name))

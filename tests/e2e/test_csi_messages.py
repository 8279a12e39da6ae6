"""protos/csi.proto has the messages of the CSI specification: those of version 1.12, which the
sidecars are built with, and those of version 1.13 for health."""

from __future__ import annotations

import unittest

from tools.dev.paths import CACHE, ROOT
from tools.go.build import module_folder

from . import csi_messages

_SPECIFICATION = "github.com/container-storage-interface/spec"
_SERVICES = ("csi.v1.Identity", "csi.v1.Controller", "csi.v1.Node")


class CsiMessages(unittest.TestCase):
    def test_every_message_is_that_of_the_specification(self) -> None:
        ours = csi_messages.read(ROOT / "protos/csi.proto")
        sidecars = specification("kubernetes", "1.12")
        health = specification("csi-sanity", "1.13")
        self.assertLessEqual(set(_SERVICES), set(ours))
        for name, parts in ours.items():
            with self.subTest(name):
                either = sidecars.get(name, set()) | health.get(name, set())
                self.assertLessEqual(parts, either)
                if name not in _SERVICES:  # a call that is missing is UNIMPLEMENTED
                    self.assertLessEqual(sidecars.get(name, either), parts)


def specification(module: str, version: str) -> csi_messages.Parts:
    """The messages of the version that the folder `module` of tools/go pins."""
    folder = module_folder(module, _SPECIFICATION, CACHE / "go")
    if f"@v{version}." not in folder.name:
        raise AssertionError(f"tools/go/{module} has {folder.name}, not version {version}")
    return csi_messages.read(folder / "csi.proto")

"""csi-controller's requests to a real API server, with the rights of its service account: the
contract of tests/object_store. The ids in brackets are rules of docs/csi.md."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from tools.dev.build import GCC

from . import csi_controller
from .cluster import ClusterCase

_PROGRAM = "tests/object_store/object-store-tests"
_SECONDS = 180


class ObjectStore(ClusterCase):
    def test_a_real_api_server_meets_the_contract(self) -> None:
        """[C-KUBE-1, C-KUBE-2, C-KUBE-3, C-RIGHT-1, C-RIGHT-2]"""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        own = csi_controller.write_kubeconfig(
            self.plane, csi_controller.install(self.plane), folder / "kubeconfig")
        done = subprocess.run(
            [GCC.directory / _PROGRAM], capture_output=True, text=True, check=False,
            timeout=_SECONDS, env={**os.environ, "LVMD_KUBECONFIG": str(own),
                                   "LVMD_ADMIN_KUBECONFIG": str(self.plane.kubeconfig)})
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

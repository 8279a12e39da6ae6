"""`./dev bench`: the order of the measurements, and a failure of one."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tools.dev.errors import DevError
from tools.dev.progress import Progress

from . import everything
from .options import Options

_MEASUREMENTS = ("peer", "load", "reconcile", "csi", "transfer")


class Everything(unittest.TestCase):
    def run_with(self, **results: object) -> tuple[int, list[str]]:
        """The exit code and the measurements that ran. A result that is an exception is raised."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.multiple(
                everything,
                **{name: mock.Mock(__name__=f"bench.{name}") for name in _MEASUREMENTS}):
            for name in _MEASUREMENTS:
                getattr(everything, name).run.side_effect = [results.get(name, 0)]
            code = everything.run(mock.Mock(spec=Progress), Path(folder), mock.Mock(spec=Options))
            ran = [name for name in _MEASUREMENTS if getattr(everything, name).run.called]
        return code, ran

    def test_all_measurements_run(self) -> None:
        self.assertEqual(self.run_with(), (0, list(_MEASUREMENTS)))

    def test_after_a_failure_the_others_still_run(self) -> None:
        self.assertEqual(self.run_with(load=1), (1, list(_MEASUREMENTS)))
        self.assertEqual(self.run_with(peer=DevError("no server")), (1, list(_MEASUREMENTS)))

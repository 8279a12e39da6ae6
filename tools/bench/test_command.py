"""`./dev bench`: the end by a signal."""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from tools.dev.progress import Progress

from . import command


class Sigterm(unittest.TestCase):
    def setUp(self) -> None:
        # Without a handler of the command, the signal has no effect and the measurement ends.
        previous = signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGTERM, previous)

    def test_it_interrupts_the_measurement(self) -> None:
        parser = argparse.ArgumentParser()
        command.add_parser(parser.add_subparsers())

        def measure(*_: object) -> int:
            os.kill(os.getpid(), signal.SIGTERM)
            return 0

        with (tempfile.TemporaryDirectory() as folder,
              mock.patch.object(command, "BUILD", Path(folder)),
              mock.patch.object(command.packages, "ensure"),
              mock.patch.object(command.importlib, "import_module",
                                return_value=mock.Mock(run=measure)),
              self.assertRaises(KeyboardInterrupt)):
            command.run(parser.parse_args(["bench", "reconcile"]), mock.Mock(spec=Progress))


if __name__ == "__main__":
    unittest.main()

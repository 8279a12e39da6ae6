"""A short torture run, with a fixed seed. The ids in brackets are rules of docs/protocol.md."""

from __future__ import annotations

import unittest

from tools.dev import paths
from tools.dev.progress import Progress
from tools.vm import Machine, ensure_snapshot

from .run import Options, chosen, run

_SEED = "1"
_MINUTES = 1.5
# Two or three rounds. ./dev torture runs the other kinds and the power cuts, which take longer.
_FAULTS = "kill-storm,restart,vg-full"


class Torture(unittest.TestCase):
    def test_nothing_is_lost_leaked_or_wrong(self) -> None:
        """[P-ORDER-2, P-RUN-3, P-RUN-6, P-RUN-20, P-INTENT-1, P-IDEM-1, P-RELOAD-1]"""
        options = Options(_SEED, _MINUTES, chosen(_FAULTS), paths.BUILD / "torture" / "result.json")
        with Machine(ensure_snapshot(paths.CACHE / "vm"), build_tree=paths.INSTALL_TREE) as machine:
            tally = run(machine, options, Progress())
        found = "\n".join(f"{finding['kind']} beside {finding['fault']}: {finding['text']}"
                          for finding in tally.findings)
        self.assertEqual(found, "", tally.table())
        self.assertGreater(tally.operations, 20, tally.table())


if __name__ == "__main__":
    unittest.main()

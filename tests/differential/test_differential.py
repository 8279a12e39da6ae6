"""The same calls to TopoLVM's lvmd and to lvmd, in the test VM. intended.toml lists the
differences.

LVMD_DIFFERENTIAL_SEED repeats the random calls of an earlier run; LVMD_DIFFERENTIAL_CALLS is their
number.
"""

from __future__ import annotations

import os
import random
import unittest
from pathlib import Path

from tools.go import build as go_tools
from tools.dev import paths
from tools.vm import Machine, ensure_snapshot

from . import intended
from .play import Judgement, play, probe
from .probes import PROBES
from .random_steps import steps as random_steps
from .stage import Stage
from .table import STEPS

_RANDOM_CALLS = 25


class Differential(unittest.TestCase):
    stage: Stage
    entries: tuple[intended.Entry, ...]
    _table: Judgement | None = None

    @classmethod
    def setUpClass(cls) -> None:
        program = go_tools.build("topolvm-lvmd", paths.CACHE / "go")
        machine = cls.enterClassContext(Machine(
            ensure_snapshot(paths.CACHE / "vm"), build_tree=paths.INSTALL_TREE,
            share=Path(program).parent))
        cls.stage = Stage(machine)
        cls.entries = intended.read()

    @classmethod
    def table(cls) -> Judgement:
        """The result of the fixed calls, which are made once."""
        if cls._table is None:
            cls._table = play(cls.stage, STEPS, cls.entries)
            probe(cls.stage, PROBES, cls.entries, cls._table)
        return cls._table

    def assert_right(self, judgement: Judgement, note: str = "") -> None:
        if judgement.wrong:
            self.fail("\n".join([f"{len(judgement.wrong)} differences are not in intended.toml:",
                                 *judgement.wrong, note, self.stage.journal()]))

    def test_each_difference_of_the_fixed_calls_is_intended(self) -> None:
        """[P-WIRE-1..4, P-MSG-2, P-MSG-4..10, P-MSG-12..15, P-MSG-17..22, P-MSG-24, P-MSG-25,
        P-MSG-27, P-MSG-29..45, P-ORDER-1, P-ORDER-2, P-CODE-1, P-CODE-3, P-SNAP-12, P-LIST-1,
        P-FREE-1, P-SOCK-1, E-PEER-1]"""
        self.assert_right(self.table())

    def test_each_intended_difference_is_there(self) -> None:
        """[P-WIRE-5, P-MSG-26, P-MSG-44, P-CODE-2, P-CODE-13, P-HEALTH-2..4, P-SOCK-3, P-CFG-6,
        E-PEER-1]"""
        unseen = [entry.id for entry in self.entries if entry.id not in self.table().seen]
        self.assertEqual(unseen, [], "the fixed calls don't show these entries of intended.toml")

    def test_random_calls_differ_only_as_intended(self) -> None:
        # After the fixed calls, because those need groups without other volumes.
        """[P-ORDER-1, P-CODE-13, E-PEER-1]"""
        seed = int(os.environ.get("LVMD_DIFFERENTIAL_SEED", random.randrange(1 << 32)))
        count = int(os.environ.get("LVMD_DIFFERENTIAL_CALLS", _RANDOM_CALLS))
        print(f"random calls: LVMD_DIFFERENTIAL_SEED={seed}", flush=True)
        judgement = play(self.stage, random_steps(seed, count), self.entries)
        self.assert_right(judgement, f"again: LVMD_DIFFERENTIAL_SEED={seed}")

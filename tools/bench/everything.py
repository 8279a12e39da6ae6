"""`./dev bench` runs all measurements, one after another."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.dev.errors import DevError
from tools.dev.progress import Progress

from . import csi, load, peer, reconcile, transfer
from .options import Options


def run(progress: Progress, output: Path, options: Options) -> int:
    """Runs each measurement in a separate VM, as a run of one measurement does. The floor is
    measured with the peer. If a measurement fails, the others still run."""
    failed = False
    for measurement in (peer, load, reconcile, csi, transfer):
        try:
            failed |= measurement.run(progress, output, options) != 0
        except DevError as error:
            print(f"{measurement.__name__.rpartition('.')[2]}: {error}", file=sys.stderr, flush=True)
            failed = True
    return int(failed)

"""`./dev bench` runs all measurements, one after another."""

from __future__ import annotations

from pathlib import Path

from tools.dev.progress import Progress

from . import csi, load, peer, reconcile, transfer
from .options import Options


def run(progress: Progress, output: Path, options: Options) -> int:
    """Runs each measurement in a separate VM, as a run of one measurement does. The floor is
    measured with the peer."""
    return (peer.run(progress, output, options) or load.run(progress, output, options)
            or reconcile.run(progress, output, options) or csi.run(progress, output, options)
            or transfer.run(progress, output, options))

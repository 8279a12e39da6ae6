"""`./dev bench`: all measurements, one after the other."""

from __future__ import annotations

from pathlib import Path

from tools.dev.progress import Progress

from . import load, peer, reconcile, transfer
from .options import Options


def run(progress: Progress, output: Path, options: Options) -> int:
    """Each in a VM of its own, as it does alone; the floor is measured with the peer."""
    return (peer.run(progress, output, options) or load.run(progress, output, options)
            or reconcile.run(progress, output, options)
            or transfer.run(progress, output, options))

"""`./dev bench report` shows the stored numbers as a judgement, as plots, and in
docs/performance.md."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from tools.dev import process
from tools.dev.errors import DevError
from tools.dev.paths import ROOT
from tools.dev.progress import Progress

from . import document, judgement, stored
from .samples import BenchError

# matplotlib is a Debian package for Debian's Python, not for another Python in PATH.
_PYTHON = "/usr/bin/python3"


def show(progress: Progress, folder: Path, write: bool) -> int:
    """Prints the judgement of the numbers in `folder` and draws the plots there. With `write`,
    stores them with the documents and updates tables and plots. A goal that is not met is not an
    error."""
    try:
        benches = _read(folder)
        if not any(benches):
            raise BenchError(f"{folder} has no numbers of a measurement: run ./dev bench first")
        _draw(progress, folder)
        if write:
            stored.keep(folder, ROOT / document.NUMBERS)
            _draw(progress, ROOT / document.NUMBERS)
            path = ROOT / document.DOCUMENT
            text = document.filled(path.read_text(encoding="utf-8"),
                                   *_read(ROOT / document.NUMBERS))
            path.write_text(text, encoding="utf-8")
            progress(f"{document.DOCUMENT} has the numbers")
        print(f"\n{judgement.judgement_table(judgement.judge(*benches))}\n", flush=True)
    except BenchError as error:
        raise DevError(str(error)) from error
    return 0


def _read(folder: Path) -> list[dict[str, Any] | None]:
    return [stored.read(folder, name) for name in stored.NAMES]


def _draw(progress: Progress, folder: Path) -> None:
    with progress.step("drawing the plots"):
        done = subprocess.run(
            [_PYTHON, "-m", "tools.bench.drawing", str(folder.resolve())], cwd=ROOT,
            env=process.environment(), check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise DevError(f"the plots could not be drawn:\n{done.stderr}")
    for line in done.stdout.splitlines():
        progress(f"drawn: {line}")

"""The numbers that the benches write into a folder, and those from which docs/performance.md is
made."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from .samples import BenchError

NAMES = ("peer", "load", "reconcile", "csi", "transfer")


def keep(folder: Path, kept: Path) -> None:
    """Those in `folder` replace those of the same name in `kept`. Benches take hours, and need not
    run on the same day or host."""
    kept.mkdir(exist_ok=True)
    for name in NAMES:
        if read(folder, name) is not None:
            shutil.copyfile(folder / f"{name}.json", kept / f"{name}.json")


def read(folder: Path, name: str) -> dict[str, Any] | None:
    """The content of NAME.json; None if that bench has not run."""
    path = folder / f"{name}.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise BenchError(f"{path} is not JSON ({error}): delete it, or measure again") from error
    if not isinstance(content, dict) or "run" not in content:
        raise BenchError(f"{path} has no description of the measurement: measure again")
    return content

"""The numbers that the benches leave in a folder, and those that docs/performance.md is made of."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from .samples import BenchError

NAMES = ("peer", "load", "reconcile", "transfer")


def keep(folder: Path, kept: Path) -> None:
    """Those in `folder` take the place of those of the same name in `kept`: benches take hours, and
    need not run on one day, or on one host."""
    kept.mkdir(exist_ok=True)
    for name in NAMES:
        if read(folder, name) is not None:
            shutil.copyfile(folder / f"{name}.json", kept / f"{name}.json")


def read(folder: Path, name: str) -> dict[str, Any] | None:
    """The content of NAME.json; None where that bench has not run."""
    path = folder / f"{name}.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise BenchError(f"{path} is no JSON ({error}): delete it, or measure again") from error
    if not isinstance(content, dict) or "run" not in content:
        raise BenchError(f"{path} does not say how it was measured: measure again")
    return content

"""The numbers that the benches write into a folder, and those from which docs/performance.md is
made."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from .samples import BenchError

NAMES = ("peer", "load", "reconcile", "csi", "transfer")


def files(folder: Path, name: str) -> list[Path]:
    """The files of a bench that has run: NAME.json, or NAME-VOLUMES.json for each number of volumes
    in the group, in ascending order."""
    form = re.compile(rf"{name}(?:-(\d+))?\.json")
    found = {int(match[1] or 0): path for path in folder.glob("*.json")
             if (match := form.fullmatch(path.name))}
    return [found[volumes] for volumes in sorted(found)]


def keep(folder: Path, kept: Path) -> None:
    """The files in `folder` replace those of the same name in `kept`. Benches take hours, and need
    not run on the same day or host."""
    kept.mkdir(exist_ok=True)
    for name in NAMES:
        for path in files(folder, name):
            _content(path)
            shutil.copyfile(path, kept / path.name)


def read(folder: Path, name: str) -> dict[str, Any] | None:
    """The contents of `files` in one: `runs` has the description of each run, and lists are joined.
    None if that bench has not run."""
    joined: dict[str, Any] = {}
    for path in files(folder, name):
        content = _content(path)
        joined.setdefault("runs", []).append(content.pop("run"))
        for key, value in content.items():
            joined[key] = joined[key] + value if key in joined else value
    return joined or None


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BenchError(f"{path} is not JSON ({error}): delete it, or measure again") from error
    if not isinstance(content, dict) or "run" not in content:
        raise BenchError(f"{path} has no description of the measurement: measure again")
    return content

"""The servers' programs, in a folder that is shared with a node."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.go import build as go_tools
from tools.dev.paths import CACHE

NAMES = ("rest-server", "versitygw")


def put_programs(folder: Path) -> None:
    """Copies them into `folder`. Builds those that are missing."""
    for name in NAMES:
        shutil.copy2(go_tools.build(name, CACHE / "go", lambda text: None), folder)
